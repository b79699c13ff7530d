// Owns the choice of Slack's texts (locales/*/slack.json) by language. Pure.
import { languages } from "../../locales/languages.ts";
import { defaultLanguage, languageOfTag } from "../../locales/registry.ts";

const english = languages[0].messages.slack;
export type Words = typeof english;

const words = new Map<string, Words>(
  languages.map(({ code, messages }) => [code, { ...english, ...messages.slack }]),
);

/** @param locale in the form that Slack uses: fr-FR */
export function wordsFor(locale: string | undefined): Words {
  return words.get(languageOfTag(locale) ?? defaultLanguage) ?? english;
}
