// The progress of a knowledge base: its documents and its running task. Loaded by its page on the server, then by its island.

import type { AnswerOf, Get } from "#web/client/api-calls.ts";

type DocumentRow = AnswerOf<"GET", "/v1/teams/{teamId}/sources/{sourceId}/documents">["data"][number];
type IndexTask = AnswerOf<"GET", "/v1/teams/{teamId}/tasks">["data"][number];

export type KnowledgeState = {
  status: string;
  /** Searchable documents, and their passages. */
  documentsCount: number;
  chunksCount: number;
  documents: DocumentRow[];
  /** Sources with more documents than are listed here. */
  more: boolean;
  task: IndexTask | null;
};

const open = new Set(["queued", "running", "waiting", "stopping"]);

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
  const lists = await Promise.all(
    knowledge.sourceIds.map((sourceId) =>
      get("/v1/teams/{teamId}/sources/{sourceId}/documents", { teamId, sourceId, perPage: 100 }),
    ),
  );
  const task = tasks.data.find(
    ({ status, knowledgeId: of, sourceId }) =>
      open.has(status) && (of === knowledgeId || (sourceId && knowledge.sourceIds.includes(sourceId))),
  );
  return {
    status: knowledge.status,
    documentsCount: knowledge.documentsCount,
    chunksCount: knowledge.chunksCount,
    documents: lists.flatMap(({ data }) => data),
    more: lists.some(({ lastKey }) => lastKey !== null),
    task: task ?? null,
  };
}
