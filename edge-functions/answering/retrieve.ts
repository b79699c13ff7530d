// Owns finding the passages that answer a question: the question is embedded in each space of its knowledges, Postgres
// ranks (public.search_chunks) and decides what the caller may read. Must not know what the passages are for.
import { type Claims, readAsCaller } from "../_shared/database/db.ts";
import { type ModelClient, ModelError } from "../_shared/models/models.ts";
import { log } from "../_shared/operation/log.ts";
import { type DocumentAge, type DocumentAgeRow, toAge } from "./citation-ages.ts";
import type { CitedTable } from "./cited-rows.ts";
import { translationOf } from "./lexicon.ts";

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
  /** Whether its document has tables whose cells are known. */
  hasTables?: boolean;
  /** Of a table: its caption and header, where the content begins below them. */
  preface: string;
  /** For a result that was computed over a table: the row that it rests on first, verbatim. */
  computed?: { quote: string; table?: CitedTable };
  /** Of its document; where it was asked for, and the document's text is one that was read. */
  age?: DocumentAge;
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
  /** Whether the age of each passage's document is wanted. */
  withAges?: boolean;
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
  { knowledgeIds, spaces, question, results, mode, withAges = false, signal }: RetrievalRequest,
): Promise<Hit[]> {
  if (knowledgeIds.length === 0) return [];
  const embeddings = mode === "text" ? [] : await embedInSpaces(models, { spaces, question, mode, signal });
  const { askedIn, translation } = translationOf(question) ?? { askedIn: null, translation: "" };
  const rows = await readAsCaller(
    claims,
    (tx) => tx<(Hit & Partial<DocumentAgeRow>)[]>`
      with found as materialized (
        select s.*, c.preface,
               exists (select from public.document_tables t
                        where t.knowledge_id = s.knowledge_id and t.document_id = s.document_id) as has_tables
          from public.search_chunks(${knowledgeIds}::uuid[], ${question}, ${tx.json(embeddings)}, ${results}, ${mode},
                                    ${askedIn}, ${translation}) with ordinality s
          join public.chunks c on c.id = s.chunk_id
      )
      select * from found f ${
        withAges
          ? tx`left join private.document_ages(array(select distinct g.document_id from found g)) a using (document_id)`
          : tx``
      }
       order by f.ordinality`,
  );
  return rows.map(({ sourceType, syncedAt = null, changedAt = null, ...hit }) =>
    sourceType ? { ...hit, age: toAge({ sourceType, syncedAt, changedAt }) } : hit,
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
        return [{ vectorId: id, embedding: inWholeNumbers(vector ?? new Float32Array()) }];
      } catch (error) {
        if (mode === "vector" || !(error instanceof ModelError)) throw error;
        log("warn", "a question was not embedded", { vectorId: id, model, kind: error.kind });
        return [];
      }
    }),
  );
  return embedded.flat();
}

/** The same direction in numbers that Postgres reads faster than decimals; it compares directions, in half precision. */
function inWholeNumbers(vector: Float32Array): number[] {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Array.from(vector, (value) => Math.round((value / largest) * 32_768));
}
