// `#translations` in the browser (package.json, "imports"). Saves every island the 18 kB, compressed, of react-i18next.
// A document has one language, so there is no context and nothing to subscribe to.
import { type Translate, translators, type Words } from "#locales/translate.ts";
import { start } from "./start.ts";

interface Translation {
  t: Translate;
  i18n: { language: string };
}

const words: Record<string, Words> = {};
const translatorOf = translators(start.locale, words);
const made = new Map<string, Translation>();

/** Adds messages, by namespace. */
export function addWords(messages: Record<string, Words>): void {
  Object.assign(words, messages);
}

/** Returns the same object for the same namespace, so it can be a hook's dependency. */
export function useTranslation(namespace = "app"): Translation {
  const translation = made.get(namespace) ?? {
    t: translatorOf(namespace),
    i18n: { language: start.locale },
  };
  made.set(namespace, translation);
  return translation;
}
