// Owns the SQL that reads tasks. Row-level security decides which rows are visible; no query here writes one.

import type { LanguageCode } from "../../../locales/registry.ts";
import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { cursorPage, idInKey } from "../cursors.ts";
import { inWords } from "../language.ts";
import { ofTeam, onePage } from "../sql.ts";
import { duringDays } from "../time-zones.ts";
import type { Task, TasksQuery } from "./schema.ts";
import { messageOf, messageOfTask, type Reader, type Said } from "./words.ts";

type Attempt = NonNullable<Task["history"]>[number];
type Row = Omit<Task, "progress" | "message" | "sourceId" | "knowledgeId" | "documentId" | "history"> &
  Said & {
    sourceId: string | null;
    knowledgeId: string | null;
    documentId: string | null;
  };

/** Newest first. @param teamId null: the tasks of every team */
export async function listTasks(
  tx: Transaction,
  teamId: TeamId | null,
  query: TasksQuery,
  language: LanguageCode,
) {
  const { type, status, date, dateStart = date, dateEnd = date, timeZone } = query;
  const reader = { language, timeZone };
  const { sourceId, knowledgeId, taskId, lastKey, perPage } = query;
  const rows = await tx<Row[]>`
    select t.id, t.team_id, t.type, t.status, t.done, t.total, t.message_code, t.message_params, t.source_id,
           t.knowledge_id, t.document_id, t.attempts, t.started_at, t.finished_at, t.error, t.created_at, t.updated_at
      from public.tasks t
     where ${ofTeam(tx, "t.team_id", teamId)}
       ${type ? tx`and t.type = ${type}` : tx``}
       ${status ? tx`and t.status = ${status}` : tx``}
       ${duringDays(tx, tx`t.created_at`, { dateStart, dateEnd, timeZone })}
       ${sourceId ? tx`and t.source_id = ${sourceId}` : tx``}
       ${knowledgeId ? tx`and t.knowledge_id = ${knowledgeId}` : tx``}
       ${taskId ? tx`and t.id = ${taskId}` : tx``}
       ${lastKey ? tx`and t.id < ${idInKey(lastKey, "tasks")}` : tx``}
     order by t.id desc limit ${onePage(tx, perPage)}`;
  const { data, lastKey: next } = cursorPage(rows, perPage, "tasks");
  const tasks = data.map((row) => toTask(row, reader));
  const [one] = tasks;
  if (taskId && one) one.history = await listAttempts(tx, one, reader);
  return { data: tasks, lastKey: next };
}

async function listAttempts(tx: Transaction, { id, teamId, type }: Task, reader: Reader): Promise<Attempt[]> {
  const rows = await tx<(Omit<Attempt, "message"> & Omit<Said, "type">)[]>`
    select a.number, a.status, a.done, a.total, a.message_code, a.message_params, a.error, a.started_at, a.finished_at
      from public.task_attempts a where a.team_id = ${teamId} and a.task_id = ${id} order by a.number`;
  return rows.map(({ done, total, messageCode, messageParams, ...attempt }) => ({
    ...inWords(attempt, reader.language),
    message: messageOf({ type, done, total, messageCode, messageParams }, reader),
  }));
}

function toTask(row: Row, reader: Reader): Task {
  const { done, total, messageCode, messageParams, sourceId, knowledgeId, documentId, ...task } = row;
  return {
    ...inWords(task, reader.language),
    progress: { done, total },
    message: messageOfTask(row, reader),
    sourceId: sourceId ?? undefined,
    knowledgeId: knowledgeId ?? undefined,
    documentId: documentId ?? undefined,
  };
}
