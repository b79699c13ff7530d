// A reply of a model that may call tools, in rounds.
import { expect, it } from "vitest";
import type {
  ChatEvent,
  ChatOptions,
  ModelClient,
} from "../../edge-functions/_shared/models/model-client.ts";
import { replyWithTools, type Toolbox } from "../../edge-functions/answering/tool-rounds.ts";

const usage: ChatEvent = { type: "usage", promptTokens: 1, completionTokens: 1 };
const call: ChatEvent = { type: "toolCalls", calls: [{ id: "a", name: "f", arguments: "{}" }] };
const toolbox: Toolbox = { tools: [], run: async () => "Three" };

/** The words of a reply whose rounds yield these events. */
async function read(
  rounds: ChatEvent[][],
  tools: Toolbox | null,
  calls: ChatOptions[] = [],
): Promise<string> {
  const models: ModelClient = {
    inUse: { chat: "m", embedding: "e", dimensions: 8, offline: false },
    embed: async () => [],
    async *chatStream(options) {
      calls.push(options);
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

it("is written without tools by a model that calls them although it may not", async () => {
  const calls: ChatOptions[] = [];
  const rounds = [
    [call],
    [call],
    [call],
    [call],
    [{ type: "delta", text: "Three." }],
  ] satisfies ChatEvent[][];
  expect(await read(rounds, toolbox, calls)).toBe("Three.");
  expect(calls.map(({ tools, mayCall }) => [tools !== undefined, mayCall])).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [true, false],
    [false, undefined],
  ]);
  expect(calls.at(-1)?.messages.filter(({ role }) => role === "tool")).toHaveLength(3);
  const endless = Array.from({ length: 9 }, () => [call]);
  expect(await read(endless, toolbox)).toBe("");
  expect(endless).toHaveLength(4);
});
