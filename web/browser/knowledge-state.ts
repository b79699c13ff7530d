// How far a knowledge is: its documents and the task at work on them. Read by its page on the server, then by its island.

export interface DocumentRow {
  id: string;
  sourceId: string;
  title: string;
  status: string;
  chunksCount: number;
  error: string | null;
}

export interface IndexTask {
  id: string;
  status: string;
  progress: { done: number; total: number };
  message: string;
  sourceId?: string;
  knowledgeId?: string;
}

export interface KnowledgeState {
  status: string;
  documents: DocumentRow[];
  /** Sources with more documents than are listed here. */
  more: boolean;
  task: IndexTask | null;
}

const open = new Set(["queued", "running", "waiting", "stopping"]);

/** The key that pages seed. */
export const knowledgeStateKey = (knowledgeId: string) => ["knowledge-state", knowledgeId];

/** Everything that the list shows, in one round of calls. */
export async function readKnowledgeState(
  get: <Answer>(path: string) => Promise<Answer>,
  teamId: string,
  knowledgeId: string,
): Promise<KnowledgeState> {
  const base = `/v1/teams/${teamId}`;
  const [knowledge, tasks] = await Promise.all([
    get<{ status: string; sourceIds: string[] }>(`${base}/knowledges/${knowledgeId}`),
    get<{ data: IndexTask[] }>(`${base}/tasks?perPage=50`),
  ]);
  const lists = await Promise.all(
    knowledge.sourceIds.map((id) =>
      get<{ data: DocumentRow[]; lastKey: string | null }>(`${base}/sources/${id}/documents?perPage=100`),
    ),
  );
  const task = tasks.data.find(
    ({ status, knowledgeId: of, sourceId }) =>
      open.has(status) && (of === knowledgeId || (sourceId && knowledge.sourceIds.includes(sourceId))),
  );
  return {
    status: knowledge.status,
    documents: lists.flatMap(({ data }) => data),
    more: lists.some(({ lastKey }) => lastKey !== null),
    task: task ?? null,
  };
}
