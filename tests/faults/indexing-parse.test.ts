// A document that takes too long or too much memory is cut off, in the runtime that parses it in production.
import { expect, it } from "vitest";
import { runDeno } from "../support/indexing-stand.ts";

it("reads every format, cuts off a parse that takes too much, and goes on with the next", async () => {
  const outcomes = JSON.parse(await runDeno("tests/support/files/parse-in-deno.ts"));
  expect(Object.keys(outcomes.formats).length).toBeGreaterThan(12);
  expect(Object.entries(outcomes.formats).filter(([, isRead]) => !isRead)).toEqual([]);
  expect(outcomes.slow).toMatchObject({ code: "too_slow", message: expect.stringContaining("“slow.csv”") });
  expect(outcomes.hungry).toMatchObject({
    code: "too_slow",
    message: expect.stringContaining("“hungry.csv”"),
  });
  expect(outcomes).toMatchObject({ after: "Words.", again: "Words." });
});
