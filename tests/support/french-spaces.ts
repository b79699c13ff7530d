// Owns the no-break spaces of French: one before ; : ! ? and », one after «, one between a number and its unit. `npm run locales` inserts
// them; a test checks them.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const NO_BREAK = "\u00a0";

/** The same text with no-break spaces. */
export const withNoBreakSpaces = (text: string): string =>
  text
    .replaceAll(/[ \u202f](?=[;:!?»])/g, NO_BREAK)
    .replaceAll(/«[ \u202f]/g, `«${NO_BREAK}`)
    .replaceAll(/(?<=\d|\}\})[ \u202f](?=[€£$%]|(?:[KMG]i?o|s|min)(?![\p{L}\d]))/gu, NO_BREAK);

/**
 * The files with French text: the interface and the guides. Not the words of answers, which are quoted, asked again and compared as text.
 */
export const frenchFiles = (): string[] =>
  ["locales/fr", "web/content/fr"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(json|md)$/.test(path) && path !== "answers.json")
      .map((path) => join(folder, path)),
  );
