// Owns the messages of the API, tasks, mails and Slack in a reader's language. The compiler checks keys against English; a test finds
// keys that another language lacks. Pure.
import { languages } from "./languages.ts";
import { defaultLanguage, type LanguageCode } from "./registry.ts";
import { type Translate, translators, type Words } from "./translate.ts";

type Plural<Key> = Key extends `${infer Stem}_${Intl.LDMLPluralRule}` ? Stem : Key;
/** The dotted keys of a file of messages; a plural has one key, its stem. */
export type KeyOf<Messages> = {
  [Key in keyof Messages & string]: Messages[Key] extends string
    ? Plural<Key>
    : `${Key}.${KeyOf<Messages[Key]>}`;
}[keyof Messages & string];
type English = (typeof languages)[0]["messages"];
/** "file:key"; a plural's key is its stem. */
export type MessageKey = { [File in keyof English]: `${File}:${KeyOf<English[File]>}` }[keyof English];

export type Values = Record<string, string | number>;
export type Say = (key: MessageKey, values?: Values) => string;

const translates = new Map<string, Translate>(
  languages.map(({ code, messages }) => [
    code,
    translators(code, messages satisfies Record<string, Words>)(""),
  ]),
);

/** The message in a language; in English where that has no words for it. */
export function say(language: LanguageCode, key: MessageKey, values: Values = {}): string {
  const inEnglish = () => translates.get(defaultLanguage)?.(key, values) ?? key;
  return translates.get(language)?.(key, { ...values, defaultValue: "" }) || inEnglish();
}

/** The same for one language. */
export const sayIn =
  (language: LanguageCode): Say =>
  (key, values) =>
    say(language, key, values);
