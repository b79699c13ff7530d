// The languages of the interface, by the names that the pages use. Which there are is declared in locales/languages.ts.
import { languages } from "../../locales/languages.ts";
import { defaultLanguage, isLanguage, type LanguageCode, preferredLanguage } from "../../locales/registry.ts";

export type Locale = LanguageCode;
export { isLanguage as isLocale, languageCodes as locales } from "../../locales/registry.ts";

/** Each language in its own words, in the order in which people choose. */
export const localeNames: readonly { code: Locale; name: string }[] = languages;

const announced = [{ code: "es", name: "Español" }];
/** Languages that are named and cannot be chosen yet. */
export const announcedLocales = announced.filter(({ code }) => !isLanguage(code));

/** The first language of ours that an Accept-Language header asks for. */
export const localeFromHeader = (header: string | undefined): Locale =>
  preferredLanguage(header) ?? defaultLanguage;
