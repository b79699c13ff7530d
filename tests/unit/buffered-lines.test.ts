// Buffered log output: lines of one moment in one write, and none lost at the end of the process.
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bufferedLines } from "../../edge-functions/_shared/operation/buffered-lines.ts";
import { denoPath } from "../support/deno-function.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function buffer() {
  const written: string[] = [];
  return { written, ...bufferedLines((text) => written.push(text)) };
}

test("lines of one moment are written at once, in order, without delaying the next", () => {
  const { add, written } = buffer();
  add("one");
  add("two");
  expect(written).toEqual([]);
  vi.runAllTimers();
  add("three");
  vi.runAllTimers();
  expect(written).toEqual(["one\ntwo", "three"]);
});

test("a full buffer is written immediately, and nothing twice", () => {
  const { add, flush, written } = buffer();
  const long = "x".repeat(20_000);
  add(long);
  expect(written).toEqual([long]);
  flush();
  vi.runAllTimers();
  expect(written).toEqual([long]);
});

test.each([
  ["Node", process.execPath, ["--import", "tsx", "--input-type=module", "--eval"], "process.exit(0)"],
  ["Deno", denoPath(), ["eval", "--no-config", "--node-modules-dir=manual"], "Deno.exit(0)"],
])("the buffer is written when the process ends, under %s", (_name, command, args, end) => {
  const module = new URL("../../edge-functions/_shared/operation/buffered-lines.ts", import.meta.url);
  const program = `import { bufferedLines } from "${module}"; bufferedLines(console.log).add("the last words"); ${end};`;
  expect(execFileSync(command, [...args, program], { encoding: "utf8" })).toBe("the last words\n");
});
