// Owns `npm run locales`: what words need besides their translation.
import { readFileSync, writeFileSync } from "node:fs";
import { declareWordFiles } from "./declared-words.ts";
import { frenchFiles, withNoBreakSpaces } from "./french-spaces.ts";

writeFileSync("tests/support/word-files.ts", declareWordFiles());
for (const path of frenchFiles()) {
  const text = readFileSync(path, "utf8");
  const spaced = withNoBreakSpaces(text);
  if (spaced !== text) writeFileSync(path, spaced);
}
