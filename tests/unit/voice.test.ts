// The parts of the voice that a lint can check: French spaces, one name per thing, and the form of a commit's subject.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { summaryOf } from "../../web/pages/content/summary.ts";
import { frenchFiles, withNoBreakSpaces } from "../support/french-spaces.ts";

/** Patterns that one word cannot express, beside the words of docs/glossary.md. */
const NOT_SAID: Record<string, [RegExp, string][]> = {
  en: [
    [/\ba knowledge(?! base)\b/i, "a knowledge base"],
    [/\b(organis|summaris|recognis)/i, "the American spelling"],
    [/\boops\b(?!! Something Went Wrong)/i, "what happened"],
    [/\beverybody\b/i, "everyone"],
  ],
  fr: [
    [/\bdemander l’agent\b/i, "poser une question à l’agent"],
    [
      /\b[Vv]ous (êtes|restez|serez) (de nouveau )?(connecté|déconnecté|invité|inscrit)\b/,
      "the same without a gender",
    ],
    [/\w\(e\)/, "the same without a gender"],
  ],
};

/** The names of things and their rejected synonyms, by language. */
const glossary = readFileSync("docs/glossary.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (---|English)/.test(line))
  .map((line) =>
    line
      .slice(2, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

/** @param column of the name; its synonyms are two columns on */
const notInGlossary = (column: number): [RegExp, string][] =>
  glossary.flatMap((row) =>
    (row[column + 2] ?? "")
      .split(", ")
      .filter(Boolean)
      .map((word): [RegExp, string] => [
        new RegExp(`(?<![\\p{L}\\d-])${word}(?![\\p{L}\\d-])`, "iu"),
        row[column] ?? "",
      ]),
  );

/** The subjects of commits have had this form since then. */
const SINCE = "2026-11-22T16:00:00Z";

function* texts(value: unknown, key = ""): Generator<[string, string]> {
  if (typeof value === "string") yield [key, value];
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* texts(inner, `${key}.${name}`);
}

test("the summary of a French page keeps its no-break spaces", () => {
  const summaries = frenchFiles()
    .filter((path) => path.endsWith(".md"))
    .map((path) => summaryOf(readFileSync(path, "utf8")));
  expect(summaries.filter((text) => text.includes("\u00a0")).length).toBeGreaterThan(0);
  expect(summaries.map(withNoBreakSpaces)).toEqual(summaries);
});

test("no component joins a label and its value itself: a language may need a space between them", () => {
  const joined = ["ui", "pages", "islands", "layouts"].flatMap((folder) =>
    readdirSync(join("web", folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".tsx"))
      .filter((path) => /\}: \$\{/.test(readFileSync(join("web", folder, path), "utf8"))),
  );
  expect(joined).toEqual([]);
});

describe.each(Object.entries(NOT_SAID))("%s", (locale, alone) => {
  const words = [...alone, ...notInGlossary(locale === "en" ? 0 : 1)];
  const findMisnamed = (place: string, text: string) =>
    words.flatMap(([word, instead]) => (word.test(text) ? [`${place}: “${text}”: say ${instead}`] : []));

  const files = readdirSync(join("locales", locale)).filter((name) => name.endsWith(".json"));
  test.each(files)("%s uses one name for each thing", (file) => {
    const entries = [...texts(JSON.parse(readFileSync(join("locales", locale, file), "utf8")))];
    expect(entries.flatMap(([key, text]) => findMisnamed(key, text))).toEqual([]);
  });

  const guides = readdirSync(join("web/content", locale), { recursive: true, encoding: "utf8" });
  test.each(guides.filter((name) => name.endsWith(".md")))("%s uses the same names", (file) => {
    const lines = readFileSync(join("web/content", locale, file), "utf8").split("\n");
    expect(lines.flatMap((line, index) => findMisnamed(`line ${index + 1}`, line))).toEqual([]);
  });
});

test.each(frenchFiles())(
  "%s has a no-break space before each sign that needs one (npm run locales)",
  (path) => {
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.filter((line) => withNoBreakSpaces(line) !== line)).toEqual([]);
  },
);

test("a commit's subject is an area and a change, in at most 72 characters", () => {
  // An archive of the code has no history.
  const log = existsSync(".git")
    ? execFileSync("git", ["log", "--no-merges", `--since=${SINCE}`, "--format=%s"], { encoding: "utf8" })
    : "";
  const subjects = log.split("\n").filter(Boolean);
  expect(subjects.filter((one) => one.length > 72 || !/^[a-z0-9][a-z0-9 ,/-]*: \S/.test(one))).toEqual([]);
});
