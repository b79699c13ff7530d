// Owns a reply with tool calls: runs the model's calls and lets it continue with the results, for a limited number of rounds. Does
// not know what a tool does.
import type { ChatEvent, ChatOptions, ModelClient } from "../_shared/models/model-client.ts";
import { ModelError } from "../_shared/models/model-errors.ts";
import type { ChatMessage, Tool, ToolCall } from "../_shared/models/model-tools.ts";
import { sentenceOf } from "../_shared/text/sentences.ts";

/** After this many rounds of calls the model has to answer. */
const mostRounds = 3;
/** Calls of one round that are run; further ones are not. */
const mostCalls = 4;

export type Toolbox = {
  tools: Tool[];
  /** The result for the model. Never throws because of what the model wrote. */
  run(call: ToolCall): Promise<string>;
};

/** The deltas of the whole reply, and the usage of each model call. @throws as chatStream(), and for a reply without words */
export async function* replyWithTools(
  models: ModelClient,
  options: ChatOptions,
  toolbox: Toolbox | null,
): AsyncGenerator<Exclude<ChatEvent, { type: "toolCalls" | "cut" }>> {
  const messages: ChatMessage[] = [...options.messages];
  let hasSaid = false;
  for (let round = 0; ; round++) {
    const mayCall = toolbox !== null && round < mostRounds;
    let calls: ToolCall[] = [];
    let said = "";
    for await (const event of models.chatStream({
      ...options,
      messages,
      ...(toolbox && round <= mostRounds ? { tools: toolbox.tools, mayCall } : {}),
    })) {
      if (event.type === "cut") continue;
      if (event.type === "toolCalls") {
        calls = event.calls;
        continue;
      }
      if (event.type === "delta") {
        // Text before a call becomes a paragraph of its own.
        if (said === "" && hasSaid && event.text.trim()) yield { type: "delta", text: "\n\n" };
        said += event.text;
      }
      yield event;
    }
    hasSaid ||= said.trim() !== "";
    // A reasoning model may spend its whole limit on thoughts.
    if (round === 0 && !hasSaid && calls.length === 0)
      throw new ModelError("bad_answer", sentenceOf("modelNoReply"));
    if (calls.length === 0 || !toolbox || round > mostRounds) return;
    // Ollama knows no tool_choice: a model that still calls is asked once more, without tools.
    if (!mayCall && hasSaid) return;
    if (!mayCall) continue;
    messages.push({ role: "assistant", content: said, toolCalls: calls });
    for (const [at, call] of calls.entries()) {
      options.signal?.throwIfAborted();
      const content =
        at < mostCalls ? await toolbox.run(call) : `Not run: at most ${mostCalls} calls at once.`;
      messages.push({ role: "tool", toolCallId: call.id, content });
    }
  }
}
