// A document that takes too much time or memory is cut off, in production's parsing runtime.
import { expect, it } from "vitest";
import { runDeno } from "../support/indexing-stand.ts";

it("the parser reads every format, cuts off an excessive parse, and continues with the next", async () => {
  const outcomes = JSON.parse(await runDeno("tests/support/files/parse-in-deno.ts"));
  expect(Object.keys(outcomes.formats).length).toBeGreaterThan(12);
  expect(outcomes.damaged).toMatchObject({ code: "scanned" });
  expect(outcomes.behind, "the file behind one that leaves a failure in its process").toBe("Words.");
  expect(Object.entries(outcomes.formats).filter(([, isRead]) => !isRead)).toEqual([]);
  expect(outcomes.slow).toMatchObject({ code: "too_slow", message: expect.stringContaining("“slow.csv”") });
  expect(outcomes.hungry).toMatchObject({
    code: "too_slow",
    message: expect.stringContaining("“hungry.csv”"),
  });
  expect(outcomes).toMatchObject({ after: "Words.", again: "Words." });
});
