// Owns the switch: replaces a document's old chunks with the new ones in one transaction.
import type { Transaction } from "../../_shared/database/db.ts";
import { newChunkIds } from "../chunk-ids.ts";
import { contentHash } from "../embedding.ts";
import type { TaskScope } from "../queue.ts";
import type { Cut, Prepared } from "./batches.ts";
import { PutDown } from "./context.ts";
import { copyVectors } from "./copy-vectors.ts";
import type { Build } from "./generation.ts";
import { columnsOf, type Passage } from "./passages.ts";
import { buildsIndexes, knowledgeInScope, languageIn, languageOf, unread, wantedSignature } from "./scope.ts";

/** Rows per statement: the embedded database serves nobody else meanwhile, so statements stay short. */
const rowsPerStatement = 250;

/** Requires a transaction that holds the claim and the generation, and a vector for every passage. */
export async function switchGeneration(tx: Transaction, build: Build, count: number): Promise<void> {
  const { document, knowledge, fence } = build;
  const language = languageOf(document, knowledge);
  await tx`delete from public.chunks where knowledge_id = ${knowledge.id} and document_id = ${document.id}`;
  for (let from = 0; from < count; from += rowsPerStatement) {
    await tx`
        with moved as materialized (
          select private.uuid_v7() as id, s.*
            from private.staged_chunks s
           where s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id} and s.fence = ${fence}
             and s.position >= ${from} and s.position < ${from + rowsPerStatement}
        ), placed as (
          insert into public.chunks (id, team_id, knowledge_id, source_id, document_id, position, content, start_offset,
                 end_offset, page, heading, tokens, content_hash, preface)
          select id, team_id, knowledge_id, ${document.sourceId}, document_id, position, content, start_offset,
                 end_offset, page, heading, tokens, content_hash, preface
            from moved
        ), words as (
          insert into public.chunk_words (team_id, knowledge_id, chunk_id, language, words)
          select team_id, knowledge_id, id, ${language},
                 coalesce(words, private.chunk_words(${language}, ${document.title}, heading, preface || E'\\n' || content))
            from moved)
        insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
        select team_id, knowledge_id, vector_id, id, extensions.vector_dims(embedding), embedding from moved`;
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

/** An index of a short document: its passages and the signature of what they are cut from. */
export interface CutIndex extends Cut {
  signature: string;
}

/**
 * Locks the rows of a batch's indexes in order and finds those to build now. Requires the locks of their documents, whose new texts are
 * stored.
 * @returns the indexes, and the ids of documents whose cuts are outdated or missing: none of their indexes is included
 */
export async function holdIndexes(
  tx: Transaction,
  task: TaskScope,
  batch: Prepared[],
): Promise<{ indexes: CutIndex[]; late: Set<string> }> {
  if (!buildsIndexes(task) || batch.length === 0) return { indexes: [], late: new Set() };
  /** Null for a text stored just now, by this transaction. */
  const hashes = batch.map(({ read, document }) => (read ? null : contentHash(document.content ?? "")));
  const rows = await tx<OpenIndex[]>`
    select i.document_id, i.knowledge_id, ${wantedSignature(tx)} as signature, k.vector_id, ${languageIn(tx)} as language,
           k.chunk_max_tokens, k.chunk_overlap_tokens, not ${unread(tx)} and i.signature = ${wantedSignature(tx)} as is_current,
           d.title = prepared.title and (prepared.hash is null
             or encode(sha256(convert_to(d.content, 'UTF8')), 'hex') = prepared.hash) as is_unchanged
      from unnest(${batch.map(({ document }) => document.id)}::uuid[], ${batch.map(({ document }) => document.title)}::text[],
                  ${hashes}::text[]) as prepared (document_id, title, hash)
      join public.documents d on d.id = prepared.document_id
      join public.document_indexes i on i.document_id = d.id
      join public.knowledges k on k.id = i.knowledge_id
     where i.status in ('queued', 'indexing') and k.vector_id is not null
       and ${knowledgeInScope(tx, task, tx`i.knowledge_id`)}
     order by i.document_id, i.knowledge_id
       for update of i for share of k`;
  await markCurrent(tx, rows);
  const cuts = batch.flatMap((prepared) => prepared.cuts ?? []);
  const indexes: CutIndex[] = [];
  const late = new Set<string>();
  for (const row of rows.filter(({ isCurrent }) => !isCurrent)) {
    const cut = row.isUnchanged && cuts.find((one) => isOf(one, row));
    if (cut) indexes.push({ ...cut, signature: row.signature });
    else late.add(row.documentId);
  }
  return { indexes: indexes.filter(({ document }) => !late.has(document.id)), late };
}

interface OpenIndex {
  documentId: string;
  knowledgeId: string;
  /** Of what the index is to be built from. */
  signature: string;
  vectorId: string;
  language: string;
  chunkMaxTokens: number;
  chunkOverlapTokens: number;
  /** True when it is already built from that: a worker died just after its switch, or the text was read again and is the same. */
  isCurrent: boolean;
  /** False when the document was changed since it was cut. */
  isUnchanged: boolean;
}

const isOf = ({ document, knowledge }: Cut, row: OpenIndex): boolean =>
  document.id === row.documentId &&
  knowledge.id === row.knowledgeId &&
  knowledge.vectorId === row.vectorId &&
  languageOf(document, knowledge) === row.language &&
  knowledge.chunkMaxTokens === row.chunkMaxTokens &&
  knowledge.chunkOverlapTokens === row.chunkOverlapTokens;

async function markCurrent(tx: Transaction, rows: OpenIndex[]): Promise<void> {
  const current = rows.filter(({ isCurrent }) => isCurrent);
  if (current.length === 0) return;
  await tx`
    update public.document_indexes i set status = 'ready'
      from unnest(${current.map(({ knowledgeId }) => knowledgeId)}::uuid[],
                  ${current.map(({ documentId }) => documentId)}::uuid[]) as c (knowledge_id, document_id)
     where i.knowledge_id = c.knowledge_id and i.document_id = c.document_id`;
}

/**
 * Replaces the chunks of whole indexes. Requires a transaction that holds the claim and the indexes.
 * @param vectors by hash; a passage without one had its vector in the database when the batch was embedded
 * @param words of every passage
 * @throws PutDown when that vector is gone
 */
export async function switchIndexes(
  tx: Transaction,
  indexes: CutIndex[],
  vectors: Map<string, Float32Array>,
  words: Map<Passage, string>,
): Promise<void> {
  if (indexes.length === 0) return;
  await replaceChunks(tx, indexes, vectors, words);
  const { knowledges, documents } = idsOf(indexes);
  await tx`
    with dropped as (
      delete from private.builds b using unnest(${knowledges}::uuid[], ${documents}::uuid[]) as built (knowledge_id, document_id)
       where b.knowledge_id = built.knowledge_id and b.document_id = built.document_id
    )
    update public.document_indexes i
       -- A new generation: whoever still builds an earlier one may not switch any more.
       set generation = nextval('private.generations'), signature = built.signature, chunks_count = built.chunks, error = null,
           indexed_at = clock_timestamp(), status = 'ready'
      from unnest(${knowledges}::uuid[], ${documents}::uuid[], ${indexes.map(({ signature }) => signature)}::text[],
                  ${indexes.map(({ passages }) => passages.length)}::int[])
             as built (knowledge_id, document_id, signature, chunks)
     where i.knowledge_id = built.knowledge_id and i.document_id = built.document_id`;
}

const idsOf = (indexes: CutIndex[]) => ({
  knowledges: indexes.map(({ knowledge }) => knowledge.id),
  documents: indexes.map(({ document }) => document.id),
});

async function replaceChunks(
  tx: Transaction,
  indexes: CutIndex[],
  vectors: Map<string, Float32Array>,
  words: Map<Passage, string>,
): Promise<void> {
  const { knowledges, documents } = idsOf(indexes);
  const passages = indexes.flatMap((index) => index.passages);
  /** The index of each passage, counted from 1. */
  const of = indexes.flatMap((index, i) => index.passages.map(() => i + 1));
  const ids = newChunkIds(passages.length);
  const c = columnsOf(passages);
  const wanted = passages.map(({ hash }) => hash).filter((hash) => !vectors.has(hash));
  const [row] = await tx<{ reused: number }[]>`
    with built as materialized (
      select * from unnest(${knowledges}::uuid[], ${documents}::uuid[], ${indexes.map(({ document }) => document.teamId)}::uuid[],
                           ${indexes.map(({ document }) => document.sourceId)}::uuid[],
                           ${indexes.map(({ document, knowledge }) => languageOf(document, knowledge))}::text[],
                           ${indexes.map(({ knowledge }) => knowledge.vectorId)}::uuid[])
               with ordinality as b (knowledge_id, document_id, team_id, source_id, language, vector_id, index)
    ), cut as materialized (
      select c.*, b.*
        from unnest(${of}::int[], ${ids}::uuid[], ${c.position}::int[], ${c.content}::text[], ${c.start}::int[], ${c.end}::int[],
                    ${c.page}::int[], ${c.heading}::text[], ${c.tokens}::int[], ${c.hash}::text[], ${c.preface}::text[],
                    ${passages.map((passage) => words.get(passage) ?? null)}::text[])
               as c (of, id, position, content, start_offset, end_offset, page, heading, tokens, content_hash, preface, words)
        join built b on b.index = c.of
    ), known as materialized (
      select distinct on (content_hash) content_hash, embedding
        from (select c.content_hash, e.embedding
                from public.chunks c join public.chunk_embeddings e on e.chunk_id = c.id
               where c.document_id = any(${documents}::uuid[]) and e.vector_id = any(select vector_id from built)
                 and c.content_hash = any(${wanted}::text[])
              union all
              select s.content_hash, s.embedding from private.staged_chunks s
               where s.document_id = any(${documents}::uuid[]) and s.vector_id = any(select vector_id from built)
                 and s.embedding is not null and s.content_hash = any(${wanted}::text[])) every
    ), gone as (
      delete from public.chunks c using built b
       where c.knowledge_id = b.knowledge_id and c.document_id = b.document_id
      returning 1
    ), placed as (
      insert into public.chunks (id, team_id, knowledge_id, source_id, document_id, position, content, start_offset, end_offset,
             page, heading, tokens, content_hash, preface)
      select c.id, c.team_id, c.knowledge_id, c.source_id, c.document_id, c.position, c.content, c.start_offset, c.end_offset,
             c.page, c.heading, c.tokens, c.content_hash, c.preface
        from cut c
       -- Asked for, so that the old ones have left their positions by now.
       where (select count(*) from gone) >= 0
    ), words as (
      insert into public.chunk_words (team_id, knowledge_id, chunk_id, language, words)
      select c.team_id, c.knowledge_id, c.id, c.language, c.words::extensions.sparsevec from cut c
    ), reused as (
      insert into public.chunk_embeddings (team_id, knowledge_id, vector_id, chunk_id, dimensions, embedding)
      select c.team_id, c.knowledge_id, c.vector_id, c.id, extensions.vector_dims(k.embedding), k.embedding
        from cut c join known k on k.content_hash = c.content_hash
      returning 1
    )
    select count(*)::int as reused from reused`;
  const embedded = indexes
    .flatMap(({ document: { teamId }, knowledge: { id: knowledgeId, vectorId }, passages }) =>
      passages.map(({ hash }) => ({ teamId, knowledgeId, vectorId, vector: vectors.get(hash) })),
    )
    .flatMap(({ vector, ...chunk }, i) => (vector ? { ...chunk, chunkId: ids[i] ?? "", vector } : []));
  if (embedded.length + (row?.reused ?? 0) < passages.length) throw new PutDown();
  await copyVectors(tx, embedded);
}
