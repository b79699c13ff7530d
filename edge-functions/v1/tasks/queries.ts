// Owns the SQL of reading tasks. Row-level security decides which rows there are; nothing here writes one.
import type { Transaction } from "../../_shared/db.ts";
import type { Language } from "../language.ts";
import { cursorPage, idInKey } from "../router.ts";
import { ofTeam, onePage } from "../sql.ts";
import type { Task, TasksQuery } from "./schema.ts";
import { messageOf } from "./words.ts";

type Row = Omit<Task, "progress" | "message" | "sourceId" | "knowledgeId" | "documentId"> & {
  done: number;
  total: number;
  messageCode: string;
  messageParams: Record<string, unknown>;
  sourceId: string | null;
  knowledgeId: string | null;
  documentId: string | null;
};

/** Newest first. @param teamId null: the tasks of every team */
export async function listTasks(
  tx: Transaction,
  teamId: string | null,
  { type, status, date, taskId, lastKey, perPage }: TasksQuery,
  language: Language,
) {
  const rows = await tx<Row[]>`
    select t.id, t.team_id, t.type, t.status, t.done, t.total, t.message_code, t.message_params, t.source_id,
           t.knowledge_id, t.document_id, t.attempts, t.started_at, t.finished_at, t.error, t.created_at, t.updated_at
      from public.tasks t
     where ${ofTeam(tx, "t.team_id", teamId)}
       ${type ? tx`and t.type = ${type}` : tx``}
       ${status ? tx`and t.status = ${status}` : tx``}
       ${date ? tx`and t.created_at >= ${date}::date and t.created_at < ${date}::date + 1` : tx``}
       ${taskId ? tx`and t.id = ${taskId}` : tx``}
       ${lastKey ? tx`and t.id < ${idInKey(lastKey)}` : tx``}
     order by t.id desc limit ${onePage(tx, perPage)}`;
  const { data, lastKey: next } = cursorPage(rows, perPage);
  return { data: data.map((row) => toTask(row, language)), lastKey: next };
}

function toTask(row: Row, language: Language): Task {
  const { done, total, messageCode, messageParams, sourceId, knowledgeId, documentId, ...task } = row;
  // Between its claim and its first step a task still carries the code with which it was queued.
  const code = task.status === "running" && messageCode === "queued" ? "starting" : messageCode;
  return {
    ...task,
    progress: { done, total },
    message: messageOf(code, { done, total, ...messageParams }, language),
    sourceId: sourceId ?? undefined,
    knowledgeId: knowledgeId ?? undefined,
    documentId: documentId ?? undefined,
  };
}
