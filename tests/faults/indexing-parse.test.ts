// A document that takes too long or too much memory is cut off, in the runtime that parses it in production.
import { expect, it } from "vitest";
import { runDeno } from "../support/indexing-stand.ts";

it("cuts off a parse that takes too much, and goes on with the next", async () => {
  const outcomes = JSON.parse(await runDeno("tests/support/files/parse-in-deno.ts"));
  expect(outcomes.slow).toMatchObject({ code: "too_slow", message: expect.stringContaining("“slow.csv”") });
  expect(outcomes.hungry).toMatchObject({
    code: "too_slow",
    message: expect.stringContaining("“hungry.csv”"),
  });
  expect(outcomes).toMatchObject({ after: "Words.", again: "Words." });
});
