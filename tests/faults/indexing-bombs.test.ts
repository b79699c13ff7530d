// Files that exhaust a parser are refused or truncated within the promised time and memory, and the next file is parsed.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bombs } from "../support/files/bombs.ts";
import { runDeno, startIndexingStand } from "../support/indexing-stand.ts";

it("no file exceeds its time and memory, or blocks the next", async () => {
  const lines = (await runDeno("tests/support/files/bombs-in-deno.ts")).trim().split("\n");
  const outcomes = lines.map((line) => JSON.parse(line));
  expect(outcomes.length).toBeGreaterThan(24);
  expect(outcomes.filter(({ isExpected }) => !isExpected)).toEqual([]);
  expect(outcomes.filter(({ after }) => after !== "Words.")).toEqual([]);
  expect(outcomes.filter(({ seconds }) => seconds > 60)).toEqual([]);
});

/** A process's peak memory in MiB; 0 for one that has ended. */
function peakOf(pid: number | string): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean);
    } catch {
      return [];
    }
  });
}

const hasProc = readdirSync("/").includes("proc");

it.skipIf(!hasProc)("the production function and its parser stay below 512 MiB", async () => {
  const stand = await startIndexingStand();
  try {
    const names =
      /^(?:spaces|hidden|tags|large|attached|inflating|overlapping|long|cells|million|ten-thousand)\./;
    const chosen = bombs().filter(({ name }) => names.test(name));
    expect(chosen.length).toBeGreaterThan(9);
    const { knowledge, source } = await stand.knowledgeOf(
      Object.fromEntries([...chosen.map(({ name, bytes }) => [name, bytes]), ["words.txt", "Words."]]),
    );
    const worker = await stand.spawnFunction();
    const pid = worker.process.pid ?? 0;
    const peaks = new Map<string, number>();
    // A process that starts takes longer than this to get to its document, and the list is one file for each thread.
    let children: string[] = [];
    const list = setInterval(() => {
      children = childrenOf(pid);
    }, 100);
    const watch = setInterval(() => {
      for (const child of children) peaks.set(child, Math.max(peaks.get(child) ?? 0, peakOf(child)));
    }, 10);
    const task = await stand.enqueue("index", { knowledge });
    for (let more = true; more; ) more = (await (await worker.tick()).json()).more;
    clearInterval(list);
    clearInterval(watch);
    expect((await stand.task(task)).status).toBe("succeeded");
    const documents = await stand.documents(source);
    expect(documents.find(({ title }) => title === "words.txt")).toMatchObject({ status: "ready" });
    expect(documents.filter(({ status }) => status !== "ready" && status !== "failed")).toEqual([]);
    expect(peakOf(pid)).toBeGreaterThan(0);
    expect(peakOf(pid)).toBeLessThan(512);
    // The parser's processes: without one, nothing was parsed, or it was not seen.
    expect(peaks.size).toBeGreaterThan(0);
    expect([...peaks.values()].filter((mib) => mib > 512)).toEqual([]);
  } finally {
    await stand.stop();
  }
});
