// The parts of the voice in code that a lint can check: opening lines, names of functions, and the length of a comment's sentences.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  childrenOf,
  functions,
  keyOf,
  type Node,
  nameOf,
  nodeAt,
  parseTree,
} from "../support/syntax-tree.ts";

const FOLDERS = ["edge-functions", "locales", "supabase", "tests", "web"];
const MOST_WORDS = 30;

const IRREGULAR = new Set(
  `asked begun blown borne bound bought broken brought built caught chosen done drawn driven eaten fallen felt forgotten found frozen
   given gone got grown had heard held hidden kept known laid led left lost made meant met paid ridden said seen sent shaken shown sold
   spent spoken stolen stood stuck sworn taken taught thought told torn understood woken worn written`.split(
    /\s+/,
  ),
);
/** Verbs and other words that only end like a participle. */
const NO_PARTICIPLES = new Set([
  "bed",
  "embed",
  "exceed",
  "feed",
  "heed",
  "need",
  "proceed",
  "seed",
  "shed",
  "speed",
  "succeed",
]);
/** What follows a participle without making it a noun. */
const FOLLOWERS =
  /^(After|Again|Alone|Anew|As|At|Back|Before|Behind|By|Directly|For|From|In|Of|On|Out|Over|Since|To|Up|When|With)$/;

/** True for `kept`, `askedOf` and `signedAnew`, false for `storedModels`, which names its result. */
function isParticiple(name: string): boolean {
  const [first = "", follower = "Of", ...more] = name.split(/(?=[A-Z])/);
  const isOne = IRREGULAR.has(first) || (/^[a-z]+ed$/.test(first) && !NO_PARTICIPLES.has(first));
  return isOne && more.length === 0 && FOLLOWERS.test(follower);
}

/** The name of a function or method that a node declares. Keys of objects are not names: many are codes or columns. */
function declaredName(node: Node): string {
  if (node.type === "FunctionDeclaration") return nameOf(nodeAt(node, "id"));
  if (node.type === "VariableDeclarator")
    return functions.test(nodeAt(node, "init")?.type ?? "") ? nameOf(nodeAt(node, "id")) : "";
  return /^(MethodDefinition|TSMethodSignature)$/.test(node.type) && node.kind !== "get"
    ? keyOf(nodeAt(node, "key"))
    : "";
}

function* declaredNames(node: Node): Generator<string> {
  const name = declaredName(node);
  if (name) yield name;
  for (const child of childrenOf(node)) yield* declaredNames(child);
}

const sentencesOf = (comment: string): string[] =>
  comment
    .replaceAll(/^\s*\*+ ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.;:!?]) | @(?:param|returns|throws) /);

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|mjs|js)$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name)),
);
const modules = files.map((path) => {
  const { program, comments } = parseTree(path, readFileSync(path, "utf8"));
  return { path, program, comments };
});

describe("a function", () => {
  test("is not named by a participle", () => {
    const found = modules.flatMap(({ path, program }) =>
      [...declaredNames(program)].filter(isParticiple).map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test.each(["kept", "askedOf", "changed", "signedAnew"])(
    "could be named %s, which would be found",
    (name) => {
      const { program } = parseTree("test.ts", `const ${name} = () => 1;`);
      expect([...declaredNames(program)].filter(isParticiple)).toEqual([name]);
    },
  );

  test.each(["keep", "storedModels", "read", "embed", "need"])("may be named %s", (name) => {
    expect(isParticiple(name)).toBe(false);
  });
});

test(`a comment's sentence has at most ${MOST_WORDS} words`, () => {
  const long = modules.flatMap(({ path, comments }) =>
    comments
      .flatMap(({ value }) => sentencesOf(value))
      .filter((sentence) => sentence.split(" ").filter(Boolean).length > MOST_WORDS)
      .map((sentence) => `${path}: ${sentence}`),
  );
  expect(long).toEqual([]);
});

test("every module opens with one to four lines on what it owns", () => {
  // A page's +config and +title have nothing to add to their names.
  const opening = /^(#!.*\n)?(\/\/ ?\S.*\n){1,4}(?!\/\/ ?\S)|^\/\*/;
  const without = files.filter(
    (path) => !/\/\+(config|title)\.ts$/.test(path) && !opening.test(readFileSync(path, "utf8")),
  );
  expect(without).toEqual([]);
});
