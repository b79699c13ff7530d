// Builds the indexes of several short documents in two transactions: one stores their texts and begins their generations, one
// switches their chunks. Nothing is staged in between: a worker that dies there leaves the old chunks, and texts to embed again.
import type { Transaction } from "../../_shared/database/db.ts";
import { countChunks } from "../../_shared/operation/metrics.ts";
import { batchTexts, contentHash } from "../embedding.ts";
import type { Cut, Prepared } from "./batches.ts";
import { PutDown, type StepContext } from "./context.ts";
import type { DocumentQueue } from "./documents.ts";
import { indexesToBuild, type KnowledgeRow } from "./generation.ts";
import { textOf } from "./passages.ts";
import { storeLanguages, storeTexts } from "./read.ts";
import { languageIn, languageOf, lockInOrder, wantedSignature } from "./scope.ts";
import { type CutIndex, holdLatest, switchIndexes } from "./switch.ts";
import { storeTables } from "./tables.ts";

interface Begun {
  indexes: CutIndex[];
  /** Documents that changed since they were cut. */
  changed: Set<string>;
  /** Hashes of passages whose vectors the database has, by document. */
  known: Map<string, Set<string>>;
}

/**
 * Builds the indexes of a batch and finishes its documents.
 * @throws PutDown when a document or its settings changed meanwhile, once the others are finished; ModelError, ClaimLost, the
 * signal's reason
 */
export async function buildTogether(
  context: StepContext,
  queue: DocumentQueue,
  batch: Prepared[],
): Promise<void> {
  const { claim } = context;
  const title = batch.at(-1)?.document.title ?? "";
  if (batch.some(({ cuts }) => cuts?.length)) claim.report({ code: "indexing", params: { title } });
  const { indexes, changed, known } = await begin(context, batch);
  const vectors = await embed(context, indexes, known);
  const { finished, chunks } = await claim.achieve(async (tx) => {
    const ids = batch.map(({ document }) => document.id);
    const { current, late } = await holdLatest(tx, ids, indexes);
    await switchIndexes(tx, current, vectors);
    await storeTables(tx, current);
    const finished = ids.filter((id) => !late.has(id) && !changed.has(id));
    await queue.finish(tx, finished);
    return { finished, chunks: current.reduce((sum, { passages }) => sum + passages.length, 0) };
  });
  queue.forget(finished);
  countChunks(chunks);
  if (finished.length < batch.length) throw new PutDown();
}

async function begin({ claim }: StepContext, batch: Prepared[]): Promise<Begun> {
  const read = batch.flatMap((prepared) => prepared.read ?? []);
  const ids = batch.map(({ document }) => document.id);
  const work = async (tx: Transaction): Promise<Begun> => {
    // Locks documents in order and before any index, as planning, clearing and deleting do.
    await lockInOrder(tx, ids);
    await storeTexts(tx, read);
    await storeLanguages(
      tx,
      batch.filter(({ isInOtherLanguage }) => isInOtherLanguage).map(({ document }) => document),
    );
    const builds = await indexesToBuild(tx, claim.task, ids);
    const isBuilt = ({ document, knowledge }: Cut) =>
      builds.get(document.id)?.some(({ id }) => id === knowledge.id) ?? false;
    const indexes = await beginAll(tx, batch.flatMap(({ cuts }) => cuts ?? []).filter(isBuilt));
    const isBegun = (id: string, { length }: KnowledgeRow[]) =>
      indexes.filter(({ document }) => document.id === id).length === length;
    const changed = [...builds].filter(([id, knowledges]) => !isBegun(id, knowledges));
    return { indexes, changed: new Set(changed.map(([id]) => id)), known: await findKnown(tx, indexes) };
  };
  return read.length > 0 ? await claim.achieve(work) : await claim.write(work);
}

/** Begins the next generation of every index whose document and settings have not changed since the cut. */
async function beginAll(tx: Transaction, cuts: Cut[]): Promise<CutIndex[]> {
  if (cuts.length === 0) return [];
  const knowledges = cuts.map(({ knowledge }) => knowledge);
  const documents = cuts.map(({ document }) => document);
  const rows = await tx<{ knowledgeId: string; documentId: string; generation: number; signature: string }[]>`
    update public.document_indexes i set generation = nextval('private.generations'), status = 'indexing', error = null
      from unnest(${knowledges.map(({ id }) => id)}::uuid[], ${documents.map(({ id }) => id)}::uuid[],
                  ${documents.map(({ title }) => title)}::text[],
                  ${documents.map(({ content }) => contentHash(content ?? ""))}::text[],
                  ${cuts.map(({ document, knowledge }) => languageOf(document, knowledge))}::text[],
                  ${knowledges.map(({ chunkMaxTokens }) => chunkMaxTokens)}::int[],
                  ${knowledges.map(({ chunkOverlapTokens }) => chunkOverlapTokens)}::int[])
             as cut (knowledge_id, document_id, title, hash, language, chunk_max_tokens, chunk_overlap_tokens)
      join public.documents d on d.id = cut.document_id
      join public.knowledges k on k.id = cut.knowledge_id
     where i.knowledge_id = k.id and i.document_id = d.id
       and d.title = cut.title and encode(sha256(convert_to(d.content, 'UTF8')), 'hex') = cut.hash
       and (${languageIn(tx)}, k.chunk_max_tokens, k.chunk_overlap_tokens)
         = (cut.language, cut.chunk_max_tokens, cut.chunk_overlap_tokens)
    returning i.knowledge_id, i.document_id, i.generation, ${wantedSignature(tx)} as signature`;
  return cuts.flatMap((cut) => {
    const row = rows.find(
      (one) => one.knowledgeId === cut.knowledge.id && one.documentId === cut.document.id,
    );
    return row ? { ...cut, generation: row.generation, signature: row.signature } : [];
  });
}

/** Passages that are already embedded: in a document's live chunks, or in the staged chunks of an unfinished generation. */
async function findKnown(tx: Transaction, indexes: CutIndex[]): Promise<Begun["known"]> {
  const [index] = indexes;
  if (!index) return new Map();
  const ids = indexes.map(({ document }) => document.id);
  const rows = await tx<{ documentId: string; hash: string }[]>`
    select c.document_id, c.content_hash as hash
      from public.chunks c join public.chunk_embeddings e on e.chunk_id = c.id
     where c.document_id = any(${ids}::uuid[]) and e.vector_id = ${index.knowledge.vectorId}
    union
    select s.document_id, s.content_hash from private.staged_chunks s
     where s.document_id = any(${ids}::uuid[]) and s.vector_id = ${index.knowledge.vectorId} and s.embedding is not null`;
  const known = new Map<string, Set<string>>();
  for (const { documentId, hash } of rows)
    known.set(documentId, (known.get(documentId) ?? new Set()).add(hash));
  return known;
}

/** @returns the new vectors of passages without one, by hash; a text that occurs twice is embedded once */
async function embed(
  { claim, embedder }: StepContext,
  indexes: CutIndex[],
  known: Begun["known"],
): Promise<Map<string, Float32Array>> {
  const texts = new Map<string, string>();
  for (const { document, passages } of indexes)
    for (const passage of passages)
      if (!known.get(document.id)?.has(passage.hash)) texts.set(passage.hash, textOf(passage));
  const wanted = [...texts];
  const vectors = new Map<string, Float32Array>();
  for (let from = 0; from < wanted.length; from += batchTexts) {
    const some = wanted.slice(from, from + batchTexts);
    const answer = await embedder.embed(
      some.map(([, text]) => text),
      claim.signal,
    );
    some.forEach(([hash], i) => {
      const vector = answer[i];
      if (vector) vectors.set(hash, vector);
    });
  }
  return vectors;
}
