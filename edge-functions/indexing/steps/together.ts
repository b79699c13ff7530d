// Builds the indexes of several short documents in one transaction, once their passages are embedded: it stores the texts, switches the
// chunks and finishes the documents. Nothing is stored before: a worker that dies leaves the old chunks, and texts to read and embed again.
import type { Transaction } from "../../_shared/database/db.ts";
import { countChunks } from "../../_shared/operation/metrics.ts";
import { batchTexts } from "../embedding.ts";
import type { Cut, Prepared } from "./batches.ts";
import { PutDown, type StepContext } from "./context.ts";
import type { DocumentQueue } from "./documents.ts";
import { columnsOf, type Passage, textOf } from "./passages.ts";
import { requireNoVision } from "./pictures.ts";
import { isPartly, storePrepared } from "./read.ts";
import { languageOf, lockInOrder } from "./scope.ts";
import { holdIndexes, switchIndexes } from "./switch.ts";
import { storeTables } from "./tables.ts";

const wordsAtOnce = 24;

/** Hashes of passages whose vectors the database has, by document. */
type Known = Map<string, Set<string>>;

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
  const ids = batch.map(({ document }) => document.id);
  const vectors = await embedOrKeep(context, batch);
  const words = await countWords(context, batch);
  const { finished, chunks } = await claim.achieve(async (tx) => {
    if (batch.some(isPartly)) await requireNoVision(tx, context);
    // Locks documents in order and before any index, as planning, clearing and deleting do.
    await lockInOrder(tx, ids);
    const held = await storePrepared(tx, batch);
    const { indexes, late } = await holdIndexes(tx, claim.task, held);
    await switchIndexes(tx, indexes, vectors, words);
    await storeTables(tx, indexes);
    const finished = held.map(({ document }) => document.id).filter((id) => !late.has(id));
    await queue.finish(tx, finished);
    return { finished, chunks: indexes.reduce((sum, { passages }) => sum + passages.length, 0) };
  });
  queue.forget(finished);
  countChunks(chunks);
  if (finished.length < batch.length) throw new PutDown();
}

/**
 * Counts the words of a batch's passages, a few at a time and before its transaction: they take most of the embedded Postgres's time, and it
 * serves others in between.
 */
async function countWords({ claim }: StepContext, batch: Prepared[]): Promise<Map<Passage, string>> {
  const cut = batch
    .flatMap(({ cuts }) => cuts ?? [])
    .flatMap(({ document, knowledge, passages }) =>
      passages.map((passage) => ({
        passage,
        title: document.title,
        language: languageOf(document, knowledge),
      })),
    );
  const words = new Map<Passage, string>();
  for (let from = 0; from < cut.length; from += wordsAtOnce) {
    const some = cut.slice(from, from + wordsAtOnce);
    const c = columnsOf(some.map(({ passage }) => passage));
    const rows = await claim.read(
      (tx) => tx<{ words: string }[]>`
        select private.chunk_words(p.language, p.title, p.heading, p.preface || E'\\n' || p.content)::text as words
          from unnest(${some.map(({ language }) => language)}::text[], ${some.map(({ title }) => title)}::text[],
                      ${c.heading}::text[], ${c.preface}::text[], ${c.content}::text[])
                 with ordinality as p (language, title, heading, preface, content, place)
         order by p.place`,
    );
    some.forEach(({ passage }, i) => {
      words.set(passage, rows[i]?.words ?? "");
    });
  }
  return words;
}

/** Embeds the passages of a batch. If that fails, its texts are stored, so that they are not read from their sources again. */
async function embedOrKeep(context: StepContext, batch: Prepared[]): Promise<Map<string, Float32Array>> {
  const { claim } = context;
  const cuts = batch.flatMap((prepared) => prepared.cuts ?? []);
  if (cuts.length === 0) return new Map();
  claim.report({ code: "indexing", params: { title: batch.at(-1)?.document.title ?? "" } });
  try {
    const reused = cuts.filter(({ document }) => !document.isNew);
    const known = reused.length > 0 ? await claim.read((tx) => findKnown(tx, reused)) : new Map();
    return await embed(context, cuts, known);
  } catch (error) {
    const read = batch.filter((prepared) => prepared.read);
    if (read.length > 0)
      await claim.achieve(async (tx) => {
        if (read.some(isPartly)) await requireNoVision(tx, context);
        await lockInOrder(
          tx,
          read.map(({ document }) => document.id),
        );
        await storePrepared(tx, read);
      });
    // Each is built alone after this, from the text that is stored.
    for (const prepared of read) prepared.read = undefined;
    throw error;
  }
}

/** Passages that are already embedded: in a document's live chunks, or in the staged chunks of an unfinished generation. */
async function findKnown(tx: Transaction, cuts: Cut[]): Promise<Known> {
  const ids = cuts.map(({ document }) => document.id);
  const vectorId = cuts[0]?.knowledge.vectorId ?? null;
  const rows = await tx<{ documentId: string; hash: string }[]>`
    select c.document_id, c.content_hash as hash
      from public.chunks c join public.chunk_embeddings e on e.chunk_id = c.id
     where c.document_id = any(${ids}::uuid[]) and e.vector_id = ${vectorId}
    union
    select s.document_id, s.content_hash from private.staged_chunks s
     where s.document_id = any(${ids}::uuid[]) and s.vector_id = ${vectorId} and s.embedding is not null`;
  const known: Known = new Map();
  for (const { documentId, hash } of rows)
    known.set(documentId, (known.get(documentId) ?? new Set()).add(hash));
  return known;
}

/** @returns the new vectors of passages without one, by hash; a text that occurs twice is embedded once */
async function embed(
  { claim, embedder }: StepContext,
  cuts: Cut[],
  known: Known,
): Promise<Map<string, Float32Array>> {
  const texts = new Map<string, string>();
  for (const { document, passages } of cuts)
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
