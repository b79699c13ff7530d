// Owns the metrics of model calls. Does not change the calls.
import { countModelCall, countModelTokens } from "../operation/metrics.ts";
import type { ChatEvent, ModelClient } from "./model-client.ts";
import { ModelError } from "./model-errors.ts";

/** Wraps a client so that its calls are counted. */
export function measureClient(client: ModelClient): ModelClient {
  return {
    ...client,
    embed: async (texts, options) => {
      const start = performance.now();
      let outcome = "ok";
      try {
        return await client.embed(texts, options);
      } catch (error) {
        outcome = outcomeOf(error);
        throw error;
      } finally {
        countModelCall("embedding", outcome, performance.now() - start);
      }
    },
    chatStream: (options) => measureStream(client.chatStream(options)),
  };
}

async function* measureStream(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  const start = performance.now();
  // The default when the stream neither ends nor fails: its reader left.
  let outcome = "stopped";
  try {
    for await (const event of events) {
      if (event.type === "usage") {
        countModelTokens("prompt", event.promptTokens);
        countModelTokens("completion", event.completionTokens);
      }
      yield event;
    }
    outcome = "ok";
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    countModelCall("chat", outcome, performance.now() - start);
  }
}

const outcomeOf = (error: unknown) => (error instanceof ModelError ? error.kind : "stopped");
