// Stages the chunks of an index build, at once or over several calls. Continues what an earlier attempt staged for the same
// content; reuses the vectors of other content.
import type { Transaction } from "../../_shared/database/db.ts";
import { batchTexts, contentHash } from "../embedding.ts";
import { endSlice, PutDown, requireRoom, type StepContext } from "./context.ts";
import type { DocumentRow } from "./documents.ts";
import { type Build, holdGeneration, type KnowledgeRow } from "./generation.ts";
import { columnsOf, type Passage, passagesOf, textOf } from "./passages.ts";
import { languageIn, languageOf, wantedSignature } from "./scope.ts";

/** A staged chunk without a vector. */
export interface Unembedded {
  position: number;
  text: string;
}

export interface Staged {
  build: Build;
  /** The number of chunks. */
  total: number;
  /** The first chunks without a vector. */
  next: Unembedded[];
}

interface Begun {
  build: Build;
  /** Null until all chunks are staged. */
  total: number | null;
  /** True when this index has no chunks yet, neither live nor staged. */
  isNew: boolean;
}

/** Few: counting words takes the embedded Postgres 0.8 ms a chunk, and it serves nobody else meanwhile. */
const rowsPerInsert = 32;

/**
 * Begins a generation, in one transaction if its chunks are few.
 * @param cut the passages of a short text; a long one may have been cut and staged by an earlier call
 * @throws PutDown, ClaimLost; the signal's reason
 */
export async function stageAll(
  context: StepContext,
  document: DocumentRow,
  knowledge: KnowledgeRow,
  cut: Passage[] | undefined,
): Promise<Staged> {
  const { claim } = context;
  const first = await claim.write(async (tx) => {
    const begun = await begin(tx, document, knowledge);
    if (begun.total !== null) return { ...begun, next: await nextUnembedded(tx, begun.build) };
    if (!cut || cut.length > rowsPerInsert) return begun;
    await stage(tx, begun, cut, cut.length);
    if (begun.isNew)
      return { ...begun, total: cut.length, next: cut.slice(0, batchTexts).map(withoutEmbedding) };
    await sweep(tx, begun.build);
    return { ...begun, total: cut.length, next: await nextUnembedded(tx, begun.build) };
  });
  if ("next" in first && first.total !== null)
    return { build: first.build, total: first.total, next: first.next };
  return await stageBySlices(context, first, cut);
}

/** Continues after the last staged chunk. The call may end after every few hundred rows. */
async function stageBySlices(
  context: StepContext,
  begun: Begun,
  cut: Passage[] | undefined,
): Promise<Staged> {
  const { claim, turn } = context;
  const { build } = begun;
  if (!cut) requireRoom(context);
  const passages = cut ?? (await turn.compute(() => passagesOf(build.document, build.knowledge)));
  let at = await claim.read((tx) => countStaged(tx, build));
  while (at < passages.length) {
    const some = passages.slice(at, at + rowsPerInsert);
    await claim.achieve(async (tx) => {
      await holdGeneration(tx, build);
      await stage(tx, begun, some);
    });
    at += some.length;
    endSlice(context);
  }
  const next = await claim.achieve(async (tx) => {
    await holdGeneration(tx, build);
    await sweep(tx, build);
    await tx`update private.builds set total = ${passages.length} where ${ofBuild(tx, build)}`;
    return await nextUnembedded(tx, build);
  });
  return { build, total: passages.length, next };
}

const withoutEmbedding = (passage: Pick<Passage, "position" | "context" | "content">) => ({
  position: passage.position,
  text: textOf(passage),
});

/** Begins the next generation, which inherits what was staged for the same content. */
async function begin(tx: Transaction, document: DocumentRow, knowledge: KnowledgeRow): Promise<Begun> {
  const hash = contentHash(document.content ?? "");
  const [row] = await tx<{ generation: number; fence: number; total: number | null; isNew: boolean }[]>`
    with document as materialized (
      select d.* from public.documents d where d.id = ${document.id} for key share
    ), begun as (
      update public.document_indexes i set generation = nextval('private.generations'), status = 'indexing', error = null
        from document d, public.knowledges k
       where i.knowledge_id = ${knowledge.id} and i.document_id = d.id and k.id = i.knowledge_id
         and d.title = ${document.title} and encode(sha256(convert_to(d.content, 'UTF8')), 'hex') = ${hash}
         and (${languageIn(tx)}, k.chunk_max_tokens, k.chunk_overlap_tokens)
           = (${languageOf(document, knowledge)}, ${knowledge.chunkMaxTokens}::int, ${knowledge.chunkOverlapTokens}::int)
      returning i.team_id, i.knowledge_id, i.document_id, i.generation,
                ${hash} || ${wantedSignature(tx)} as wanted
    ), build as (
      insert into private.builds as b (team_id, knowledge_id, document_id, signature, vector_id, fence)
      select team_id, knowledge_id, document_id, wanted, ${knowledge.vectorId}, generation from begun
      on conflict (knowledge_id, document_id) do update
         set fence = case when (b.signature, b.vector_id) = (excluded.signature, excluded.vector_id)
                          then b.fence else excluded.fence end,
             total = case when (b.signature, b.vector_id) = (excluded.signature, excluded.vector_id) then b.total end,
             signature = excluded.signature, vector_id = excluded.vector_id
      returning b.fence, b.total
    )
    select begun.generation, build.fence, build.total,
           not exists (select 1 from public.chunks c where c.document_id = ${document.id})
             and not exists (select 1 from private.staged_chunks s where s.document_id = ${document.id}) as is_new
      from begun, build`;
  // The document, the knowledge base or their link was deleted, or the document changed and is read again.
  if (!row) throw new PutDown();
  const { generation, fence, total, isNew } = row;
  return { build: { document, knowledge, generation, fence }, total, isNew };
}

/** Condition on rows with a knowledge base's and a document's id. */
const ofBuild = (tx: Transaction, { document, knowledge }: Build) =>
  tx`knowledge_id = ${knowledge.id} and document_id = ${document.id}`;

async function countStaged(tx: Transaction, build: Build): Promise<number> {
  const [row] = await tx<{ staged: number }[]>`
    select count(*)::int as staged from private.staged_chunks where ${ofBuild(tx, build)} and fence = ${build.fence}`;
  return row?.staged ?? 0;
}

/**
 * Stages passages with their words, and with the vectors of those that are already embedded: in the document's live chunks, or in the staged
 * chunks of an earlier, unfinished generation.
 * @param total set with the last chunks only
 */
async function stage(
  tx: Transaction,
  { build, isNew }: Begun,
  passages: Passage[],
  total?: number,
): Promise<void> {
  const { document, knowledge, fence } = build;
  const c = columnsOf(passages);
  const known = isNew
    ? tx`select null::text as content_hash, null::extensions.halfvec as embedding where false`
    : tx`select distinct on (content_hash) content_hash, embedding
           from (select c.content_hash, e.embedding
                   from public.chunks c join public.chunk_embeddings e on e.chunk_id = c.id
                  where c.document_id = ${document.id} and e.vector_id = ${knowledge.vectorId}
                    and c.content_hash = any(${c.hash}::text[])
                 union all
                 select o.content_hash, o.embedding from private.staged_chunks o
                  where o.document_id = ${document.id} and o.vector_id = ${knowledge.vectorId}
                    and o.embedding is not null and o.content_hash = any(${c.hash}::text[])) as every`;
  const complete = tx`complete as (update private.builds set total = ${total ?? null} where ${ofBuild(tx, build)})`;
  await tx`
    with known as materialized (${known})
    ${total === undefined ? tx`` : tx`, ${complete}`}
    insert into private.staged_chunks (knowledge_id, document_id, fence, position, team_id, vector_id, context, content,
           start_offset, end_offset, page, heading, tokens, content_hash, preface, words, embedding)
    select ${knowledge.id}, ${document.id}, ${fence}, p.position, ${document.teamId}, ${knowledge.vectorId},
           p.context, p.content, p.start_offset, p.end_offset, p.page, p.heading, p.tokens, p.hash, p.preface,
           private.chunk_words(${languageOf(document, knowledge)}, ${document.title}, p.heading,
                               p.preface || E'\\n' || p.content),
           known.embedding
      from unnest(${c.position}::int[], ${c.context}::text[], ${c.content}::text[], ${c.start}::int[], ${c.end}::int[],
                  ${c.page}::int[], ${c.heading}::text[], ${c.tokens}::int[], ${c.hash}::text[],
                  ${c.preface}::text[])
        as p (position, context, content, start_offset, end_offset, page, heading, tokens, hash, preface)
      left join known on known.content_hash = p.hash`;
}

/** Deletes the staged chunks of earlier generations, once their vectors are reused. */
const sweep = (tx: Transaction, build: Build) =>
  tx`delete from private.staged_chunks where ${ofBuild(tx, build)} and fence <> ${build.fence}`;

/** The next batch of staged chunks without a vector. @param from a position before which every chunk has a vector */
export async function nextUnembedded(tx: Transaction, build: Build, from = 0): Promise<Unembedded[]> {
  const rows = await tx<{ position: number; context: string; content: string }[]>`
    select position, context, content from private.staged_chunks
     where ${ofBuild(tx, build)} and fence = ${build.fence} and position >= ${from} and embedding is null
     order by position limit ${batchTexts}`;
  return rows.map(withoutEmbedding);
}
