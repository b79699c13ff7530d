// A sentence for people stands in a catalogue once, with its translations: code gives its code. A sentence for developers stands in code
// once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { problemIn } from "../../edge-functions/_shared/text/problems.ts";
import errors from "../../locales/en/errors.json" with { type: "json" };
import problems from "../../locales/en/problems.json" with { type: "json" };
import { defaultLanguage, type LanguageCode, languageCodes } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";
import { childrenOf, keyOf, type Node, nameOf, nodeAt, nodesIn, parseTree } from "../support/syntax-tree.ts";
import { wordsIn } from "../support/words.ts";

/** What these write is stored, and read on screens and in tasks in the reader's language. */
const forPeople =
  /^edge-functions\/(indexing|importing|answering|_shared\/(models|outbound))\/|^web\/(?!gallery)/;
/** Sentences there that no person reads in the interface, and why. */
const exceptions: [file: RegExp, why: string][] = [
  [/indexing\/(server|page-reader)\.ts$/, "the schedule reads the one, a model the other"],
  [/indexing\/connectors\/(agent-chat|notion)\/transform\.ts$/, "part of the text that is indexed"],
  [
    /answering\/(prompt|rewriting|support-judge|table-tool|table-toolbox|tool-rounds)\.ts$/,
    "a model reads it",
  ],
  [/models\/vectors\.ts$/, "advice for the operator's log"],
  [/^web\/(request|sdk|client)\//, "developers read it in an API answer or a console"],
];
/** Documentation of the API and of metrics, which is English, and its examples. */
const documentation = /^(describe|description|summary|help|example|examples)$/;
/** Files of sentences, whose own literals are the one place of each. */
const catalogues = /_shared\/(text\/former-problems|requests\/(errors|refusals))\.ts$/;

/** A file's sentences, with X in each gap. */
function* sentencesIn(node: Node): Generator<string> {
  if (node.type === "Property" && documentation.test(keyOf(nodeAt(node, "key")))) return;
  if (documentation.test(nameOf(nodeAt(nodeAt(node, "callee") ?? node, "property")))) return;
  const text =
    node.type === "TemplateLiteral"
      ? nodesIn(node.quasis)
          .map(({ value }) => (value as { cooked: string }).cooked)
          .join("X")
      : node.type === "Literal"
        ? String(node.value)
        : "";
  if (/^[A-Z“`].*\s.*[a-z]{3}.*[\w)}”`]\.$/.test(text)) yield text;
  for (const child of childrenOf(node)) yield* sentencesIn(child);
}

/** The calls of sentenceOf with a literal code: the code, and the names of the parameters. */
function* callsIn(node: Node): Generator<[code: string, names: string[]]> {
  if (node.type === "CallExpression" && nameOf(nodeAt(node, "callee")) === "sentenceOf") {
    const [code, params] = nodesIn(node.arguments);
    const properties = nodesIn(params?.properties);
    const isPlain = !params || (params.type === "ObjectExpression" && properties.every(({ key }) => key));
    if (code?.type === "Literal" && isPlain)
      yield [String(code.value), properties.map((one) => keyOf(nodeAt(one, "key")))];
  }
  for (const child of childrenOf(node)) yield* callsIn(child);
}

const modules = ["edge-functions", "web"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => {
      const tree = parseTree(path, readFileSync(path, "utf8")).program;
      return { path, sentences: [...sentencesIn(tree)], calls: [...callsIn(tree)] };
    }),
);

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}+/gu));
/** True when most words of two sentences are the same ones. */
function isNear(one: Set<string>, other: Set<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return one.size > 4 && shared / (one.size + other.size - shared) > 0.75;
}
const catalogued = [...Object.values(problems.sentences), ...Object.values(errors.refusals)];
const wordsOfCatalogue = catalogued.map((text) => [text, wordsOf(text)] as const);
const findRepeated = (sentence: string): string | undefined =>
  (problemIn(sentence) && sentence) ??
  wordsOfCatalogue.find(([text, words]) => text === sentence || isNear(words, wordsOf(sentence)))?.[0];

test("no sentence in code repeats one of a catalogue, or nearly", () => {
  const repeated = modules
    .filter(({ path }) => !catalogues.test(path))
    .flatMap(({ path, sentences }) =>
      sentences.flatMap((one) => {
        const known = findRepeated(one);
        return known ? [`${path}: “${one}” repeats “${known}”`] : [];
      }),
    );
  expect(repeated).toEqual([]);
});

test("no sentence stands in code twice", () => {
  const all = modules.flatMap(({ path, sentences }) => sentences.map((one) => ({ path, one })));
  const first = new Map(all.toReversed().map(({ path, one }) => [one, path]));
  const twice = all.filter((found, place) => all.findIndex(({ one }) => one === found.one) < place);
  expect(twice.map(({ path, one }) => `${path} and ${first.get(one)}: “${one}”`)).toEqual([]);
});

test("a sentence for people is in a catalogue, with every language", () => {
  const strange = modules
    .filter(({ path }) => forPeople.test(path) && !exceptions.some(([file]) => file.test(path)))
    .flatMap(({ path, sentences }) => sentences.map((one) => `${path}: “${one}”`));
  expect(strange).toEqual([]);
});

/** Equal sentences that are not one thing, and why. */
const apart: [key: RegExp, why: string][] = [
  [/^errors:refusals\./, "programs read the code, and each has a sentence"],
  [/^source-\w+:fields\./, "a connector's file is complete without the others"],
  [/^(chat:support|slack:)/, "Slack has the messages of the API, the chat those of its island"],
];

/** The texts of a file by key. A plural has one key. */
function* textsOf(prefix: string, words: Words): Generator<[key: string, text: string]> {
  for (const [name, inner] of Object.entries(words))
    if (typeof inner === "string") yield [(prefix + name).replace(/_(one|other)$/, ""), inner];
    else yield* textsOf(`${prefix}${name}.`, inner);
}
const textsIn = (language: LanguageCode) =>
  Object.entries(wordsIn(language)).flatMap(([file, words]) => [...textsOf(`${file}:`, words)]);

/** Shorter texts are labels, which may name several things. */
const isSentence = (text: string) => text.split(" ").length > (text.includes("{{") ? 2 : 4);

test("a sentence that is the same in every language has one key", () => {
  const languages = languageCodes.map((language) => new Map(textsIn(language)));
  const keys = textsIn(defaultLanguage).flatMap(([key, text]) =>
    isSentence(text) && !apart.some(([known]) => known.test(key)) ? [key] : [],
  );
  const isSame = (one: string, other: string) =>
    one !== other && languages.every((texts) => texts.get(one) === texts.get(other));
  expect(keys.filter((key) => keys.some((other) => isSame(key, other)))).toEqual([]);
});

test.each(exceptions)("%s is an exception that is still needed: %s", (file) => {
  const excepted = modules.filter(({ path }) => forPeople.test(path) && file.test(path));
  expect(excepted.flatMap(({ sentences }) => sentences)).not.toEqual([]);
});

test("every call of sentenceOf fills the gaps of its sentence", () => {
  const found = modules.flatMap(({ calls }) => calls);
  expect(found.length).toBeGreaterThan(200);
  for (const [code, names] of found) {
    const sentence = problems.sentences[code as keyof typeof problems.sentences];
    const gaps = [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
    expect([code, ...names.sort()]).toEqual([code, ...gaps.sort()]);
  }
});

test.each([
  ['throw new SourceRefused("The site is closed on this day.");', ["The site is closed on this day."]],
  ["note(`The page ${" + "page} cannot be shown.`);", ["The page X cannot be shown."]],
  ['z.string().describe("The name of the team.");', []],
  ['({ summary: "Read an agent of the team." });', []],
])("in %s, the sentences are %s", (code, sentences) => {
  expect([...sentencesIn(parseTree("test.ts", code).program)]).toEqual(sentences);
});

test("a sentence in other order, or with one word changed, repeats the catalogue's", () => {
  expect(findRepeated("There is nothing to see at this address.")).toBe(problems.sentences.nothingToRead);
  expect(findRepeated("The moon is made of green cheese.")).toBeUndefined();
});
