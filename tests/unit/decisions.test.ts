// Checks the decision records' form, length and index, and that every mention refers to an existing record.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = "docs/decisions";
/** Of two pages. */
const MOST_WORDS = 1_200;
const records = readdirSync(folder)
  .filter((name) => name !== "README.md")
  .sort();
const numbers = new Set(records.map((name) => Number(name.slice(0, 4))));
const leftOut = new Set(
  "node_modules dist .git .parley coverage test-results playwright-report migrations fixtures".split(" "),
);
const texts = /\.(ts|tsx|mjs|js|sql|md|css|sh|ya?ml|example)$/;
const read = (path: string) => readFileSync(path, "utf8");

test("every record is named by number and subject, and no number is reused", () => {
  expect(records.filter((name) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(name))).toEqual([]);
  expect(numbers.size).toBe(records.length);
  const untitled = records.filter(
    (name) => !read(`${folder}/${name}`).startsWith(`# ${Number(name.slice(0, 4))}. `),
  );
  expect(untitled).toEqual([]);
});

test("every record has Context, Decision and Consequences, in this order", () => {
  for (const name of records) {
    const headings = read(`${folder}/${name}`).match(/^## .*$/gm);
    expect(headings, name).toEqual(["## Context", "## Decision", "## Consequences"]);
  }
});

test("every record has at most two pages", () => {
  const long = records.map((name) => [name, read(`${folder}/${name}`).split(/\s+/).length] as const);
  expect(long.filter(([, words]) => words > MOST_WORDS)).toEqual([]);
});

test("the index has one line per record, with its title", () => {
  const lines = records.map((name) => {
    const title = read(`${folder}/${name}`).match(/^# \d+\. (.*)$/m)?.[1];
    return `- [${Number(name.slice(0, 4))}](${name}): ${title}`;
  });
  expect(read(`${folder}/README.md`).match(/^- .*$/gm)).toEqual(lines);
});

test("every mention refers to an existing record", () => {
  const missing = filesIn(".").flatMap((path) => mentionsIn(path).map((mention) => `${path}: ${mention}`));
  expect(missing).toEqual([]);
});

/** Without migrations, which are never edited, fixtures, and generated files. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return leftOut.has(entry.name) ? [] : filesIn(path);
    return texts.test(entry.name) ? [path] : [];
  });
}

/** Mentions of a missing record in a file, by its file name or its number, and links whose number is another record's. */
function mentionsIn(path: string): string[] {
  const text = read(path);
  const named = [...text.matchAll(/decisions\/(\d{4}(?:-[a-z0-9-]+\.md)?)/g)].filter(
    ([, name = ""]) =>
      !records.some((record) => (name.endsWith(".md") ? record === name : record.startsWith(`${name}-`))),
  );
  const beside = path.startsWith(`${folder}/`)
    ? [...text.matchAll(/\]\((\d{4}-[^)#]+)/g)].filter(([, name = ""]) => !records.includes(name))
    : [];
  const numbered = [...text.matchAll(/\b[Dd]ecisions?\s+(\d{1,4})\b/g)].filter(
    ([, number]) => !numbers.has(Number(number)),
  );
  const mislabelled = [...text.matchAll(/(\d+)\]\([^)\s]*?(\d{4})-[a-z0-9-]+\.md/g)].filter(
    ([, label, number]) => Number(label) !== Number(number),
  );
  return [...named, ...beside, ...numbered, ...mislabelled].map(([mention]) => mention);
}
