// The file of a backup on a full disk: which stream fails first depends on how much was written.
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ArchiveWriter } from "../../supabase/local/backup/archive.ts";

// macOS has no such device.
test.runIf(existsSync("/dev/full"))("a disk that fills during a large backup is named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-archive-"));
  const path = join(folder, "large.backup");
  symlinkSync("/dev/full", `${path}.unfinished`);
  const archive = await ArchiveWriter.open(path);
  const write = async () => {
    for (let at = 0; at < 200; at++) await archive.add(`part-${at}`, randomBytes(40_000));
  };
  await expect(write()).rejects.toThrow(/^The disk that holds .*large\.backup is full: /);
  await archive.abandon();
  expect(existsSync(path)).toBe(false);
  rmSync(folder, { recursive: true });
});
