// The built-in model's reply as it streams: few pieces, nothing lost, and soon done.
import { expect, test } from "vitest";
import { createApp } from "../../supabase/local/models/app.ts";
import { byClauses, byWords, streamInPieces } from "../../supabase/local/models/pacing.ts";

const sentence =
  "Everyone has 27 days of paid leave per calendar year, plus the public holidays of their country. [1]";

test.each([
  ["", []],
  ["Yes.", ["Yes."]],
  [sentence, 1],
  [`${sentence}\n\n${sentence}`, 2],
  [`${sentence}\n`.repeat(40), 4],
  // A text without a space is one word.
  ["x".repeat(3_000), 1],
])("a reply is a few whole pieces: %#", (text, wanted) => {
  const { pieces } = byClauses(text);
  expect(pieces.join("")).toBe(text);
  if (typeof wanted === "number") expect(pieces).toHaveLength(wanted);
  else expect(pieces).toEqual(wanted);
});

test("a piece ends with a clause", () => {
  const [first] = byClauses(`${sentence}\n\n${sentence}`).pieces;
  expect(first).toBe(sentence);
});

test("a stream has a pause between two texts, and ends when its reader leaves", async () => {
  const reader = streamInPieces(["one", "two", "three"], 50).getReader();
  await reader.read();
  const since = performance.now();
  await reader.read();
  // Node may fire a timer a millisecond early.
  expect(performance.now() - since).toBeGreaterThan(45);
  await reader.cancel();
  expect((await reader.read()).done).toBe(true);
});

test("a slow model sends more pieces than a usual one, which sends at most four", async () => {
  const messages = [{ role: "user", content: "Hello" }];
  const ask = async (app: ReturnType<typeof createApp>) => {
    const body = JSON.stringify({ model: "offline-extract", stream: true, messages });
    const response = await app.request("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const text = await response.text();
    return text.match(/"delta":\{"content"/g)?.length ?? 0;
  };
  const usual = await ask(createApp());
  const slow = await ask(createApp({ pace: (reply) => byWords(reply, 1) }));
  expect(usual).toBeGreaterThan(0);
  expect(usual).toBeLessThanOrEqual(4);
  expect(slow).toBeGreaterThan(usual);
});
