// The folder of a test run's temporary files (tests/support/runner/scratch.mjs).
import { existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { makeScratch } from "../support/runner/scratch.mjs";

afterEach(() => void vi.unstubAllEnvs());

/** No process has this id: it's above Linux's limit. */
const NOBODY = 4_194_305;

test("a run's temporary files are in a folder that others may write to, and go with it", () => {
  vi.stubEnv("LASTING_TMPDIR", undefined);
  const before = tmpdir();
  vi.stubEnv("TMPDIR", before);
  const { folder, remove } = makeScratch();
  expect(tmpdir()).toBe(folder);
  expect(process.env.LASTING_TMPDIR).toBe(before);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  writeFileSync(join(mkdtempSync(join(tmpdir(), "parley-a-test-")), "file"), "kept nowhere");
  remove();
  expect(existsSync(folder)).toBe(false);
});

test.runIf(existsSync("/proc/self"))(
  "the folder of a killed run is deleted, that of a running one is not",
  () => {
    vi.stubEnv("TMPDIR", tmpdir());
    vi.stubEnv("LASTING_TMPDIR", tmpdir());
    const first = makeScratch();
    const killed = join(dirname(first.folder), `parley-run-${NOBODY}-aaaaaa`);
    mkdirSync(join(killed, "database"), { recursive: true });
    const second = makeScratch();
    expect(existsSync(killed)).toBe(false);
    expect(existsSync(first.folder)).toBe(true);
    for (const { remove } of [first, second]) remove();
  },
);
