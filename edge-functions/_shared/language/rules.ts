// Owns how the languages of documents are read together: a text may be in any of them, so that their words are one list and their
// patterns one pattern. No rule names a language: each is declared in locales/CODE/reading/. Pure.
import type { Language } from "../../../locales/language.ts";
import { languages } from "../../../locales/languages.ts";
import type { Reading } from "../../../locales/reading.ts";
import type { LanguageCode } from "../../../locales/registry.ts";

export type { LanguageCode };

const declared: readonly Language[] = languages;

/** The languages whose documents are read, in the order of their declaration. */
export const readings: readonly { code: LanguageCode; reading: Reading }[] = declared.flatMap(
  ({ code, reading }) => (reading ? [{ code: code as LanguageCode, reading }] : []),
);

/** What a language declares for its documents; undefined where it declares nothing. */
export function readingOf(code: LanguageCode): Reading | undefined {
  return readings.find((one) => one.code === code)?.reading;
}

/** A part of every language that has it. */
export function everyOne<Part>(pick: (reading: Reading) => Part | undefined): Part[] {
  return readings.map(({ reading }) => pick(reading)).filter((part) => part !== undefined);
}

/** The source of a pattern that matches where one of theirs does; the earlier language comes first. Matches nothing where none has one. */
export function either(pick: (reading: Reading) => RegExp | undefined): string {
  const sources = everyOne(pick).map(({ source }) => source);
  return `(?:${sources.length > 0 ? sources.join("|") : "(?!)"})`;
}

/** The same as a pattern of its own. */
export const eitherOf = (pick: (reading: Reading) => RegExp | undefined, flags = "iu"): RegExp =>
  new RegExp(either(pick), flags);

/** The words of a list, of all languages, each once. */
export function wordList(pick: (reading: Reading) => string | undefined): string[] {
  return [...new Set(everyOne(pick).flatMap((text) => text.split(/\s+/).filter(Boolean)))];
}

/** The source of a pattern of these texts as they stand, the longest first. */
export function oneOf(texts: string[]): string {
  const longest = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return longest.length > 0
    ? longest.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
    : "(?!)";
}
