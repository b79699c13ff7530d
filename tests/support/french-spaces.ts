// Owns the no-break spaces of French: one before ; : ! ? and », one after «, one between a number and its unit. `npm run locales` puts
// them in; a test asks whether they are.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NO_BREAK = "\u00a0";

/** The same text with the spaces that must not break a line. */
export const withNoBreakSpaces = (text: string): string =>
  text
    .replaceAll(/[ \u202f](?=[;:!?»])/g, NO_BREAK)
    .replaceAll(/«[ \u202f]/g, `«${NO_BREAK}`)
    .replaceAll(/(?<=\d|\}\})[ \u202f](?=[€£$%]|(?:[KMG]i?o|s|min)(?![\p{L}\d]))/gu, NO_BREAK);

/** The files of French words: the interface's and the guides. Not what answers say, which is quoted, asked again and compared as text. */
export const frenchFiles = (): string[] =>
  ["locales/fr", "web/content/fr"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(json|md)$/.test(path) && path !== "answers.json")
      .map((path) => join(folder, path)),
  );

if (import.meta.filename === process.argv[1])
  for (const path of frenchFiles()) {
    const text = readFileSync(path, "utf8");
    const spaced = withNoBreakSpaces(text);
    if (spaced !== text) writeFileSync(path, spaced);
  }
