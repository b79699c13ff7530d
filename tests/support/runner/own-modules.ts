// Owns which test files load their modules anew. Loading modules is almost half of the unit suite's CPU time, so the other files of a
// worker share theirs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces a module or writes over a global: what it leaves could reach the next file. */
const REPLACES = /\bvi\.(mock|doMock)\b|console\.\w+ =/;
/**
 * Changes settings, or imports what does: they are read once for each copy of their module. Or replaces a function, a global or the clock,
 * which tests/support/fresh-modules.ts puts back.
 */
const SETS =
  /\bvi\.(resetModules|stubEnv|stubGlobal|spyOn|useFakeTimers)\b|\bstubSettings\b|process\.env|support\/\w+-stand\.ts/;

export interface TestFiles {
  /** Alone in a worker. */
  alone: string[];
  /** With modules and settings of their own. */
  own: string[];
  shared: string[];
}

/**
 * Lists the test files of a folder by what they may share with others.
 * @param folder such as "tests/unit"
 */
export function testFiles(folder: string): TestFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
  const files: TestFiles = { alone: [], own: [], shared: [] };
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    files[REPLACES.test(text) ? "alone" : SETS.test(text) ? "own" : "shared"].push(path);
  }
  return files;
}
