// The words of the interface for tests of what a screen says: by their keys, from locales/, through the product's own look-up. A
// sentence that the specification fixes stays in its test. Does not know what a page shows.
import { readdirSync, readFileSync } from "node:fs";
import type { LanguageCode } from "../../locales/registry.ts";
import type { KeyOf } from "../../locales/say.ts";
import { translators, type Words } from "../../locales/translate.ts";
import type { WordFiles } from "./word-files.ts";

/** "file:key" as the code writes it, a plural by its stem. */
export type WordKey = { [File in keyof WordFiles]: `${File}:${KeyOf<WordFiles[File]>}` }[keyof WordFiles];
export type Say = (key: WordKey, values?: Record<string, string | number>) => string;

const folder = new URL("../../locales/", import.meta.url);

/** A language's files of words, by name. */
export function wordsIn(language: LanguageCode): Record<string, Words> {
  const names = readdirSync(new URL(language, folder)).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.map((name) => [
      name.slice(0, -".json".length),
      JSON.parse(readFileSync(new URL(`${language}/${name}`, folder), "utf8")),
    ]),
  );
}

/** Says words in a language. @throws when the key has none, or when a value that they name is not given */
export function sayIn(language: LanguageCode): Say {
  const shown = (value: unknown) => {
    if (value === "") throw new Error("A value is missing");
    return String(value);
  };
  const translate = translators(language, wordsIn(language), shown)("");
  return (key, values = {}) => {
    const said = translate(key, { ...values, defaultValue: "" });
    if (!said) throw new Error(`locales/${language} has no ${key}`);
    return said;
  };
}

export const say = sayIn("en");

/** A number that no sentence has, in the place of a count that is not known. */
const COUNT = 987_654;

/**
 * The pattern of English words whose values are not known: `sayAny("tasks:history.number", { number: /\d+/ })`. Finds them anywhere in
 * a text. A count that is not known has the plural's form.
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
