// What is known of a process is the same with `ps` as with /proc: who it is, and whether it has ended.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { factsOf } from "../../supabase/local/process-facts.ts";

const NONE = "/nowhere";
const places = [
  ...(existsSync("/proc/self/stat") ? ["/proc"] : []),
  ...(spawnSync("ps").error ? [] : [NONE]),
];

test.each(places)("a process is known by its start, with %s", async (proc) => {
  const { state, started } = factsOf(process.pid, proc);
  expect(state).toMatch(/^[A-Z]$/);
  expect(started).not.toBe("");
  expect(factsOf(process.pid, proc).started).toBe(started);
  const later = spawn("sleep", ["100"]);
  try {
    expect(factsOf(later.pid ?? 0, proc).started).not.toBe(started);
  } finally {
    later.kill("SIGKILL");
  }
  expect(factsOf(999_999_999, proc)).toEqual({ state: "", started: "" });
});

test.each(places)("a process that nobody has reaped has ended, with %s", async (proc) => {
  const shell = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 100"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const pid = await new Promise<number>((resolve) =>
      shell.stdout.once("data", (text) => resolve(Number(text))),
    );
    await expect.poll(() => factsOf(pid, proc).state).toBe("Z");
  } finally {
    shell.kill("SIGKILL");
  }
});

// Small images of Linux have no `ps`.
test.runIf(places.includes(NONE))("a start is told in the same words in any time zone", () => {
  const { TZ } = process.env;
  const { started } = factsOf(process.pid, NONE);
  process.env.TZ = "Asia/Tokyo";
  expect(factsOf(process.pid, NONE).started).toBe(started);
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});
