// Builds the indexes of a long document: stages the chunks of each next to the live ones, embeds them in batches, and switches in
// one transaction. Readers see either the old chunks or the new ones.
import type { Transaction } from "../../_shared/database/db.ts";
import { countChunks } from "../../_shared/operation/metrics.ts";
import { vectorLiteral } from "../embedding.ts";
import type { Prepared } from "./batches.ts";
import { endSlice, PutDown, type StepContext } from "./context.ts";
import type { DocumentQueue, DocumentRow } from "./documents.ts";
import { type Build, holdGeneration, indexesToBuild, type KnowledgeRow } from "./generation.ts";
import type { Passage } from "./passages.ts";
import { requireNoVision } from "./pictures.ts";
import { isPartly, storePrepared } from "./read.ts";
import { lockInOrder } from "./scope.ts";
import { nextUnembedded, stageAll, type Unembedded } from "./staging.ts";
import { switchGeneration } from "./switch.ts";
import { storedTables, storeTables } from "./tables.ts";

/**
 * Stores the text of a long document if it was read now, builds its indexes and finishes it.
 * @throws PutDown, ModelError, ClaimLost, the signal's reason; stored vectors are reused by the next attempt
 */
export async function buildLong(
  context: StepContext,
  queue: DocumentQueue,
  prepared: Prepared,
): Promise<void> {
  const { claim } = context;
  const { document, read, isInOtherLanguage, cuts } = prepared;
  const isToStore = read !== undefined || isInOtherLanguage === true;
  const builds = isToStore
    ? await claim.achieve(async (tx) => {
        if (isPartly(prepared)) await requireNoVision(tx, context);
        await lockInOrder(tx, [document.id]);
        if ((await storePrepared(tx, [prepared])).length === 0) throw new PutDown();
        return (await indexesToBuild(tx, context, [document.id])).get(document.id);
      })
    : document.builds;
  for (const knowledge of builds ?? []) {
    const cut = cuts?.find((one) => one.knowledge.id === knowledge.id);
    await buildIndex(context, document, cut?.knowledge ?? knowledge, cut?.passages);
  }
  await claim.achieve(async (tx) => {
    await lockInOrder(tx, [document.id]);
    await queue.finish(tx, [document.id]);
  });
  queue.forget([document.id]);
}

async function buildIndex(
  context: StepContext,
  document: DocumentRow,
  knowledge: KnowledgeRow,
  cut: Passage[] | undefined,
): Promise<void> {
  const { claim, embedder, turn } = context;
  claim.report({ code: "indexing", params: { title: document.title } });
  const { build, total, next } = await stageAll(context, document, knowledge, cut);
  const tables = await turn.compute(() => storedTables(document));
  let batch = next;
  for (;;) {
    const texts = batch.map(({ text }) => text);
    const vectors = texts.length > 0 ? await embedder.embed(texts, claim.signal) : [];
    const reached = batch.at(-1)?.position ?? total;
    batch = await claim.achieve(async (tx) => {
      await holdGeneration(tx, build);
      if (vectors.length > 0) await storeVectors(tx, build, batch, vectors);
      // The last batch ends at the last chunk, unless reused vectors lie in between.
      const left = reached + 1 < total ? await nextUnembedded(tx, build, reached + 1) : [];
      if (left.length === 0) {
        await switchGeneration(tx, build, total);
        await storeTables(tx, [{ document, knowledge, tables }]);
      }
      return left;
    });
    if (batch.length === 0) {
      countChunks(total);
      return;
    }
    const params = { title: document.title, done: batch[0]?.position ?? 0, total };
    claim.report({ code: "embedding", params });
    endSlice(context);
  }
}

async function storeVectors(
  tx: Transaction,
  { document, knowledge, fence }: Build,
  batch: Unembedded[],
  vectors: Float32Array[],
): Promise<void> {
  await tx`
    update private.staged_chunks s set embedding = extensions.l2_normalize(v.embedding::extensions.halfvec)
      from unnest(${batch.map(({ position }) => position)}::int[], ${vectors.map(vectorLiteral)}::text[])
        as v (position, embedding)
     where s.knowledge_id = ${knowledge.id} and s.document_id = ${document.id}
       and s.fence = ${fence} and s.position = v.position
       -- Without statistics, the planner may look for the position in all staged chunks.
       and s.position >= ${batch[0]?.position ?? 0} and s.position <= ${batch.at(-1)?.position ?? 0}`;
}
