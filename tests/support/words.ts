// Owns the interface's words for tests: by key, from locales/, through the product's own lookup. A sentence fixed by the specification
// stays in its test. Does not know what a page shows.
import { readdirSync, readFileSync } from "node:fs";
import { defaultLanguage, type LanguageCode, languageCodes } from "../../locales/registry.ts";
import type { KeyOf } from "../../locales/say.ts";
import { translators, type Words } from "../../locales/translate.ts";
import type { WordFiles } from "./word-files.ts";

/** "file:key" as in the code, a plural by its stem. */
export type WordKey = { [File in keyof WordFiles]: `${File}:${KeyOf<WordFiles[File]>}` }[keyof WordFiles];
export type Say = (key: WordKey, values?: Record<string, string | number>) => string;

/**
 * The languages but the default one, for a test of many sentences: one that is written into the code, or chosen by the default language,
 * shows only in another. That each language has every sentence is checked in tests/unit/web-locales.test.ts.
 */
export const otherLanguages = languageCodes.filter((code) => code !== defaultLanguage);

const folder = new URL("../../locales/", import.meta.url);

/** A language's word files, by name. */
export function wordsIn(language: LanguageCode): Record<string, Words> {
  const names = readdirSync(new URL(language, folder)).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.map((name) => [
      name.slice(0, -".json".length),
      JSON.parse(readFileSync(new URL(`${language}/${name}`, folder), "utf8")),
    ]),
  );
}

/** Looks up words in a language. @throws for an unknown key, or a missing value */
export function sayIn(language: LanguageCode): Say {
  const requireText = (value: unknown) => {
    if (value === "") throw new Error("A value is missing");
    return String(value);
  };
  const translate = translators(language, wordsIn(language), requireText)("");
  return (key, values = {}) => {
    const said = translate(key, { ...values, defaultValue: "" });
    if (!said) throw new Error(`locales/${language} has no ${key}`);
    return said;
  };
}

export const say = sayIn("en");

/** A number that no sentence contains, in place of an unknown count. */
const COUNT = 987_654;

/**
 * A pattern of English words with unknown values: `sayAny("tasks:history.number", { number: /\d+/ })`. Matches anywhere in a text. An
 * unknown count has the plural's form.
 */
export function sayAny(key: WordKey, values: Record<string, RegExp | string | number>): RegExp {
  const marks = Object.entries(values).map(([name, value], at) => {
    const mark = name !== "count" ? `<${at}>` : value instanceof RegExp ? COUNT : Number(value);
    return { name, mark, shown: value instanceof RegExp ? value.source : String(value) };
  });
  const said = say(key, Object.fromEntries(marks.map(({ name, mark }) => [name, mark])));
  const escaped = said.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(marks.reduce((text, { mark, shown }) => text.replaceAll(String(mark), shown), escaped));
}
