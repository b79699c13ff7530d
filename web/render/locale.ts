// The languages of the interface, under the names that pages use. locales/languages.ts declares them.
import { languages } from "../../locales/languages.ts";
import { defaultLanguage, isLanguage, type LanguageCode, preferredLanguage } from "../../locales/registry.ts";

export type Locale = LanguageCode;
export { isLanguage as isLocale, languageCodes as locales } from "../../locales/registry.ts";

/** Each language in its own name, in the order of the language menu. */
export const localeNames: readonly { code: Locale; name: string }[] = languages;

const announced = [{ code: "es", name: "Español" }];
/** Languages that the menu lists and that cannot be chosen yet. */
export const announcedLocales = announced.filter(({ code }) => !isLanguage(code));

/** The first of our languages that an Accept-Language header accepts. */
export const localeFromHeader = (header: string | undefined): Locale =>
  preferredLanguage(header) ?? defaultLanguage;
