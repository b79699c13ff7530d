// Owns what is counted about calls to models. Does not change them.
import { countModelCall, countTokens } from "../operation/metrics.ts";
import { ModelError } from "./model-errors.ts";
import type { ChatEvent, ModelClient } from "./models.ts";

/** The same client, whose calls are counted. */
export function measured(client: ModelClient): ModelClient {
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
    chatStream: (options) => measuredStream(client.chatStream(options)),
  };
}

async function* measuredStream(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  const start = performance.now();
  // Unless it comes to an end, or fails: its reader has left.
  let outcome = "stopped";
  try {
    for await (const event of events) {
      if (event.type === "usage") {
        countTokens("prompt", event.promptTokens);
        countTokens("completion", event.completionTokens);
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
