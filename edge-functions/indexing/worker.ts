// Takes one task as far as its turn goes, and decides what every kind of failure means for it.
import type { Transaction } from "../_shared/db.ts";
import { fromPostgres } from "../_shared/errors.ts";
import { log } from "../_shared/log.ts";
import { countDocument } from "../_shared/metrics.ts";
import { ModelError } from "../_shared/models.ts";
import { ImportRefused } from "../importing/refusal.ts";
import { backOffSeconds } from "./back-off.ts";
import { SourceRefused, SourceUnavailable } from "./connectors/connector.ts";
import { isRefusal } from "./embedding.ts";
import { ParseError, quoted } from "./parsers/document.ts";
import { ClaimLost, Interrupted } from "./queue.ts";
import { buildIndex } from "./steps/build.ts";
import { endSlice, PutDown, type StepContext } from "./steps/context.ts";
import { DocumentProblem } from "./steps/document-problem.ts";
import { DocumentQueue, type DocumentRow } from "./steps/documents.ts";
import { endFailed, endFinished, endStopped } from "./steps/ending.ts";
import { importTeam } from "./steps/import.ts";
import { plan } from "./steps/plan.ts";
import { progressOf } from "./steps/progress.ts";
import { readDocument } from "./steps/read.ts";
import { buildsIndexes } from "./steps/scope.ts";
import { settleSpaces } from "./steps/space.ts";

/** How long a worker waits for another one that holds the last documents of its task. */
const busySeconds = 3;

/** Never throws: whatever happens is written to the task, or is another worker's to find. */
export async function runTask(context: StepContext): Promise<void> {
  const { claim } = context;
  const documents = new DocumentQueue(context);
  try {
    if (claim.task.type === "import") await importTeam(context);
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
  for (let next = await documents.next(); next; next = await documents.next()) {
    if (next === "busy") throw new PutDown(busySeconds);
    await workOn(context, documents, next);
    progress.oneMore();
    endSlice(context);
  }
}

async function workOn(context: StepContext, documents: DocumentQueue, row: DocumentRow): Promise<void> {
  try {
    const document = row.isUnread ? await readDocument(context, row) : row;
    if (buildsIndexes(context.claim.task)) await index(context, document);
    documents.done();
    countDocument("done");
  } catch (error) {
    if (context.claim.signal.aborted) throw error;
    await documents.fail(await sentenceFor(context, row, error));
    countDocument("failed");
  }
}

async function index(context: StepContext, document: DocumentRow): Promise<void> {
  if (document.content === null) throw new ParseError("empty", document.title);
  for (const knowledge of document.builds) {
    await buildIndex(context, document, knowledge);
  }
}

/**
 * The sentence for a document that fails alone.
 * @throws what is not the document's fault
 */
async function sentenceFor(
  { claim, embedder }: StepContext,
  row: DocumentRow,
  error: unknown,
): Promise<string> {
  if (error instanceof ParseError || error instanceof DocumentProblem) return error.message;
  if (
    error instanceof PutDown ||
    error instanceof ClaimLost ||
    error instanceof SourceRefused ||
    passes(error)
  )
    throw error;
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
  const putBack = (tx: Transaction) => documents.letGo(tx);
  if (reason instanceof ClaimLost) return;
  if (reason instanceof Interrupted && reason.reason === "stop") return await endStopped(claim, putBack);
  if (reason instanceof Interrupted) return await claim.putDown(0, putBack);
  if (reason instanceof PutDown) return await claim.putDown(reason.delaySeconds, putBack);

  const attempt = claim.progressed ? 1 : claim.task.attemptsWithoutProgress;
  if (passes(reason) && attempt < claim.task.maxAttempts) {
    const seconds = backOffSeconds(attempt, retryAfterOf(reason));
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
  if (isRefusal(reason)) return "modelRefused";
  if (reason instanceof ImportRefused) return "importRefused";
  return reason instanceof SourceRefused ? "sourceRefused" : undefined;
}

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
    error instanceof ImportRefused
  )
    return error.message;
  return "An unexpected error ended this task. Try again, and contact support if it happens again.";
}

function logFailure(message: string, task: string, error: unknown, document?: string): void {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  log("error", message, { task, document, error: what.slice(0, 500) });
}
