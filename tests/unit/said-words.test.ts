// Tests of screens look words up by key, so that a reworded sentence changes in locales/ only.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { languageCodes } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";
import { declareWordFiles } from "../support/declared-words.ts";
import { childrenOf, type Node, nodesIn, parseTree } from "../support/syntax-tree.ts";
import { say, sayAny, sayIn, wordsIn } from "../support/words.ts";

/** Sentences fixed by the specification: there the test's sentence is the requirement. */
const FIXED =
  /^(errors:(UNEXPECTED_ERROR|USER_\w+)\.(title|fallback)|teams:invitation\.|app:error\.(notFound\w+|title)$)/;
const FEWEST_WORDS = 3;

const folders = ["tests/e2e", "tests/v1", "tests/unit"];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

function* flat(words: Words, prefix: string): Generator<[key: string, text: string]> {
  for (const [name, inner] of Object.entries(words))
    if (typeof inner === "string") yield [prefix + name, inner];
    else yield* flat(inner, `${prefix}${name}.`);
}

const keys = new Map<string, string[]>();
for (const language of languageCodes)
  for (const [file, words] of Object.entries(wordsIn(language)))
    for (const [key, text] of flat(words, `${file}:`))
      if (text.split(/\s+/).length >= FEWEST_WORDS) keys.set(text, [...(keys.get(text) ?? []), key]);

/** A file's literal texts, without template values. */
function* literals(node: Node): Generator<string> {
  const [quasi] = nodesIn(node.quasis);
  if (node.type === "Literal" && typeof node.value === "string") yield node.value;
  else if (node.type === "TemplateLiteral" && nodesIn(node.expressions).length === 0 && quasi)
    yield (quasi.value as { cooked: string }).cooked;
  for (const child of childrenOf(node)) yield* literals(child);
}

const literalsIn = (text: string): string[] => [...literals(parseTree("test.tsx", text).program)];
const findRepeated = (texts: string[]): string[] =>
  texts.flatMap((text) => {
    const known = keys.get(text)?.filter((key) => !FIXED.test(key)) ?? [];
    return known.length > 0 ? [`“${text}”: say("${known.join('") or say("')}")`] : [];
  });

test.each(files)("%s has no literal words that locales/ has", (file) => {
  expect(findRepeated(literalsIn(readFileSync(file, "utf8")))).toEqual([]);
});

test("literal words are found; fixed and assembled ones are not", () => {
  const text = say("agents:nameMissing");
  expect(
    findRepeated(literalsIn(`said(page, ${JSON.stringify(text)}); said(page, \`${text}\`)`)),
  ).toHaveLength(2);
  expect(
    findRepeated(literalsIn(`said(page, "Account Not Found"); said(page, \`\${name} ${text}\`)`)),
  ).toEqual([]);
});

test("every file of words is listed, so that its keys are checked", () => {
  expect(readFileSync("tests/support/word-files.ts", "utf8"), "npm run locales").toBe(declareWordFiles());
});

test("words are looked up by key, with values and plural", () => {
  expect(say("users:invited", { count: 1 })).not.toBe(say("users:invited", { count: 2 }));
  expect(sayIn("fr")("users:invited", { count: 2 })).toContain("2");
  expect(() => say("users:invited")).toThrow();
  expect(() => say("tasks:history.number", { count: 1 })).toThrow("A value is missing");
  expect(() => say("no:such.key" as "app:save")).toThrow("no:such.key");
  expect(say("tasks:history.number", { number: 12 })).toMatch(
    sayAny("tasks:history.number", { number: /\d+/ }),
  );
  expect("Attempt twelve").not.toMatch(sayAny("tasks:history.number", { number: /\d+/ }));
});
