// Owns which test files load their modules anew. Loading modules is almost half of the unit suite's CPU time, so the other files of a
// worker share theirs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces a module, a global or a setting, or imports what does: settings are read once for each copy of their module. */
const REPLACES =
  /\bvi\.(mock|doMock|resetModules|stubEnv|stubGlobal|spyOn|useFakeTimers)\b|process\.env|console\.\w+ =|support\/\w+-stand\.ts/;

/**
 * Lists the test files of a folder by whether they need modules of their own.
 * @param folder such as "tests/unit"
 */
export function testFiles(folder: string): { own: string[]; shared: string[] } {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
  const own = paths.filter((path) => REPLACES.test(readFileSync(path, "utf8")));
  return { own, shared: paths.filter((path) => !own.includes(path)) };
}
