// Owns a reply that is not stored: generated while its reader listens, ended when they disconnect.

import { ApiError } from "../../_shared/requests/errors.ts";
import { type AnswerRequest, answer } from "../../answering/answer.ts";
import { watchAdmission } from "../messages/admission.ts";
import { failureOf, type Reader } from "../messages/failures.ts";
import type { ConsideredPassage } from "../messages/schema.ts";
import type { StreamedMessage, Turn } from "./schema.ts";

export type LiveEvent =
  | { type: "message"; data: StreamedMessage }
  | { type: "passages"; data: ConsideredPassage[] }
  | { type: "delta"; data: { text: string } }
  | { type: "citations"; data: StreamedMessage["citations"] }
  | { type: "done"; data: StreamedMessage }
  | { type: "error"; data: ApiError };

/** The error of an answer in one piece whose reader has left. Nobody gets it, and nothing failed. */
export const readerLeft = () => new ApiError("CONFLICT", "The reader has left.");

/**
 * The events of an agent's answer to the last of some messages. Ends with done or error, or when the reader leaves, and never throws.
 * @param channel the channel that the cost is counted under
 * @param claims the reader's: the reply fails when they lose access to the agent, and they are told why it fails
 * @param left aborted when the reader leaves. Ending the iteration ends the answer too, but only at its next event.
 */
export async function* liveReply(
  agent: AnswerRequest["agent"],
  messages: Turn[],
  channel: string,
  claims: Reader["claims"],
  { trial, left }: { trial?: AnswerRequest["trial"]; left?: AbortSignal | undefined } = {},
): AsyncGenerator<LiveEvent> {
  const control = new AbortController();
  const leave = () => control.abort();
  left?.addEventListener("abort", leave);
  if (left?.aborted) leave();
  const question = messages.at(-1)?.content ?? "";
  const request: AnswerRequest = {
    agent,
    channel,
    trial,
    history: messages.slice(0, -1),
    question,
    signal: control.signal,
  };
  const reply: StreamedMessage = {
    role: "assistant",
    content: "",
    status: "complete",
    citations: [],
    usage: null,
    searchedFor: null,
    support: null,
    suggestions: [],
  };
  const admitAgain = watchAdmission(
    claims,
    async (tx) => await tx`select private.ask_agent(${agent.id}, true)`,
  );
  let isOver = false;
  try {
    yield {
      type: "message",
      data: { ...reply, role: "user", content: question },
    };
    for await (const event of answer(request)) {
      await admitAgain();
      if (event.type === "delta") {
        reply.content += event.text;
        yield { type: "delta", data: { text: event.text } };
      } else if (event.type === "passages") {
        reply.searchedFor = event.searchedFor;
        yield { type: "passages", data: event.passages };
      } else if (event.type === "citations") {
        reply.citations = event.citations;
        yield { type: "citations", data: event.citations };
      } else {
        reply.usage = event.usage;
        reply.support = event.support;
        reply.suggestions = event.suggestions;
      }
    }
    isOver = true;
    yield { type: "done", data: reply };
  } catch (error) {
    isOver = true;
    if (left?.aborted) return;
    yield {
      type: "error",
      data: await failureOf(error, { agentId: agent.id }, { claims, teamId: agent.teamId }),
    };
  } finally {
    left?.removeEventListener("abort", leave);
    // For a reader who has left. An abort of what is over would create an exception for nobody.
    if (!isOver) control.abort();
  }
}
