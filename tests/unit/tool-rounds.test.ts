// A reply of a model that may call tools, in rounds.
import { expect, it } from "vitest";
import type { ChatEvent, ModelClient } from "../../edge-functions/_shared/models/model-client.ts";
import { replyWithTools, type Toolbox } from "../../edge-functions/answering/tool-rounds.ts";

const usage: ChatEvent = { type: "usage", promptTokens: 1, completionTokens: 1 };
const call: ChatEvent = { type: "toolCalls", calls: [{ id: "a", name: "f", arguments: "{}" }] };
const toolbox: Toolbox = { tools: [], run: async () => "Three" };

/** The words of a reply whose rounds yield these events. */
async function read(rounds: ChatEvent[][], tools: Toolbox | null): Promise<string> {
  const models: ModelClient = {
    inUse: { chat: "m", embedding: "e", dimensions: 8, offline: false },
    embed: async () => [],
    async *chatStream() {
      yield* rounds.shift() ?? [];
    },
  };
  let text = "";
  for await (const event of replyWithTools(models, { messages: [] }, tools))
    if (event.type === "delta") text += event.text;
  return text;
}

it("fails when the model says nothing, with tools or without", async () => {
  for (const tools of [null, toolbox])
    await expect(read([[{ type: "delta", text: " \n" }, usage]], tools)).rejects.toMatchObject({
      kind: "bad_answer",
    });
});

it("is empty when the model says nothing about what its calls found", async () => {
  expect(await read([[call, usage], [usage]], toolbox)).toBe("");
});
