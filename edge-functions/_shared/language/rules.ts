// Owns how the declared document languages are combined: a text may be in any of them, so their words form one list and their patterns
// one pattern. No rule names a language: each is declared in locales/CODE/reading/. Pure.
import type { Language } from "../../../locales/language.ts";
import { languages } from "../../../locales/languages.ts";
import type { Reading } from "../../../locales/reading.ts";
import type { LanguageCode } from "../../../locales/registry.ts";

export type { LanguageCode };

const declared: readonly Language[] = languages;

/** The languages that documents are read in, in declaration order. */
export const readings: readonly { code: LanguageCode; reading: Reading }[] = declared.flatMap(
  ({ code, reading }) => (reading ? [{ code: code as LanguageCode, reading }] : []),
);

/** A language's rules for documents; undefined if it declares none. */
export function readingOf(code: LanguageCode): Reading | undefined {
  return readings.find((one) => one.code === code)?.reading;
}

/** One part of the rules of every language that declares it. */
export function everyOne<Part>(pick: (reading: Reading) => Part | undefined): Part[] {
  return readings.map(({ reading }) => pick(reading)).filter((part) => part !== undefined);
}

/** A word boundary, like \b, which fails next to accented letters such as in "où" and "à". */
export const edge = String.raw`(?:(?<![\p{L}\p{N}])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(?![\p{L}\p{N}]))`;

/**
 * Source of a pattern that matches where any language's pattern does; earlier languages take precedence. If none has one, it matches
 * nothing.
 */
export function either(pick: (reading: Reading) => RegExp | undefined): string {
  const sources = everyOne(pick).map(({ source }) => source.replaceAll(String.raw`\b`, edge));
  return `(?:${sources.length > 0 ? sources.join("|") : "(?!)"})`;
}

/** The same as a RegExp. */
export const eitherOf = (pick: (reading: Reading) => RegExp | undefined, flags = "iu"): RegExp =>
  new RegExp(either(pick), flags);

/** The distinct words of a list across all languages. */
export function wordList(pick: (reading: Reading) => string | undefined): string[] {
  return [...new Set(everyOne(pick).flatMap((text) => text.split(/\s+/).filter(Boolean)))];
}

/** Source of a pattern that matches these literal texts, longest first. */
export function oneOf(texts: string[]): string {
  const longest = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return longest.length > 0
    ? longest.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
    : "(?!)";
}
