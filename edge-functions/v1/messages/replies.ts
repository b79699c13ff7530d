// Owns a reply from the question to its end: made on the server whatever its reader does, stored as it grows, stopped when
// somebody asks. What the answer is, edge-functions/answering decides; ./reply-store.ts writes.

import { log } from "../../_shared/operation/log.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { type AnswerRequest, answer } from "../../answering/answer.ts";
import { inBackground } from "../background.ts";
import { Channel } from "../event-stream.ts";
import { failureOf } from "./failures.ts";
import { keepSaved } from "./reply-saver.ts";
import { closeReply } from "./reply-store.ts";
import type { Citation, ConsideredPassage, Message, ReplyEvent, Support, Usage } from "./schema.ts";

/** In characters: a model that goes on beyond this has lost its way. */
const longestReply = 150_000;

/** Why a reply ends before its time: somebody asked, it was given up or deleted, or this process ends. */
const stopped = new Error("stopped");
const lost = new Error("lost");
const shutdown = new Error("shutdown");

/** Replies of this process, so that a stop which arrives here takes effect at once. */
const running = new Map<string, { control: AbortController; finished: Promise<unknown> }>();

/** Stops a reply if this very process is writing it; others find the request in the row. */
export function stopRunning(replyId: string): void {
  running.get(replyId)?.control.abort(stopped);
}

/** Fails what this process is writing, with what was said, before it ends; readers are told. */
export async function endRunning(): Promise<void> {
  const replies = [...running.values()];
  for (const { control } of replies) control.abort(shutdown);
  await Promise.allSettled(replies.map(({ finished }) => finished));
}

export type RunningReply = {
  /** What happens from now on, for one reader, beginning with the passages; ends with done or error. */
  events: AsyncIterable<ReplyEvent>;
  /** The stored reply when it is over, and why it failed where it did. */
  finished: Promise<{ reply: Message; failure?: ApiError }>;
};

/**
 * Starts writing a reply that has been opened. It goes on to its end without anyone waiting for it.
 * @param request what the agent is asked; the signal is added here
 */
export function startReply(reply: Message, request: Omit<AnswerRequest, "signal">): RunningReply {
  const channel = new Channel<ReplyEvent>();
  const control = new AbortController();
  const finished = write(reply, { ...request, signal: control.signal }, channel, control)
    .catch((error: unknown) => {
      log("error", "a reply could not be stored", { replyId: reply.id, error: String(error) });
      const failure = new ApiError("UNAVAILABLE");
      channel.push({ type: "error", data: { code: failure.code, message: failure.message } });
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

async function write(
  reply: Message,
  request: AnswerRequest,
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
  let failure: ApiError | undefined;
  try {
    for await (const event of answer(request)) {
      if (event.type === "delta") {
        // Postgres holds no NUL in a text.
        const text = event.text.replaceAll("\0", "");
        draft.content += text;
        channel.push({ type: "delta", data: { text } });
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
    if (!control.signal.aborted) failure = failureOf(error, { replyId: reply.id });
  } finally {
    endSaving();
  }
  if (control.signal.reason === shutdown) failure = new ApiError("UNAVAILABLE");
  const status = failure ? "failed" : control.signal.aborted ? "stopped" : "complete";
  const closed = await closeReply(reply.id, { status, ...draft });
  // Given up after a silence, or deleted with its chat: somebody else has the last word.
  failure ??= closed
    ? undefined
    : new ApiError("CONFLICT", "This reply was given up before it was complete.");
  const final = closed ?? { ...reply, ...draft, status: "failed" };
  if (failure) channel.push({ type: "error", data: { code: failure.code, message: failure.message } });
  else channel.push({ type: "done", data: final });
  return { reply: final, failure };
}
