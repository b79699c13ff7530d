// The progress of a knowledge base: its documents and its running task. Loaded by its page on the server, then by its island.

import type { AnswerOf, Get } from "#web/client/api-calls.ts";

type DocumentRow = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents">["data"][number];
type IndexTask = AnswerOf<"GET", "/v1/teams/{teamId}/tasks">["data"][number];

export type KnowledgeState = {
  status: string;
  /** Searchable documents, and their passages. */
  documentsCount: number;
  chunksCount: number;
  /** All of its sources. */
  sourceIds: string[];
  documents: DocumentRow[];
  /** Sources with more documents than are listed here. */
  more: boolean;
  task: IndexTask | null;
};

const open = new Set(["queued", "running", "waiting", "stopping"]);

/** The most rows, and sources that they come from: the list is read every second while it is indexed. */
const MOST_DOCUMENTS = 500;
const MOST_SOURCES = 25;

/** The query key that pages seed. */
export const knowledgeStateKey = (knowledgeId: string) => ["knowledge-state", knowledgeId];

/** Everything that the list shows, in one round of calls, with times in the reader's zone. */
export async function readKnowledgeState(
  get: Get,
  teamId: string,
  knowledgeId: string,
  timeZone: string,
): Promise<KnowledgeState> {
  const [knowledge, tasks] = await Promise.all([
    get("/v1/teams/{teamId}/knowledges/{id}", { teamId, id: knowledgeId }),
    get("/v1/teams/{teamId}/tasks", { teamId, perPage: 50, timeZone }),
  ]);
  const { sourceIds } = knowledge;
  const shown = sourceIds.slice(0, MOST_SOURCES);
  const perPage = Math.min(100, Math.floor(MOST_DOCUMENTS / Math.max(1, shown.length)));
  const lists = await Promise.all(
    shown.map((sourceId) =>
      get("/v1/teams/{teamId}/sources/{sourceId}/documents", { teamId, sourceId, perPage }),
    ),
  );
  const task = tasks.data.find(
    ({ status, knowledgeId: of, sourceId }) =>
      open.has(status) && (of === knowledgeId || (sourceId && sourceIds.includes(sourceId))),
  );
  return {
    status: knowledge.status,
    documentsCount: knowledge.documentsCount,
    chunksCount: knowledge.chunksCount,
    sourceIds,
    documents: lists.flatMap(({ data }) => data),
    more: sourceIds.length > MOST_SOURCES || lists.some(({ lastKey }) => lastKey !== null),
    task: task ?? null,
  };
}
