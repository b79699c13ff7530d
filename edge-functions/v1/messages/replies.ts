// Owns the life of a reply: it is generated on the server even if its reader disconnects, saved as it grows, and stopped on request.
// edge-functions/answering generates it; ./reply-store.ts writes it.

import { env } from "../../_shared/env.ts";
import { log } from "../../_shared/operation/log.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { type AnswerRequest, answer } from "../../answering/answer.ts";
import { inBackground } from "../background.ts";
import { Channel } from "../event-stream.ts";
import { watchAdmission } from "./admission.ts";
import { failureOf, type Reader } from "./failures.ts";
import { readChatHead } from "./queries.ts";
import { keepSaved } from "./reply-saver.ts";
import { closeReply, giveUpRepliesBefore } from "./reply-store.ts";
import type { Citation, ConsideredPassage, Message, ReplyEvent, Support, Usage } from "./schema.ts";

/** Characters. A model that exceeds this is stuck in a loop. */
const longestReply = 150_000;

/** Why a reply ends early: a stop request, a lost lease or a deletion, or the shutdown of this process. */
const stopped = new Error("stopped");
const lost = new Error("lost");
const shutdown = new Error("shutdown");

/** Replies of this process, so that a stop request received here takes effect immediately. */
const running = new Map<string, { control: AbortController; finished: Promise<unknown> }>();

const startedAt = new Date();

/**
 * Ends the replies of a process that was killed before this one started, so that no reader waits for their leases. Does nothing where
 * another process may be writing them. Never rejects.
 */
export async function endEarlierReplies(): Promise<void> {
  if (!env().ONLY_API_PROCESS) return;
  try {
    const replies = await giveUpRepliesBefore(startedAt, [...running.keys()]);
    if (replies > 0) log("info", "ended the replies of an earlier process", { replies });
  } catch (error) {
    // They end with their leases.
    log("warn", "replies of an earlier process were not ended", { error: String(error) });
  }
}

/** Stops a reply that this process is writing. Other processes find the request in the row. */
export function stopRunning(replyId: string): void {
  running.get(replyId)?.control.abort(stopped);
}

/** Ends the replies of this process as failed, with their text so far, before it shuts down. Readers get an error. */
export async function endRunning(): Promise<void> {
  const replies = [...running.values()];
  for (const { control } of replies) control.abort(shutdown);
  await Promise.allSettled(replies.map(({ finished }) => finished));
}

export type RunningReply = {
  /** Events from now on, for one reader, starting with the passages; ends with done or error. */
  events: AsyncIterable<ReplyEvent>;
  /** The stored reply when it has ended, and the error if it failed. */
  finished: Promise<{ reply: Message; failure?: ApiError }>;
};

/**
 * Starts generating an opened reply. It runs to its end even if nobody waits for it.
 * @param request the agent's input; the signal is added here
 * @param claims the reader's: the reply fails when they lose access to the chat, and they are told why it fails
 */
export function startReply(
  reply: Message,
  request: Omit<AnswerRequest, "signal">,
  claims: Reader["claims"],
): RunningReply {
  const channel = new Channel<ReplyEvent>();
  const control = new AbortController();
  const finished = write(reply, { ...request, signal: control.signal }, claims, channel, control)
    .catch((error: unknown) => {
      log("error", "a reply could not be stored", { replyId: reply.id, error: String(error) });
      const failure = new ApiError("UNAVAILABLE");
      channel.push(errorEvent(failure));
      return { reply, failure };
    })
    .finally(() => {
      running.delete(reply.id);
      channel.end();
    });
  running.set(reply.id, { control, finished });
  inBackground(finished);
  return { events: channel, finished };
}

const errorEvent = ({ code, message, extra: { details } }: ApiError): ReplyEvent => ({
  type: "error",
  data: { code, message, ...(details && { details }) },
});

/** The code that tells why a reply failed; null for an error of ours, which only interrupts it. */
function causeOf(failure: ApiError | undefined): string | null {
  const why = failure?.extra.details?.find(({ code = "" }) => code.startsWith("reply"))?.code;
  return why ?? (failure?.code === "BUDGET_REACHED" ? failure.code : null);
}

async function write(
  reply: Message,
  request: AnswerRequest,
  claims: Reader["claims"],
  channel: Channel<ReplyEvent>,
  control: AbortController,
): Promise<{ reply: Message; failure?: ApiError }> {
  const draft = {
    content: "",
    citations: [] as Citation[],
    unanswered: false,
    usage: null as Usage | null,
    searchedFor: null as string | null,
    support: null as Support | null,
    suggestions: [] as string[],
    passages: [] as ConsideredPassage[],
  };
  const endSaving = keepSaved({
    id: reply.id,
    draft,
    stop: (why) => control.abort(why === "stop" ? stopped : lost),
  });
  const admitAgain = watchAdmission(claims, (tx) => readChatHead(tx, reply.chatId));
  let failure: ApiError | undefined;
  try {
    for await (const event of answer(request)) {
      await admitAgain();
      if (event.type === "delta") {
        draft.content += event.text;
        channel.push({ type: "delta", data: { text: event.text } });
        if (draft.content.length > longestReply) control.abort(stopped);
      } else if (event.type === "passages") {
        draft.passages = event.passages;
        draft.searchedFor = event.searchedFor;
        channel.push({ type: "passages", data: event.passages });
      } else if (event.type === "citations") {
        draft.citations = event.citations;
        channel.push({ type: "citations", data: event.citations });
      } else {
        draft.unanswered = event.unanswered;
        draft.usage = event.usage;
        draft.support = event.support;
        draft.suggestions = event.suggestions;
      }
    }
  } catch (error) {
    if (!control.signal.aborted)
      failure = await failureOf(error, { replyId: reply.id }, { claims, teamId: request.agent.teamId });
  } finally {
    endSaving();
  }
  if (control.signal.reason === shutdown) failure = new ApiError("UNAVAILABLE");
  const status = failure ? "failed" : control.signal.aborted ? "stopped" : "complete";
  const closed = await closeReply(reply.id, { status, ...draft, error: causeOf(failure) });
  // The reply was given up after a silence, or deleted with its chat: another process decides its status.
  failure ??= closed ? undefined : new ApiError("CONFLICT", refusal("replyGivenUp"));
  const final = closed ?? { ...reply, ...draft, status: "failed" };
  if (failure) channel.push(errorEvent(failure));
  else channel.push({ type: "done", data: final });
  return { reply: final, failure };
}
