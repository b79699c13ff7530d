// How many files the engine keeps open, by what its process may open.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesAtOnce } from "../../supabase/local/postgres/open-files.ts";

const proc = mkdtempSync(join(tmpdir(), "parley-proc-"));
afterAll(() => rmSync(proc, { recursive: true }));

test.each([
  ["256", 106],
  ["1024", 874],
  ["1048576", 1000],
  ["unlimited", 1000],
  ["100", 64],
])("of %s files, %i", (soft, expected) => {
  mkdirSync(join(proc, "self"), { recursive: true });
  writeFileSync(
    join(proc, "self/limits"),
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft.padEnd(21)}1048576              files     \n`,
  );
  expect(filesAtOnce(proc)).toBe(expected);
});

test("without the kernel's file, as many as Postgres keeps by itself", () => {
  expect(filesAtOnce(join(proc, "none"))).toBe(1000);
});
