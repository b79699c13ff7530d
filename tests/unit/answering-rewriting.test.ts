// The rewriting of a follow-up by models that reply with more than the question.
import { expect, it } from "vitest";
import type { ModelClient } from "../../edge-functions/_shared/models/model-client.ts";
import { rewrite } from "../../edge-functions/answering/rewriting.ts";

const model = (text: string): ModelClient => ({
  inUse: { chat: "any", embedding: "any", dimensions: 8, offline: false },
  embed: () => Promise.reject(new Error("nothing is embedded")),
  async *chatStream() {
    yield { type: "delta", text };
  },
});

const asked = {
  model: "any",
  history: [{ role: "user" as const, content: "How many days of paid leave do I have?" }],
  question: "When do they expire?",
  signal: new AbortController().signal,
};
const whole = "When do unused days of paid leave expire?";

it.each([
  ["the question", whole],
  ["a code fence", `\`\`\`text\n${whole}\n\`\`\``],
  ["a sentence before", `Here is the rewritten question:\n\n"${whole}"`],
  ["a note behind", `${whole}\n\n(They are the days of paid leave.)`],
])("takes the question from %s", async (_name, said) => {
  expect((await rewrite(model(said), asked)).text).toBe(whole);
});

it.each(["", "Bananas are yellow.", JSON.stringify({ question: whole })])(
  "takes nothing from %j",
  async (said) => {
    expect((await rewrite(model(said), asked)).text).toBeNull();
  },
);

it("takes a message without a question mark", async () => {
  const text = "expiry of days of paid leave";
  expect((await rewrite(model(text), asked)).text).toBe(text);
});
