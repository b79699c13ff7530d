// Owns which test files load their modules anew. Loading modules is almost half of the unit suite's CPU time, so the other files of a
// worker share theirs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces a module, a global or the clock: what it leaves could reach the next file. */
const REPLACES = /\bvi\.(mock|doMock|stubGlobal|spyOn|useFakeTimers)\b|console\.\w+ =/;
/** Changes settings, or imports what does: they are read once for each copy of their module. */
const SETS = /\bvi\.(resetModules|stubEnv)\b|\bstubSettings\b|process\.env|support\/\w+-stand\.ts/;

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
