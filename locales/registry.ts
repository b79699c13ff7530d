// Owns the codes and names of the languages, and which of them a request asks for. Pure.
import { languages } from "./languages.ts";

export type LanguageCode = (typeof languages)[number]["code"];

/** For a reader who has not chosen a language. */
export const defaultLanguage: LanguageCode = languages[0].code;

export const languageCodes: readonly LanguageCode[] = languages.map(({ code }) => code);

export type DocumentLanguage = LanguageCode | "simple";

/** The languages whose word forms Postgres knows, and "simple" for documents in any other. */
export const documentLanguages: readonly DocumentLanguage[] = [
  ...languages.filter((one) => "search" in one).map(({ code }) => code),
  "simple",
];

/** The default language of a reader's documents. */
export const documentLanguageOf = (code: LanguageCode): DocumentLanguage =>
  documentLanguages.includes(code) ? code : "simple";

export function isLanguage(value: unknown): value is LanguageCode {
  return languageCodes.some((code) => code === value);
}

/** The language of a tag such as `fr-CH` or `fr_FR`, if it is one of ours. */
export function languageOfTag(tag: string | undefined): LanguageCode | undefined {
  const code = tag?.trim().toLowerCase().split(/[-_]/)[0];
  return isLanguage(code) ? code : undefined;
}

/** The first of ours that an Accept-Language header asks for, by weight (RFC 9110, section 12.5.4); the earlier of equals. */
export function preferredLanguage(header: string | undefined): LanguageCode | undefined {
  const ranked = (header ?? "").split(",").flatMap((part) => {
    const [tag, ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const language = languageOfTag(tag);
    const weight = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    return language && weight > 0 ? [{ language, weight }] : [];
  });
  return ranked.toSorted((a, b) => b.weight - a.weight)[0]?.language;
}
