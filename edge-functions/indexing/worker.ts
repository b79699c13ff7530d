// Takes one task as far as its turn goes, and decides what every kind of failure means for it.
import type { Transaction } from "../_shared/database/db.ts";
import { ModelError } from "../_shared/models/models.ts";
import { log } from "../_shared/operation/log.ts";
import { countDocuments } from "../_shared/operation/metrics.ts";
import { waitMs } from "../_shared/outbound/retry.ts";
import { ClaimLost, Interrupted } from "../_shared/queues/lease.ts";
import { ApiError, fromPostgres } from "../_shared/requests/errors.ts";
import { ImportRefused } from "../importing/refusal.ts";
import { SourceRefused, SourceUnavailable } from "./connectors/connector.ts";
import { isRefusal } from "./embedding.ts";
import { ParseError, quoted } from "./parsers/document.ts";
import { taskBackOff } from "./queue.ts";
import { runAgentTests } from "./steps/agent-tests.ts";
import { askGapAgain } from "./steps/ask-gap-again.ts";
import { Batches, isLong, type Prepared } from "./steps/batches.ts";
import { buildLong } from "./steps/build.ts";
import { endSlice, PutDown, type StepContext } from "./steps/context.ts";
import { DocumentProblem } from "./steps/document-problem.ts";
import { DocumentQueue, type DocumentRow } from "./steps/documents.ts";
import { endFailed, endFinished, endStopped } from "./steps/ending.ts";
import { findQuestions } from "./steps/find-questions.ts";
import { importTeam } from "./steps/import.ts";
import { plan } from "./steps/plan.ts";
import { progressOf } from "./steps/progress.ts";
import { buildsIndexes } from "./steps/scope.ts";
import { settleSpaces } from "./steps/space.ts";
import { buildTogether } from "./steps/together.ts";

/** Never throws: whatever happens is written to the task, or is another worker's to find. */
export async function runTask(context: StepContext): Promise<void> {
  const { claim } = context;
  const documents = new DocumentQueue(context);
  try {
    if (claim.task.type === "import") await importTeam(context);
    else if (claim.task.type === "agentTests") await runAgentTests(context);
    else if (claim.task.type === "gaps") await askGapAgain(context);
    else if (claim.task.type === "questions") await findQuestions(context);
    else {
      await work(context, documents);
      await endFinished(claim);
    }
  } catch (error) {
    try {
      await leave(context, documents, claim.signal.aborted ? claim.signal.reason : error);
    } catch (failure) {
      // The lease runs out and another worker goes on.
      if (!(failure instanceof ClaimLost)) logFailure("a task could not be put down", claim.task.id, failure);
    }
  } finally {
    claim.release();
  }
}

async function work(context: StepContext, documents: DocumentQueue): Promise<void> {
  const { claim } = context;
  claim.signal.throwIfAborted();
  // A task with a total has been planned before, by this worker or by one before it.
  if (claim.task.total === 0) {
    await plan(context);
    endSlice(context);
  }
  if (buildsIndexes(claim.task)) await settleSpaces(context);
  const progress = await progressOf(context);
  const batches = new Batches(context, documents, (error) => isOfDocument(context, error));
  for (let batch = await batches.next(); batch; batch = await batches.next()) {
    await workOn(context, documents, batch.documents);
    progress.more(batch.documents.length);
    endSlice(context);
    if (batch.ended) throw batch.ended;
  }
}

/** All documents of a batch together; where that fails, each by itself, so that the failure is that of one. */
async function workOn(context: StepContext, documents: DocumentQueue, batch: Prepared[]): Promise<void> {
  const readable = batch.filter(({ problem }) => problem === undefined);
  for (const { document, problem } of batch)
    if (problem !== undefined) await fail(context, documents, document, problem);
  const [first] = readable;
  if (!first) return;
  try {
    if (isLong(first)) await buildLong(context, documents, first);
    else await buildTogether(context, documents, readable);
    countDocuments("done", readable.length);
  } catch (error) {
    if (!isOfDocument(context, error)) throw error;
    if (readable.length === 1) return await fail(context, documents, first.document, error);
    // Where nothing at all can be embedded, no document is to blame.
    if (isRefusal(error)) await context.embedder.probe(context.claim.signal);
    for (const one of readable) await workOn(context, documents, [one]);
  }
}

async function fail(
  context: StepContext,
  documents: DocumentQueue,
  document: DocumentRow,
  error: unknown,
): Promise<void> {
  await documents.fail(document.id, await sentenceFor(context, document, error));
  countDocuments("failed", 1);
}

/** Whether a document may be at fault, and not the task, its source or what the platform needs. */
function isOfDocument({ claim }: StepContext, error: unknown): boolean {
  if (claim.signal.aborted || isBudgetReached(error) || passes(error)) return false;
  return !(error instanceof PutDown || error instanceof ClaimLost || error instanceof SourceRefused);
}

/**
 * The sentence for a document that fails alone.
 * @throws what is not the document's fault after all
 */
async function sentenceFor(
  { claim, embedder }: StepContext,
  row: DocumentRow,
  error: unknown,
): Promise<string> {
  if (error instanceof ParseError || error instanceof DocumentProblem) return error.message;
  if (isRefusal(error)) {
    // Nothing can be embedded, or only this text can't: a word that any model takes tells the two apart.
    await embedder.probe(claim.signal);
    return `${quoted(row.title)} was refused by the embedding model.`;
  }
  logFailure("a document failed", claim.task.id, error, row.id);
  return `${quoted(row.title)} could not be indexed because of an unexpected error.`;
}

async function leave({ claim }: StepContext, documents: DocumentQueue, reason: unknown): Promise<void> {
  claim.alsoKeep(undefined);
  const putBack = (tx: Transaction) => documents.putBack(tx);
  if (reason instanceof ClaimLost) return;
  if (reason instanceof Interrupted && reason.reason === "stop") return await endStopped(claim, putBack);
  // The host may end this process because of what it reads.
  if (reason instanceof Interrupted) return await claim.putDown(0, (tx) => documents.putBack(tx, false));
  if (reason instanceof PutDown) return await claim.putDown(reason.delaySeconds, putBack);

  const attempt = claim.progressed ? 1 : claim.task.attemptsWithoutProgress;
  if (passes(reason) && attempt < claim.task.maxAttempts) {
    const seconds = waitMs(taskBackOff, attempt, retryAfterOf(reason)) / 1000;
    const until = new Date(Date.now() + seconds * 1000).toISOString();
    const ending = { code: waitsFor(reason), params: { until }, delaySeconds: seconds };
    return await claim.end("waiting", ending, putBack);
  }
  const code = refusedBy(reason);
  if (!passes(reason) && !code) logFailure("a task failed", claim.task.id, reason);
  await endFailed(claim, code ?? "failed", sentenceOf(reason), putBack);
}

/** Who said no, so that trying again is useless until somebody changes something. */
function refusedBy(reason: unknown): string | undefined {
  if (isRefusal(reason) || isBudgetReached(reason)) return "modelRefused";
  if (reason instanceof ImportRefused) return "importRefused";
  return reason instanceof SourceRefused ? "sourceRefused" : undefined;
}

/** Nothing can be embedded before the next month, or before somebody raises the cap. */
const isBudgetReached = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "BUDGET_REACHED";

/** Whether a failure passes by itself, so that the same thing may work later. */
function passes(error: unknown): boolean {
  if (error instanceof SourceUnavailable) return true;
  if (error instanceof ModelError) return !isRefusal(error);
  return fromPostgres(error)?.code === "UNAVAILABLE";
}

function waitsFor(error: unknown): string {
  if (error instanceof ModelError)
    return error.kind === "rate_limited" ? "waitingForModelLimit" : "waitingForModel";
  return error instanceof SourceUnavailable ? "waitingForSource" : "waitingForDatabase";
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof ModelError || error instanceof SourceUnavailable ? error.retryAfterMs : undefined;
}

function sentenceOf(error: unknown): string {
  if (
    error instanceof ModelError ||
    error instanceof SourceUnavailable ||
    error instanceof SourceRefused ||
    error instanceof ImportRefused ||
    isBudgetReached(error)
  )
    return error.message;
  return "An unexpected error ended this task. Try again, and contact support if it happens again.";
}

function logFailure(message: string, task: string, error: unknown, document?: string): void {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  log("error", message, { task, document, error: what.slice(0, 500) });
}
