// Records what the present parsers and chunking make of files: npm run readings. Refuses while a version has to rise first.
import { readFileSync, writeFileSync } from "node:fs";
import { type Readings, readFiles, readingsPath, versionsToRaise } from "./readings.ts";

const before: Readings = JSON.parse(readFileSync(readingsPath, "utf8"));
const now = await readFiles();
const missing = versionsToRaise(before, now);
if (missing.length > 0) {
  console.error(`Raise first, so that files read before are read again:\n${missing.join("\n")}`);
  process.exitCode = 1;
} else {
  writeFileSync(readingsPath, `${JSON.stringify(now, null, 2)}\n`);
}
