// Owns the search for passages: embeds the question in each space of its knowledge bases; Postgres ranks them
// (public.search_chunks) and decides what the caller may read. Does not know what the passages are for.
import { type Claims, readAsCaller, type Transaction } from "../_shared/database/db.ts";
import type { ModelClient } from "../_shared/models/model-client.ts";
import { ModelError } from "../_shared/models/model-errors.ts";
import { log } from "../_shared/operation/log.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { type DocumentAge, type DocumentAgeRow, toAge } from "./citation-ages.ts";
import type { CitedTable } from "./cited-rows.ts";
import { translationOf } from "./lexicon.ts";
import { withoutMiddle } from "./pasted-text.ts";
import { withoutMeasure } from "./words.ts";

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
  /** From 0 to 1, computed in sql/44_search.sql. */
  score: number;
  vectorScore: number | null;
  vectorRank: number | null;
  textScore: number | null;
  textRank: number | null;
  /** True when its document has tables with stored cells; present when requested. */
  hasTables?: boolean;
  /** For a passage inside a table: the table's caption and header. */
  preface: string;
  /** For a result computed over a table: its first source row, verbatim, and whether another table may be meant. */
  computed?: { quote: string; table?: CitedTable; isGuess?: true };
  /** The age of its document; present when requested and when the document came from a source. */
  age?: DocumentAge;
};

/** An embedding space: vectors of one model and size, which can be compared. */
export type Space = { id: string; model: string; dimensions: number };

export type RetrievalRequest = {
  knowledgeIds: string[];
  /** The embedding spaces of the knowledge bases. */
  spaces: Space[];
  question: string;
  results: number;
  mode: RetrievalMode;
  /** Whether to return what an answer needs besides: the age of each passage's document, and whether it has tables. */
  forAnswer?: boolean;
  /** The most tables to return of each document, for an answer; none by default. */
  tables?: number;
  signal?: AbortSignal;
};

/** A table of a document, without its rows. */
type FoundTable = { id: string; caption: string; columns: Column[]; rowsCount: number };
/** The tables of found documents, by placeOf() of a passage. */
export type FoundTables = Map<string, FoundTable[]>;

/** A document in a knowledge base, which has tables of its own in each. */
export const placeOf = ({ knowledgeId, documentId }: Pick<Hit, "knowledgeId" | "documentId">) =>
  `${knowledgeId} ${documentId}`;

/** The passages of retrieveWithTables(). @throws as that */
export async function retrieve(
  claims: Claims,
  models: ModelClient,
  request: RetrievalRequest,
): Promise<Hit[]> {
  return (await retrieveWithTables(claims, models, request)).hits;
}

/**
 * The passages of some knowledge bases that best fit a question, best first; none from knowledge bases that the caller cannot read.
 * If the question cannot be embedded, for example after a change of provider, a hybrid search continues by words alone, and says so.
 * @throws ModelError when a vector search cannot embed the question; the signal's reason when aborted
 */
export async function retrieveWithTables(
  claims: Claims,
  models: ModelClient,
  {
    knowledgeIds,
    spaces,
    results,
    mode,
    forAnswer = false,
    tables = 0,
    signal,
    ...request
  }: RetrievalRequest,
): Promise<{ hits: Hit[]; tables: FoundTables; byWordsAlone: boolean }> {
  const found: FoundTables = new Map();
  if (knowledgeIds.length === 0) return { hits: [], tables: found, byWordsAlone: false };
  const question = withoutMiddle(request.question);
  const embeddings = mode === "text" ? [] : await embedInSpaces(models, { spaces, question, mode, signal });
  const { askedIn, translation } = translationOf(question) ?? { askedIn: null, translation: "" };
  const rows = await readAsCaller(
    claims,
    (tx) => tx<(Hit & { ordinality: string; tables?: FoundTable[] } & Partial<DocumentAgeRow>)[]>`
      with found as materialized (
        select s.*${forAnswer ? hasTables(tx) : tx``}
          from public.search_chunks(${knowledgeIds}::uuid[], ${wordsOf(question)}, ${tx.json(embeddings)}, ${results}, ${mode},
                                    ${askedIn}, ${translation}) with ordinality s
      )
      select * from found f ${
        forAnswer
          ? tx`left join private.document_ages(array(select distinct g.document_id from found g)) a using (document_id)`
          : tx``
      } ${forAnswer && tables > 0 ? tablesOf(tx, tables) : tx``}
       order by f.ordinality`,
  );
  const hits = rows.map(
    ({ ordinality: _place, tables: own, sourceType, syncedAt = null, changedAt = null, ...hit }) => {
      if (own) found.set(placeOf(hit), own);
      return sourceType ? { ...hit, age: toAge({ sourceType, syncedAt, changedAt }) } : hit;
    },
  );
  return { hits, tables: found, byWordsAlone: mode !== "text" && embeddings.length < spaces.length };
}

/** With the first passage of each document. In the search's own statement, since a model's first word would wait for another. */
const tablesOf = (tx: Transaction, most: number) => tx`
  left join (
    select min(g.ordinality) as ordinality, (
             select jsonb_agg(jsonb_build_object('id', t.id, 'caption', t.caption, 'columns', t.columns, 'rowsCount', t.rows_count)
                              order by t.position)
               from (select d.* from public.document_tables d
                      where d.knowledge_id = g.knowledge_id and d.document_id = g.document_id
                      order by d.position limit ${most}) t) as tables
      from found g where g.has_tables group by g.knowledge_id, g.document_id) t using (ordinality)`;

const hasTables = (tx: Transaction) => tx`, exists (
  select from public.document_tables t
   where t.knowledge_id = s.knowledge_id and t.document_id = s.document_id) as has_tables`;

/** What is searched by words. */
function wordsOf(question: string): string {
  const words = withoutMeasure(question);
  return /[\p{L}\p{N}]/u.test(words) ? words : question;
}

async function embedInSpaces(
  models: ModelClient,
  { spaces, question, mode, signal }: Pick<RetrievalRequest, "spaces" | "question" | "mode" | "signal">,
): Promise<{ vectorId: string; embedding: string }[]> {
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

/** The same direction in whole numbers, as one text: Postgres parses both faster, and compares directions in half precision. */
function inWholeNumbers(vector: Float32Array): string {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return `[${vector.map((value) => Math.round((value / largest) * 32_768)).join()}]`;
}
