// Owns the switch: replaces a document's old chunks with the new ones in one transaction.
import type { Transaction } from "../../_shared/database/db.ts";
import { vectorLiteral } from "../embedding.ts";
import type { Cut } from "./batches.ts";
import { PutDown } from "./context.ts";
import type { Build } from "./generation.ts";
import { columnsOf } from "./passages.ts";
import { languageOf, wantedSignature } from "./scope.ts";

/** Rows per statement: the embedded database serves nobody else meanwhile, so statements stay short. */
const rowsPerStatement = 250;
/** Fewer when the passages carry their vectors. */
const passagesPerStatement = 64;

/** Requires a transaction that holds the claim and the generation, and a vector for every passage. */
export async function switchGeneration(tx: Transaction, build: Build, count: number): Promise<void> {
  const { document, knowledge, fence } = build;
  const language = languageOf(document, knowledge);
  await tx`delete from public.chunks where knowledge_id = ${knowledge.id} and document_id = ${document.id}`;
  for (let from = 0; from < count; from += rowsPerStatement) {
    await tx`
        with moved as (
          insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset,
                 end_offset, page, heading, tokens, content_hash, preface)
          select s.team_id, s.knowledge_id, ${document.sourceId}, s.document_id, s.position, s.content, s.start_offset,
                 s.end_offset, s.page, s.heading, s.tokens, s.content_hash, s.preface
            from private.staged_chunks s
           where s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id} and s.fence = ${fence}
             and s.position >= ${from} and s.position < ${from + rowsPerStatement}
          returning id, team_id, knowledge_id, position, heading, preface, content
        ), words as (
          insert into public.chunk_words (team_id, knowledge_id, chunk_id, language, words)
          select m.team_id, m.knowledge_id, m.id, ${language},
                 private.chunk_words(${language}, ${document.title}, m.heading, m.preface || E'\\n' || m.content)
            from moved m)
        insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
        select s.team_id, s.knowledge_id, s.vector_id, m.id, extensions.vector_dims(s.embedding), s.embedding
          from moved m
          join private.staged_chunks s on s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id}
               and s.fence = ${fence} and s.position = m.position`;
  }
  await tx`
      with built as (
        delete from private.builds where knowledge_id = ${knowledge.id} and document_id = ${document.id}
        -- The text's own hash stands before it.
        returning right(signature, 64) as signature
      )
      update public.document_indexes i
         set signature = built.signature, chunks_count = ${count}, error = null, indexed_at = clock_timestamp(),
             -- Text or settings were changed since it was begun: it is built once more.
             status = case when built.signature = ${wantedSignature(tx)} then 'ready' else 'queued' end
        from built, public.documents d, public.knowledges k
       where i.knowledge_id = ${knowledge.id} and i.document_id = ${document.id}
         and d.id = i.document_id and k.id = i.knowledge_id`;
}

/** An index of a short document: its passages and the generation begun for them. */
export interface CutIndex extends Cut {
  generation: number;
  signature: string;
}

/**
 * Locks documents and then the rows of their indexes, both in order, and finds the generations that are still the latest.
 * @param documents all that the transaction writes to, with an index or without
 * @returns those generations, and the ids of documents with an outdated one: none of their indexes is included
 */
export async function holdLatest(
  tx: Transaction,
  documents: string[],
  indexes: CutIndex[],
): Promise<{ current: CutIndex[]; late: Set<string> }> {
  if (indexes.length === 0) return { current: [], late: new Set() };
  const rows = await tx<
    { knowledgeId: string; documentId: string; generation: number; vectorId: string | null }[]
  >`
    with documents as materialized (
      select d.id from public.documents d where d.id = any(${documents}::uuid[])
       order by d.id for no key update)
    select i.knowledge_id, i.document_id, i.generation, k.vector_id
      from documents
      join public.document_indexes i on i.document_id = documents.id
      join public.knowledges k on k.id = i.knowledge_id
     where i.knowledge_id = any(${indexes.map(({ knowledge }) => knowledge.id)}::uuid[])
     order by i.document_id, i.knowledge_id
       for update of i for share of k`;
  const isLatest = ({ document, knowledge, generation }: CutIndex) =>
    rows.some(
      (row) =>
        row.documentId === document.id &&
        row.knowledgeId === knowledge.id &&
        row.generation === generation &&
        row.vectorId === knowledge.vectorId,
    );
  const late = new Set(indexes.filter((index) => !isLatest(index)).map(({ document }) => document.id));
  return { current: indexes.filter(({ document }) => !late.has(document.id)), late };
}

/**
 * Replaces the chunks of whole indexes. Requires a transaction that holds the claim and the generations.
 * @param vectors by hash; a passage without one had its vector in the database when the generation began
 * @throws PutDown when that vector is gone
 */
export async function switchIndexes(
  tx: Transaction,
  indexes: CutIndex[],
  vectors: Map<string, Float32Array>,
): Promise<void> {
  if (indexes.length === 0) return;
  for (const some of inStatements(indexes)) await replaceChunks(tx, some, vectors);
  await tx`
    with dropped as (
      delete from private.builds b using unnest(${idsOf(indexes).knowledges}::uuid[], ${idsOf(indexes).documents}::uuid[])
                                           as built (knowledge_id, document_id)
       where b.knowledge_id = built.knowledge_id and b.document_id = built.document_id
    )
    update public.document_indexes i
       set signature = built.signature, chunks_count = built.chunks, error = null, indexed_at = clock_timestamp(),
           -- Text or settings were changed since it was begun: it is built once more.
           status = case when built.signature = ${wantedSignature(tx)} then 'ready' else 'queued' end
      from unnest(${idsOf(indexes).knowledges}::uuid[], ${idsOf(indexes).documents}::uuid[],
                  ${indexes.map(({ signature }) => signature)}::text[],
                  ${indexes.map(({ passages }) => passages.length)}::int[])
             as built (knowledge_id, document_id, signature, chunks)
      join public.documents d on d.id = built.document_id
      join public.knowledges k on k.id = built.knowledge_id
     where i.knowledge_id = k.id and i.document_id = d.id`;
}

/** Groups indexes into statements. Indexes of one document stay together, since one may reuse another's vectors. */
function inStatements(indexes: CutIndex[]): CutIndex[][] {
  const statements: CutIndex[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const id of new Set(indexes.map(({ document }) => document.id))) {
    const ofDocument = indexes.filter(({ document }) => document.id === id);
    const size = ofDocument.reduce((sum, { passages }) => sum + passages.length, 0);
    if (rows + size > passagesPerStatement) {
      statements.push([]);
      rows = 0;
    }
    rows += size;
    statements.at(-1)?.push(...ofDocument);
  }
  return statements;
}

const idsOf = (indexes: CutIndex[]) => ({
  knowledges: indexes.map(({ knowledge }) => knowledge.id),
  documents: indexes.map(({ document }) => document.id),
});

async function replaceChunks(
  tx: Transaction,
  indexes: CutIndex[],
  vectors: Map<string, Float32Array>,
): Promise<void> {
  const { knowledges, documents } = idsOf(indexes);
  const passages = indexes.flatMap((index) => index.passages);
  /** The index of each passage, counted from 1. */
  const of = indexes.flatMap((index, i) => index.passages.map(() => i + 1));
  const c = columnsOf(passages);
  const embeddings = passages.map(({ hash }) => {
    const vector = vectors.get(hash);
    return vector ? vectorLiteral(vector) : null;
  });
  const [row] = await tx<{ missing: number }[]>`
    with built as materialized (
      select * from unnest(${knowledges}::uuid[], ${documents}::uuid[], ${indexes.map(({ document }) => document.teamId)}::uuid[],
                           ${indexes.map(({ document }) => document.sourceId)}::uuid[],
                           ${indexes.map(({ document }) => document.title)}::text[],
                           ${indexes.map(({ document, knowledge }) => languageOf(document, knowledge))}::text[],
                           ${indexes.map(({ knowledge }) => knowledge.vectorId)}::uuid[])
               with ordinality as b (knowledge_id, document_id, team_id, source_id, title, language, vector_id, index)
    ), cut as materialized (
      select * from unnest(${of}::int[], ${c.position}::int[], ${c.content}::text[], ${c.start}::int[], ${c.end}::int[],
                           ${c.page}::int[], ${c.heading}::text[], ${c.tokens}::int[], ${c.hash}::text[], ${c.preface}::text[],
                           ${embeddings}::text[])
               as c (index, position, content, start_offset, end_offset, page, heading, tokens, content_hash, preface, embedding)
    ), wanted as (
      select distinct c.content_hash from cut c where c.embedding is null
    ), known as materialized (
      select distinct on (content_hash) content_hash, embedding
        from (select c.content_hash, e.embedding
                from public.chunks c join public.chunk_embeddings e on e.chunk_id = c.id
               where c.document_id = any(${documents}::uuid[]) and e.vector_id = any(select vector_id from built)
                 and c.content_hash in (select content_hash from wanted)
              union all
              select s.content_hash, s.embedding from private.staged_chunks s
               where s.document_id = any(${documents}::uuid[]) and s.vector_id = any(select vector_id from built)
                 and s.embedding is not null and s.content_hash in (select content_hash from wanted)) every
    ), gone as (
      delete from public.chunks c using built b
       where c.knowledge_id = b.knowledge_id and c.document_id = b.document_id
      returning 1
    ), placed as (
      insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset, end_offset,
             page, heading, tokens, content_hash, preface)
      select b.team_id, b.knowledge_id, b.source_id, b.document_id, c.position, c.content, c.start_offset, c.end_offset,
             c.page, c.heading, c.tokens, c.content_hash, c.preface
        from cut c join built b on b.index = c.index
       -- Asked for, so that the old ones have left their positions by now.
       where (select count(*) from gone) >= 0
      returning id, team_id, knowledge_id, document_id, position, heading, preface, content, content_hash
    ), named as materialized (
      select p.*, b.title, b.language, b.vector_id, b.index
        from placed p join built b on b.knowledge_id = p.knowledge_id and b.document_id = p.document_id
    ), words as (
      insert into public.chunk_words (team_id, knowledge_id, chunk_id, language, words)
      select n.team_id, n.knowledge_id, n.id, n.language, private.chunk_words(n.language, n.title, n.heading, n.preface || E'\\n' || n.content) from named n
    ), embedded as (
      insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
      select v.team_id, v.knowledge_id, v.vector_id, v.id, extensions.vector_dims(v.embedding), v.embedding
        from (select n.*, coalesce(extensions.l2_normalize(c.embedding::extensions.halfvec), k.embedding) as embedding
                from named n join cut c on c.index = n.index and c.position = n.position
                left join known k on k.content_hash = n.content_hash
               -- Not on the result, which Postgres would then compute twice.
               where c.embedding is not null or k.embedding is not null
              offset 0) v
      returning 1
    )
    select ${passages.length}::int - (select count(*)::int from embedded) as missing`;
  if (row?.missing !== 0) throw new PutDown();
}
