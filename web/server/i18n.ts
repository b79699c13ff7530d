// The translations on the server: one ready i18next per language, shared by all requests. Never imported by an island.
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { defaultLanguage } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";
import { type Locale, locales } from "../renderer/locale.ts";

const files = import.meta.glob<Words>("../../locales/*/*.json", {
  eager: true,
  import: "default",
});

const translated: Record<string, Record<string, Words>> = {};
for (const [path, messages] of Object.entries(files)) {
  const [, locale = "", namespace = ""] = /\/([a-z]+)\/([A-Za-z-]+)\.json$/.exec(path) ?? [];
  translated[locale] = { ...translated[locale], [namespace]: messages };
}

/** Words with those of the default language where they have none. */
function completed(words: Words, fallback: Words): Words {
  const all = { ...fallback, ...words };
  for (const [key, value] of Object.entries(words)) {
    const other = fallback[key];
    if (typeof value === "object" && typeof other === "object") all[key] = completed(value, other);
  }
  return all;
}

/** Messages by language and namespace (the file's name): all that an island gets, which knows one language. */
export const resources: Record<string, Record<string, Words>> = Object.fromEntries(
  locales.map((code) => [
    code,
    // A namespace is an object of words, in every language.
    completed(translated[code] ?? {}, translated[defaultLanguage] ?? {}) as Record<string, Words>,
  ]),
);

const instances = new Map<Locale, i18n>();
for (const lng of locales) {
  const instance = createInstance();
  // Plain initialisation is synchronous, since the messages are already here.
  void instance.use(initReactI18next).init({
    lng,
    fallbackLng: defaultLanguage,
    resources: resources as Record<string, Record<string, Record<string, string>>>,
    defaultNS: "app",
    interpolation: { escapeValue: false },
    saveMissing: true,
    missingKeyHandler: (_languages, namespace, key, _fallback, _update, options) => {
      // Who gives a default looks whether there are words.
      if (options?.defaultValue !== undefined) return;
      console.error(
        JSON.stringify({ level: "error", message: "missing translation", locale: lng, namespace, key }),
      );
    },
  });
  instances.set(lng, instance);
}

/** The language's i18next. */
export function i18nFor(locale: Locale): i18n {
  const instance = instances.get(locale);
  if (!instance) throw new Error(`No translations for ${locale}`);
  return instance;
}
