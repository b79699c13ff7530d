// Owns the choice of Slack's texts (locales/*/slack.json) by language. Pure.
import { languages } from "../../locales/languages.ts";
import { defaultLanguage, languageOfTag } from "../../locales/registry.ts";
import { say } from "../../locales/say.ts";
import { isRefusalCode, type RefusalCode } from "../_shared/requests/refusals.ts";

const english = languages[0].messages.slack;
export type Words = typeof english;

const words = new Map<string, Words>(
  languages.map(({ code, messages }) => [code, { ...english, ...messages.slack }]),
);

/** @param locale in the form that Slack uses: fr-FR */
export function wordsFor(locale: string | undefined): Words {
  return words.get(languageOfTag(locale) ?? defaultLanguage) ?? english;
}

type ReplyCode = Extract<RefusalCode, `reply${string}`>;
const isReplyCode = (code: string): code is ReplyCode => code.startsWith("reply") && isRefusalCode(code);

/** Why a reply failed; undefined for a code without words. */
export function causeFor(locale: string | undefined, code: string): string | undefined {
  return isReplyCode(code)
    ? say(languageOfTag(locale) ?? defaultLanguage, `errors:refusals.${code}`)
    : undefined;
}
