// Owns the run of one claimed task: dispatches it by type and maps every failure to a retry, a failed document or a failed
// task.
import type { Transaction } from "../_shared/database/db.ts";
import { ModelError } from "../_shared/models/model-errors.ts";
import { log } from "../_shared/operation/log.ts";
import { countDocuments } from "../_shared/operation/metrics.ts";
import { waitMs } from "../_shared/outbound/retry.ts";
import { ClaimLost, Interrupted } from "../_shared/queues/lease.ts";
import { ApiError, fromPostgres, isDiskFull } from "../_shared/requests/errors.ts";
import { sentenceOf } from "../_shared/text/sentences.ts";
import { ImportRefused } from "../importing/refusal.ts";
import { SourceRefused, SourceUnavailable, StorageUnavailable } from "./connectors/connector.ts";
import { isRefusal } from "./embedding.ts";
import { ParseError, quoteName } from "./parsers/document.ts";
import { type Task, taskBackOff } from "./queue.ts";
import { Batches, isLong, type Prepared } from "./steps/batches.ts";
import { buildLong } from "./steps/build.ts";
import { endSlice, PutDown, type StepContext } from "./steps/context.ts";
import { DocumentGone, DocumentProblem } from "./steps/document-problem.ts";
import { DocumentQueue, type DocumentRow } from "./steps/documents.ts";
import { endFailed, endFinished, endStopped, noteOnSources } from "./steps/ending.ts";
import { plan } from "./steps/plan.ts";
import { progressOf } from "./steps/progress.ts";
import { buildsIndexes } from "./steps/scope.ts";
import { settleSpaces } from "./steps/space.ts";
import { cannotFit, leavesRoom, readAdded, storageSentence, unfitSentence } from "./steps/storage.ts";
import { buildTogether } from "./steps/together.ts";

/** Never throws: a failure is written to the task, or the lease expires and another worker takes over. */
export async function runTask(context: StepContext): Promise<void> {
  const { claim } = context;
  const documents = new DocumentQueue(context);
  try {
    const step = await loadStep(claim.task.type);
    if (step) await step(context);
    else {
      await work(context, documents);
      await endFinished(claim);
    }
  } catch (error) {
    try {
      await settleFailure(context, documents, claim.signal.aborted ? claim.signal.reason : error);
    } catch (failure) {
      // The lease expires and another worker takes over.
      if (!(failure instanceof ClaimLost)) logFailure("a task could not be released", claim.task.id, failure);
    }
  } finally {
    claim.release();
  }
}

/**
 * The one step of a task that builds no index. Loaded with the first such task: what answers questions takes half the CPU time of loading
 * this function, and most of its starts only index.
 */
async function loadStep(type: string): Promise<((context: StepContext) => Promise<void>) | undefined> {
  switch (type) {
    case "import":
      return (await import("./steps/import.ts")).importTeam;
    case "agentTests":
      return (await import("./steps/agent-tests.ts")).runAgentTests;
    case "gaps":
      return (await import("./steps/ask-gap-again.ts")).askGapAgain;
    case "questions":
      return (await import("./steps/find-questions.ts")).findQuestions;
    default:
      return undefined;
  }
}

async function work(context: StepContext, documents: DocumentQueue): Promise<void> {
  const { claim } = context;
  claim.signal.throwIfAborted();
  // A total means that a worker has already planned this task.
  if (claim.task.total === 0) {
    await plan(context);
    endSlice(context);
  }
  if (buildsIndexes(claim.task)) await settleSpaces(context);
  const progress = await progressOf(context);
  const batches = new Batches(context, documents, (error) => isDocumentsFault(context, error));
  for (let batch = await batches.next(); batch; batch = await batches.next()) {
    await buildBatch(context, documents, batch.documents);
    progress.more(batch.documents.length);
    endSlice(context);
    if (batch.ended) throw batch.ended;
  }
}

/** Builds the documents of a batch together. If that fails, builds each alone, so that only the broken one fails. */
async function buildBatch(context: StepContext, documents: DocumentQueue, batch: Prepared[]): Promise<void> {
  const { unfit, embedder } = context;
  const problemOf = (one: Prepared) =>
    one.problem ?? (unfit && cannotFit(one, unfit, embedder.dimensions) ? unfit : undefined);
  const readable = batch.filter((one) => problemOf(one) === undefined);
  for (const one of batch)
    if (problemOf(one) !== undefined) await fail(context, documents, one, problemOf(one));
  const [first] = readable;
  if (!first) return;
  try {
    if (isLong(first)) await buildLong(context, documents, first);
    else await buildTogether(context, documents, readable);
    countDocuments("done", readable.length);
  } catch (error) {
    const isUnfit = storageSentence(error) !== undefined;
    if (!isDocumentsFault(context, error)) {
      if (isUnfit) await documents.remember(readable, readAdded(error));
      throw error;
    }
    if (isUnfit) context.unfit = error;
    if (readable.length === 1) return await fail(context, documents, first, error, readAdded(error));
    // If the model embeds nothing at all, no document is at fault.
    if (isRefusal(error)) await context.embedder.probe(context.claim.signal);
    for (const one of readable) await buildBatch(context, documents, [one]);
  }
}

async function fail(
  context: StepContext,
  documents: DocumentQueue,
  prepared: Prepared,
  error: unknown,
  added?: number,
): Promise<void> {
  const { document } = prepared;
  if (
    error instanceof DocumentGone &&
    (await documents.remove(document.id, error.source, document.externalId))
  )
    return;
  const unfit = storageSentence(error) === undefined ? undefined : { prepared, added };
  await documents.fail(document.id, await failureSentence(context, document, error), unfit);
  countDocuments("failed", 1);
}

/** True when the document may be at fault, and not its task, its source or the platform. */
function isDocumentsFault({ claim }: StepContext, error: unknown): boolean {
  if (claim.signal.aborted || isBudgetReached(error) || isTemporary(error)) return false;
  if (storageSentence(error)) return leavesRoom(error);
  return !(error instanceof PutDown || error instanceof ClaimLost || error instanceof SourceRefused);
}

/**
 * The error sentence of a document that fails alone.
 * @throws the error itself when the document is not at fault
 */
async function failureSentence(
  { claim, embedder }: StepContext,
  row: DocumentRow,
  error: unknown,
): Promise<string> {
  if (error instanceof ParseError || error instanceof DocumentProblem) return error.message;
  const unfit = unfitSentence(error, row.title);
  if (unfit) return unfit;
  if (isRefusal(error)) {
    // Probing with a word that any model takes tells a refused text from a refused account.
    await embedder.probe(claim.signal);
    return sentenceOf("documentRefused", { document: quoteName(row.title) });
  }
  logFailure("a document failed", claim.task.id, error, row.id);
  return sentenceOf("documentUnexpected", { document: quoteName(row.title) });
}

async function settleFailure(
  { claim }: StepContext,
  documents: DocumentQueue,
  reason: unknown,
): Promise<void> {
  claim.alsoKeep(undefined);
  const putBack = (tx: Transaction) => documents.putBack(tx);
  if (reason instanceof ClaimLost) return;
  if (reason instanceof Interrupted && reason.reason === "stop") return await endStopped(claim, putBack);
  // The host may end this process because of the document being read, so the count of reads stays.
  if (reason instanceof Interrupted) return await claim.putDown(0, (tx) => documents.putBack(tx, false));
  if (reason instanceof PutDown) return await claim.putDown(reason.delaySeconds, putBack);

  const attempt = claim.hasProgressed ? 1 : claim.task.attemptsWithoutProgress;
  if (isTemporary(reason) && (attempt < claim.task.maxAttempts || isDiskFull(reason))) {
    const seconds = waitMs(taskBackOff, attempt, retryAfterOf(reason)) / 1000;
    const until = new Date(Date.now() + seconds * 1000).toISOString();
    const ending = { code: waitingCode(reason), params: { until }, delaySeconds: seconds };
    return await claim.end("waiting", ending, async (tx) => {
      await putBack(tx);
      if (isDiskFull(reason)) await spareAttempt(tx, claim.task);
    });
  }
  const full = storageSentence(reason);
  if (full)
    return await endFailed(claim, "storageReached", full, async (tx) => {
      await putBack(tx);
      await noteOnSources(tx, claim.task, full);
    });
  const code = refusalCode(reason);
  if (!isTemporary(reason) && !code) logFailure("a task failed", claim.task.id, reason);
  await endFailed(claim, code ?? "failed", taskSentence(reason), putBack);
}

/** A full disk is no fault of a task, which continues once an operator has freed space: whatever then fails first has another attempt. */
const spareAttempt = async (tx: Transaction, { id }: Task): Promise<void> =>
  void (await tx`
    update public.tasks set attempts_without_progress = least(attempts_without_progress, greatest(max_attempts - 2, 0)) where id = ${id}`);

/** The ending code of a refusal: retrying is useless until somebody changes a setting. Undefined for other failures. */
function refusalCode(reason: unknown): string | undefined {
  if (isRefusal(reason) || isBudgetReached(reason)) return "modelRefused";
  if (reason instanceof ImportRefused) return "importRefused";
  return reason instanceof SourceRefused ? "sourceRefused" : undefined;
}

/** The monthly budget is spent. Nothing is embedded until next month, or until somebody raises the cap. */
const isBudgetReached = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "BUDGET_REACHED";

/** True for a temporary failure: a retry may succeed. */
function isTemporary(error: unknown): boolean {
  if (error instanceof SourceUnavailable || isDiskFull(error)) return true;
  if (error instanceof ModelError) return !isRefusal(error);
  return fromPostgres(error)?.code === "UNAVAILABLE";
}

function waitingCode(error: unknown): string {
  if (error instanceof ModelError)
    return error.kind === "rate_limited" ? "waitingForModelLimit" : "waitingForModel";
  if (isDiskFull(error)) return "waitingForDisk";
  if (error instanceof StorageUnavailable) return "waitingForStorage";
  return error instanceof SourceUnavailable ? "waitingForSource" : "waitingForDatabase";
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof ModelError || error instanceof SourceUnavailable ? error.retryAfterMs : undefined;
}

function taskSentence(error: unknown): string {
  if (
    error instanceof ModelError ||
    error instanceof SourceUnavailable ||
    error instanceof SourceRefused ||
    error instanceof ImportRefused ||
    isBudgetReached(error)
  )
    return error.message;
  return sentenceOf("taskUnexpected");
}

function logFailure(message: string, task: string, error: unknown, document?: string): void {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  log("error", message, { task, document, error: what.slice(0, 500) });
}
