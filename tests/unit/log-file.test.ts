// The log of a process while its disk is full.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { LogFile } from "../../supabase/local/log-file.ts";

/** What the disk still takes, in bytes. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY }));
vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs")>();
  const writeSync = (file: number, data: string | Buffer) => {
    const part = Buffer.from(data).subarray(0, disk.room);
    if (part.length === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    disk.room -= part.length;
    return real.writeSync(file, part);
  };
  return { ...real, writeSync };
});

const dir = mkdtempSync(join(tmpdir(), "parley-log-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("a line after a cut one is whole", () => {
  const log = new LogFile(join(dir, "part.log"));
  log.write('{"n":1}\n');
  disk.room = 4;
  log.write('{"n":2}\n');
  log.write('{"n":3}\n');
  disk.room = Number.POSITIVE_INFINITY;
  log.write('{"n":4}\n');
  log.write(Buffer.from('{"n":5}\n'));
  expect(readFileSync(log.path, "utf8").split("\n")).toEqual(['{"n":1}', '{"n"', '{"n":4}', '{"n":5}', ""]);
});

test("the last message of a crash is its error", () => {
  const log = new LogFile(join(dir, "crash.log"));
  log.write(
    "    throw new Error(1);\n          ^\n\nError: /auth/login answered 503\n    at send (file:///seed.js:93:12)\n\nNode.js v20.20.2\n",
  );
  expect(log.lastMessage()).toBe("Error: /auth/login answered 503");
});
