// The name of a language in another language, capitalised to start a line.
import { perLanguage } from "../client/per-language.ts";

const names = perLanguage((language) => new Intl.DisplayNames(language, { type: "language" }));

/** "Français" for "fr" in French, "French" in English. */
export function languageName(code: string, language: string): string {
  const name = names(language).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
