// Owns a reply in which the model calls tools: what it calls is run, and it goes on with what was found, a few times at most.
// Must not know what a tool does.

import type { Tool, ToolCall } from "../_shared/models/model-tools.ts";
import type { ChatEvent, ChatMessage, ChatOptions, ModelClient } from "../_shared/models/models.ts";

/** After so many rounds of calls the model has to answer. */
const mostRounds = 3;
/** Of one round; those after them are not run. */
const mostCalls = 4;

export type Toolbox = {
  tools: Tool[];
  /** What the model is told of a call; never throws for what the model wrote. */
  run(call: ToolCall): Promise<string>;
};

/** The deltas of a whole reply, and the usage of each call to the model. @throws as chatStream() */
export async function* replyWithTools(
  models: ModelClient,
  options: ChatOptions,
  toolbox: Toolbox | null,
): AsyncGenerator<Exclude<ChatEvent, { type: "toolCalls" }>> {
  const messages: ChatMessage[] = [...options.messages];
  let hasSaid = false;
  for (let round = 0; ; round++) {
    const mayCall = toolbox !== null && round < mostRounds;
    let calls: ToolCall[] = [];
    let said = "";
    for await (const event of models.chatStream({
      ...options,
      messages,
      ...(toolbox ? { tools: toolbox.tools, mayCall } : {}),
    })) {
      if (event.type === "toolCalls") {
        calls = event.calls;
        continue;
      }
      if (event.type === "delta") {
        // What was said before a call is a paragraph of its own.
        if (said === "" && hasSaid && event.text.trim()) yield { type: "delta", text: "\n\n" };
        said += event.text;
      }
      yield event;
    }
    hasSaid ||= said.trim() !== "";
    if (calls.length === 0 || !toolbox || !mayCall) return;
    messages.push({ role: "assistant", content: said, toolCalls: calls });
    for (const [at, call] of calls.entries()) {
      options.signal?.throwIfAborted();
      const content =
        at < mostCalls ? await toolbox.run(call) : `Not run: at most ${mostCalls} calls at once.`;
      messages.push({ role: "tool", toolCallId: call.id, content });
    }
  }
}
