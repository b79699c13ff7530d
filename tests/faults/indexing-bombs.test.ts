// Files that are made to exhaust their reader are refused or cut off in time, and the next one is read.
import { expect, it } from "vitest";
import { runDeno } from "../support/indexing-stand.ts";

it("no file takes more than its time and memory, or stands in the way of the next", async () => {
  const lines = (await runDeno("tests/support/files/bombs-in-deno.ts")).trim().split("\n");
  const outcomes = lines.map((line) => JSON.parse(line));
  expect(outcomes.length).toBeGreaterThan(24);
  expect(outcomes.filter(({ isExpected }) => !isExpected)).toEqual([]);
  expect(outcomes.filter(({ after }) => after !== "Words.")).toEqual([]);
  // The limit is 512 MiB of heap in the thread; besides it there is the file and what it is unpacked into.
  expect(outcomes.filter(({ mib }) => mib > 1024)).toEqual([]);
  expect(outcomes.filter(({ seconds }) => seconds > 60)).toEqual([]);
});
