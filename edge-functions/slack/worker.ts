// Owns the work on Slack's events: takes a few at a time from the queue and maps every failure to a retry, a last message or
// silence.

import { log, traceOf } from "../_shared/operation/log.ts";
import { type BackOff, waitMs } from "../_shared/outbound/retry.ts";
import { atMostEvery } from "../_shared/queues/at-most-every.ts";
import { ClaimLost, HeldLeases, Interrupted } from "../_shared/queues/lease.ts";
import { ApiError, fromPostgres } from "../_shared/requests/errors.ts";
import { inBackground } from "../v1/background.ts";
import { stopRunning } from "../v1/messages/replies.ts";
import { SlackRefusal, SlackUnreachable } from "./api.ts";
import { stopReplies } from "./asking.ts";
import { answerMessage, giveUp } from "./conversation.ts";
import { isClosed, reasonOf, Uncertain } from "./delivery.ts";
import type { Work } from "./envelope.ts";
import { forgetWorkspace, isDeadToken, openWorkspace } from "./installations.ts";
import { mayAsk, readPerson } from "./people.ts";
import { type Claim, claimEvent, isStored, storeEvent, sweepEvents, withdrawMessage } from "./queue.ts";
import { showPrompts } from "./session.ts";
import { appsIn, claimsOfThread, findThread } from "./threads.ts";
import { wordsFor } from "./words.ts";

/** Events that this process works on in parallel. Most of their time they wait for a model. */
const most = 8;
const mostAttempts = 6;
const backOff: BackOff = { firstMs: 2_000, factor: 2, longestMs: 600_000 };

/** A question waits this long for a workspace that removed the app, a Slack that cannot be reached, and a busy database. */
const patienceMs = 24 * 3_600_000;
const ageMs = ({ event }: Claim): number => Date.now() - Date.parse(event.createdAt);
const waitOfPatience = (claim: Claim): number =>
  Math.min(Math.max(ageMs(claim) / 2, backOff.firstMs), backOff.longestMs);

/** The time limit for a last message to Slack. */
const putDownMs = 3_000;

type Stop = Extract<Work, { kind: "stop" }>;
type Opened = Extract<Work, { kind: "opened" }>;

const held = new HeldLeases<Claim>();
let isStopping = false;

/** Starts all due events and returns without waiting for them. @returns how many were started */
export async function startDueEvents(): Promise<number> {
  let started = 0;
  while (held.size < most && !isStopping) {
    const claim = await claimEvent();
    if (!claim) break;
    started++;
    held.add(claim);
    // A finished event may unblock the next message of its thread.
    const work = handle(claim).then(async () => {
      if (!isStopping) await startDueEvents();
    });
    inBackground(work, "an event of Slack's");
  }
  return started;
}

const sweep = atMostEvery(60_000, sweepEvents);

/**
 * Stops the replies of a thread. Does not wait in the queue, where the answers to stop would hold it up until the next question.
 * Idempotent: an event that Slack delivers again stops no later reply.
 */
export async function stopAtOnce(task: Stop): Promise<void> {
  if (task.ts === undefined && (await isStored(task))) return;
  await stopThread(task);
  // A deletion names its message, and never stops another answer.
  if (task.ts === undefined) await storeEvent(task, "done");
}

/** Runs one tick of the schedule. */
export async function tick(): Promise<number> {
  await sweep();
  return await startDueEvents();
}

/** Shuts down: releases every claimed event for another process. */
export async function stopWorking(): Promise<void> {
  isStopping = true;
  await held.putDown(putDownMs);
}

async function handle(claim: Claim): Promise<void> {
  const { attempts, payload } = claim.event;
  try {
    // The worker died at the last attempt, or even at the message that tells of it.
    if (attempts > mostAttempts + 1) return await claim.end("failed", "slackFailed");
    if (attempts > mostAttempts) return await fail(claim, undefined);
    const isDelivered = payload && (await work(claim, payload));
    if (isDelivered === undefined) await claim.leave();
    else await claim.end("done", isDelivered ? null : undefined);
  } catch (error) {
    await settle(claim, claim.signal.aborted ? claim.signal.reason : error).catch((failure: unknown) => {
      // The lease expires and another worker takes over.
      if (!(failure instanceof ClaimLost))
        logFailure("an event from Slack could not be released", claim, failure);
    });
  } finally {
    claim.release();
    held.delete(claim);
  }
}

/** @returns true when a reply is in Slack, undefined for a message that is not for us */
async function work(claim: Claim, task: Work): Promise<boolean | undefined> {
  if (task.kind === "message") {
    const workspace = await openWorkspace(task.workspaceId);
    if (!workspace) throw noInstallation();
    return await answerMessage(claim, workspace, task.message);
  }
  if (task.kind === "left") await forgetWorkspace(task.workspaceId, task.at);
  // Stored by an earlier release.
  else if (task.kind === "stop") await stopThread(task);
  else await suggestQuestions(claim, task);
  return false;
}

async function suggestQuestions(claim: Claim, task: Opened): Promise<void> {
  const workspace = await openWorkspace(task.workspaceId);
  if (!workspace) return;
  const [app] = await appsIn(workspace.id);
  if (!app || task.user === undefined) return;
  const { kind, locale } = await readPerson(workspace, task.user, claim.signal);
  // Suggested questions tell what the agent knows.
  if (mayAsk(app.audience, kind))
    await showPrompts(workspace, task.channel, task.threadTs, app, wordsFor(locale));
}

async function stopThread(task: Stop): Promise<void> {
  const { ts } = task;
  const only = ts && (await withdrawMessage({ ...task, ts }));
  if (ts && !only) return;
  const thread = await findThread(task);
  if (!thread) return;
  for (const id of await stopReplies(claimsOfThread(thread), thread.chatId, only)) stopRunning(id);
}

const noInstallation = () => new SlackRefusal("auth", "token_revoked");

async function settle(claim: Claim, error: unknown): Promise<void> {
  if (error instanceof ClaimLost) return;
  if (error instanceof Interrupted) return await claim.again(0, claim.event.attempts - 1);
  if (isDeadToken(error) && claim.event.kind === "message") {
    const restMs = patienceMs - ageMs(claim);
    // storeInstallation() ends the wait.
    if (restMs > 0) return await claim.again(restMs / 1000, claim.event.attempts - 1, reasonOf(error));
  }
  if (error instanceof SlackRefusal) {
    log("warn", "Slack refused", { event: claim.event.id, error: error.message });
    return await fail(claim, error);
  }
  const { attempts } = claim.event;
  if (isDatabaseBusy(error) && ageMs(claim) < patienceMs)
    return await claim.again(waitOfPatience(claim) / 1000, attempts - 1);
  const busy = error instanceof ApiError && error.code === "CONFLICT";
  if (!isAway(error) && !busy) logFailure("an event from Slack failed", claim, error);
  if (attempts >= mostAttempts) return await fail(claim, error);
  const asked = error instanceof SlackUnreachable ? error.retryAfterMs : 0;
  await claim.again(waitMs(backOff, attempts, asked) / 1000);
}

const isAway = (error: unknown): error is SlackUnreachable | Uncertain =>
  error instanceof SlackUnreachable || error instanceof Uncertain;

const isDatabaseBusy = (error: unknown): boolean =>
  (error instanceof ApiError ? error : fromPostgres(error))?.code === "UNAVAILABLE";

/**
 * Ends an event for good and tells the person who waits for a reply, unless Slack blocks every message. A reply that did not reach them is
 * marked. One that finds Slack away or the database busy is tried again, ever later, for a day.
 */
async function fail(claim: Claim, error: unknown): Promise<void> {
  const { payload, workspaceId } = claim.event;
  let isDelivered = false;
  let cause = error;
  if (payload?.kind === "message" && !isClosed(error)) {
    try {
      const workspace = await openWorkspace(workspaceId);
      if (!workspace) throw noInstallation();
      isDelivered = await giveUp(claim, workspace, payload.message);
    } catch (failure) {
      if (failure instanceof ClaimLost) throw failure;
      cause = failure;
      const isBusy = isDatabaseBusy(failure);
      if ((isAway(failure) || isBusy) && ageMs(claim) < patienceMs) {
        const asked = failure instanceof SlackUnreachable ? (failure.retryAfterMs ?? 0) : 0;
        const laterMs = Math.max(waitOfPatience(claim), asked);
        return await claim.again(laterMs / 1000, mostAttempts - 1, isBusy ? undefined : reasonOf(failure));
      }
      logFailure("the person in Slack could not be told that their message failed", claim, failure);
    }
  }
  await claim.end("failed", isDelivered ? null : reasonOf(cause));
}

function logFailure(message: string, claim: Claim, error: unknown): void {
  log("error", message, { event: claim.event.id, error: traceOf(error).slice(0, 1_000) });
}
