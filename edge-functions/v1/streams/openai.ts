// Owns the translation between a live reply and OpenAI's chat-completions protocol.
import { randomUUID } from "node:crypto";
import { serverSentEvent } from "../event-stream.ts";
import { type LiveEvent, readerLeft } from "./live.ts";
import { errorObject } from "./openai-errors.ts";
import type { Completion, CompletionInput } from "./openai-schema.ts";
import type { AgentName } from "./queries.ts";
import type { StreamedMessage, Turn } from "./schema.ts";

/** As many turns as /v1/streams takes; the model is sent fewer still. */
const MOST_TURNS = 200;

/** The latest messages of the user and the agent. */
export function turnsOf({ messages }: CompletionInput): Turn[] {
  return messages
    .flatMap(({ role, content }) =>
      (role === "user" || role === "assistant") && content ? [{ role, content }] : [],
    )
    .slice(-MOST_TURNS);
}

/** A whole completion. @throws ApiError the error that the reply failed with; that the reader has left */
export async function completionOf(
  { model }: CompletionInput,
  events: AsyncIterable<LiveEvent>,
): Promise<Completion> {
  for await (const { type, data } of events) {
    if (type === "error") throw data;
    if (type !== "done") continue;
    return {
      ...head(model, "chat.completion"),
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: data.content, refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: usageOf(data),
      citations: data.citations,
      searchedFor: data.searchedFor,
      support: data.support,
      suggestions: data.suggestions,
    };
  }
  throw readerLeft();
}

/** The chunks of a completion as server-sent events, with the closing [DONE]. */
export async function* completionChunks(
  { model, stream_options }: CompletionInput,
  events: AsyncIterable<LiveEvent>,
): AsyncGenerator<string> {
  const common = head(model, "chat.completion.chunk");
  const chunk = (delta: Record<string, unknown>, finish: "stop" | null, more: Record<string, unknown> = {}) =>
    serverSentEvent(
      JSON.stringify({
        ...common,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...more,
      }),
    );
  yield chunk({ role: "assistant", content: "" }, null);
  for await (const { type, data } of events) {
    if (type === "delta") yield chunk({ content: data.text }, null);
    // The protocol's clients treat an error inside the stream as its end.
    if (type === "error") yield serverSentEvent(JSON.stringify({ error: errorObject(data) }));
    if (type === "done") {
      const { citations, searchedFor, support, suggestions } = data;
      yield chunk({}, "stop", { citations, searchedFor, support, suggestions });
      const usage = usageOf(data);
      if (stream_options?.include_usage && usage) {
        yield serverSentEvent(JSON.stringify({ ...common, choices: [], usage }));
      }
      yield serverSentEvent("[DONE]");
    }
  }
}

export function modelOf({ id, teamId, createdAt }: AgentName) {
  return {
    id,
    object: "model" as const,
    created: Math.floor(Date.parse(createdAt) / 1000),
    owned_by: teamId,
  };
}

function head<T extends string>(model: string, object: T) {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model };
}

function usageOf({ usage }: StreamedMessage): Completion["usage"] {
  if (!usage) return undefined;
  const { promptTokens, completionTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
