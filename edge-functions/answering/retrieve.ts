// Owns finding the passages that answer a question: the question is embedded in each space of its knowledges, Postgres
// ranks (public.search_chunks) and decides what the caller may read. Must not know what the passages are for.
import { asCaller, type Claims } from "../_shared/db.ts";
import { log } from "../_shared/log.ts";
import { type ModelClient, ModelError } from "../_shared/models.ts";

export type RetrievalMode = "hybrid" | "vector" | "text";

export type Hit = {
  chunkId: string;
  documentId: string;
  sourceId: string;
  knowledgeId: string;
  title: string;
  url: string | null;
  content: string;
  /** UTF-16 code units into the document's content. */
  startOffset: number;
  endOffset: number;
  page: number | null;
  heading: string;
  /** 0 to 1; how it is made, sql/44_search.sql says. */
  score: number;
  vectorScore: number | null;
  vectorRank: number | null;
  textScore: number | null;
  textRank: number | null;
};

/** Where vectors can be compared: those of one model at one size. */
export type Space = { id: string; model: string; dimensions: number };

export type RetrievalRequest = {
  knowledgeIds: string[];
  /** The embedding spaces of the knowledges. */
  spaces: Space[];
  question: string;
  results: number;
  mode: RetrievalMode;
  signal?: AbortSignal;
};

/**
 * The passages of some knowledges that fit a question best, best first; none of knowledges that the caller cannot read.
 * Where the question cannot be embedded, as when the provider changed and the index has not yet, a hybrid search goes
 * on by words alone.
 * @throws ModelError when a search by vector alone cannot embed the question; the signal's reason when aborted
 */
export async function retrieve(
  claims: Claims,
  models: ModelClient,
  { knowledgeIds, spaces, question, results, mode, signal }: RetrievalRequest,
): Promise<Hit[]> {
  if (knowledgeIds.length === 0) return [];
  const embeddings = mode === "text" ? [] : await embedInSpaces(models, { spaces, question, mode, signal });
  return await asCaller(
    claims,
    (tx) => tx<Hit[]>`
      select * from public.search_chunks(
        ${knowledgeIds}::uuid[], ${question}, ${tx.json(embeddings)}, ${results}, ${mode})`,
  );
}

async function embedInSpaces(
  models: ModelClient,
  { spaces, question, mode, signal }: Pick<RetrievalRequest, "spaces" | "question" | "mode" | "signal">,
): Promise<{ vectorId: string; embedding: number[] }[]> {
  const embedded = await Promise.all(
    spaces.map(async ({ id, model, dimensions }) => {
      try {
        const [vector] = await models.embed([question], { model, dimensions, signal });
        return [{ vectorId: id, embedding: [...(vector ?? [])] }];
      } catch (error) {
        if (mode === "vector" || !(error instanceof ModelError)) throw error;
        log("warn", "a question was not embedded", { vectorId: id, model, kind: error.kind });
        return [];
      }
    }),
  );
  return embedded.flat();
}
