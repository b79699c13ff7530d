// Builds one document's index in one knowledge: stages its chunks beside the live ones, embeds them batch by batch, and
// switches them in one transaction. Readers see the old chunks or the new ones, never both and never half.
import type { Transaction } from "../../_shared/db.ts";
import { type Chunk, chunkText, embeddingText } from "../chunking.ts";
import { batchTexts, contentHash, vectorLiteral } from "../embedding.ts";
import type { StructureSpan } from "../parsers/document.ts";
import { markdownStructure } from "../parsers/markdown-structure.ts";
import { endSlice, PutDown, type StepContext } from "./context.ts";
import type { DocumentRow } from "./documents.ts";
import { type Build, holdGeneration, type KnowledgeRow } from "./generation.ts";
import { switchGeneration } from "./switch.ts";

interface Passage extends Chunk {
  toEmbed: string;
  hash: string;
}

const rowsPerInsert = 500;

/** @throws PutDown, ModelError, ClaimLost, the signal's reason; whatever was embedded by then is kept for the next try */
export async function buildIndex(
  context: StepContext,
  document: DocumentRow,
  knowledge: KnowledgeRow,
): Promise<void> {
  const { claim, turn } = context;
  claim.report({ code: "indexing", params: { title: document.title } });
  const passages = await turn.compute(() => passagesOf(document, knowledge));
  const { build, missing } = await stageAll(context, document, knowledge, passages);
  while (missing.length > 0) {
    const vectors = await embed(context, passages, missing.splice(0, batchTexts));
    const isLast = missing.length === 0;
    await claim.achieve(async (tx) => {
      await holdGeneration(tx, build);
      await storeVectors(tx, build, vectors);
      if (isLast) await switchGeneration(tx, build, passages.length);
    });
    if (isLast) return;
    const done = passages.length - missing.length;
    claim.report({ code: "embedding", params: { title: document.title, done, total: passages.length } });
    endSlice(context);
  }
  await claim.achieve(async (tx) => {
    await holdGeneration(tx, build);
    await switchGeneration(tx, build, passages.length);
  });
}

function passagesOf(document: DocumentRow, knowledge: KnowledgeRow): Passage[] {
  const text = document.content ?? "";
  const structure = structureOf(document, text);
  const title = [document.title, document.structure?.title ?? ""].filter(Boolean).join(" · ");
  const options = { maxTokens: knowledge.chunkMaxTokens, overlapTokens: knowledge.chunkOverlapTokens };
  return chunkText({ text, structure }, options).map((chunk) => {
    const toEmbed = embeddingText(title, chunk);
    return { ...chunk, toEmbed, hash: contentHash(toEmbed) };
  });
}

/** The parser's map, unless the text has been edited since. */
function structureOf({ structure }: DocumentRow, text: string): StructureSpan[] {
  return structure?.textHash === contentHash(text) ? structure.spans : markdownStructure(text);
}

/** Begins a generation with all its passages, in one transaction where they are few. */
async function stageAll(
  { claim }: StepContext,
  document: DocumentRow,
  knowledge: KnowledgeRow,
  passages: Passage[],
): Promise<{ build: Build; missing: number[] }> {
  const first = passages.slice(0, rowsPerInsert);
  const rest = passages.slice(rowsPerInsert);
  const begun = await claim.write(async (tx) => {
    const build = { document, knowledge, generation: await begin(tx, document, knowledge) };
    await stage(tx, build, first);
    return { build, missing: rest.length === 0 ? await reuse(tx, build) : [] };
  });
  if (rest.length === 0) return begun;
  const { build } = begun;
  for (let at = 0; at < rest.length; at += rowsPerInsert) {
    await claim.write(async (tx) => {
      await holdGeneration(tx, build);
      await stage(tx, build, rest.slice(at, at + rowsPerInsert));
    });
  }
  const missing = await claim.write(async (tx) => {
    await holdGeneration(tx, build);
    return await reuse(tx, build);
  });
  return { build, missing };
}

async function begin(tx: Transaction, document: DocumentRow, knowledge: KnowledgeRow): Promise<number> {
  const [row] = await tx<{ generation: number }[]>`
    update public.document_indexes set generation = generation + 1, status = 'indexing', error = null
     where knowledge_id = ${knowledge.id} and document_id = ${document.id}
    returning generation`;
  // Deleted meanwhile, with the document, the knowledge or the link between them: nothing is left to build.
  if (!row) throw new PutDown();
  return row.generation;
}

async function stage(tx: Transaction, build: Build, passages: Passage[]): Promise<void> {
  const { document, knowledge, generation } = build;
  await tx`
    insert into private.staged_chunks (knowledge_id, document_id, fence, position, team_id, vector_id, content,
           start_offset, end_offset, page, heading, tokens, content_hash)
    select ${knowledge.id}, ${document.id}, ${generation}, p.position, ${document.teamId}, ${knowledge.vectorId},
           p.content, p.start_offset, p.end_offset, p.page, p.heading, p.tokens, p.hash
      from unnest(${passages.map((p) => p.position)}::int[], ${passages.map((p) => p.content)}::text[],
                  ${passages.map((p) => p.start)}::int[], ${passages.map((p) => p.end)}::int[],
                  ${passages.map((p) => p.page ?? null)}::int[],
                  ${passages.map((p) => p.headings.join(" › "))}::text[],
                  ${passages.map((p) => p.tokens)}::int[], ${passages.map((p) => p.hash)}::text[])
        as p (position, content, start_offset, end_offset, page, heading, tokens, hash)`;
}

/**
 * Takes over the vectors of passages that are embedded already: in the document's live chunks, or in what an earlier,
 * unfinished generation staged. That one's rows go away. Returns the positions still without a vector.
 */
async function reuse(tx: Transaction, { document, knowledge, generation }: Build): Promise<number[]> {
  await tx`
    update private.staged_chunks s set embedding = known.embedding
      from (select distinct on (content_hash) content_hash, embedding
              from (select c.content_hash, e.embedding
                      from public.chunks c join public.chunk_embeddings e on e.chunk_id = c.id
                     where c.document_id = ${document.id} and e.vector_id = ${knowledge.vectorId}
                    union all
                    select o.content_hash, o.embedding from private.staged_chunks o
                     where o.document_id = ${document.id} and o.vector_id = ${knowledge.vectorId}
                       and o.embedding is not null) as every) as known
     where s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id} and s.fence = ${generation}
       and s.embedding is null and known.content_hash = s.content_hash`;
  await tx`delete from private.staged_chunks
            where knowledge_id = ${knowledge.id} and document_id = ${document.id} and fence <> ${generation}`;
  const rows = await tx<{ position: number }[]>`
    select position from private.staged_chunks
     where knowledge_id = ${knowledge.id} and document_id = ${document.id} and fence = ${generation}
       and embedding is null order by position`;
  return rows.map(({ position }) => position);
}

interface Vectors {
  positions: number[];
  vectors: Float32Array[];
}

async function embed(
  { claim, embedder }: StepContext,
  passages: Passage[],
  positions: number[],
): Promise<Vectors> {
  const texts = positions.map((position) => passages[position]?.toEmbed ?? "");
  return { positions, vectors: await embedder.embed(texts, claim.signal) };
}

async function storeVectors(tx: Transaction, build: Build, { positions, vectors }: Vectors): Promise<void> {
  await tx`
    update private.staged_chunks s set embedding = v.embedding::extensions.halfvec
      from unnest(${positions}::int[], ${vectors.map(vectorLiteral)}::text[]) as v (position, embedding)
     where s.knowledge_id = ${build.knowledge.id} and s.document_id = ${build.document.id}
       and s.fence = ${build.generation} and s.position = v.position`;
}
