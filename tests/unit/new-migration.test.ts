// The command that creates an empty migration: its name, its number and its header.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMigration } from "../../supabase/local/new-migration.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-new-migration-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const noon = new Date("2026-12-01T12:00:00Z");

test("a migration is numbered by time, and its header states its purpose", () => {
  expect(createMigration(dir, "add_team_colors", "", noon)).toBe("20261201120000_add_team_colors.sql");
  const text = readFileSync(join(dir, "20261201120000_add_team_colors.sql"), "utf8");
  expect(text).toMatch(/^-- .*add team colors\.\n$/);
});

test("generated SQL is its content, without the comment about generating it", () => {
  const file = createMigration(
    dir,
    "new_types",
    "-- Generated.\n-- From types.\n\n-- Kept.\nselect 1;\n",
    noon,
  );
  expect(readFileSync(join(dir, file), "utf8")).toMatch(/^-- .*new types\.\n\n-- Kept\.\nselect 1;\n$/);
});

test("it sorts after every other, whatever the clock says", () => {
  writeFileSync(join(dir, "20270101000000_ahead.sql"), "");
  expect(createMigration(dir, "next", "", noon)).toBe("20270101000001_next.sql");
  expect(createMigration(dir, "next", "", noon)).toBe("20270101000002_next.sql");
});

test.each([undefined, "", "Add Colors", "add-colors", "../colors", "_colors", "1_colors", "colors.sql"])(
  "the name %j is rejected with a sentence",
  (name) => {
    expect(() => createMigration(dir, name, "", noon)).toThrow(
      /^A migration is named by lower case words .*\.$/,
    );
    expect(readdirSync(dir)).toEqual([]);
  },
);
