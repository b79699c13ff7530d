// The translations on the server: one ready i18next per language, shared by all requests. Never imported by an island.
import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Words } from "../browser/words.ts";
import { type Locale, locales } from "../renderer/locale.ts";

const files = import.meta.glob<Words>("../../locales/*/*.json", {
  eager: true,
  import: "default",
});

/** Messages by language and namespace (the file's name). */
export const resources: Record<string, Record<string, Words>> = {};
for (const [path, messages] of Object.entries(files)) {
  const [, locale = "", namespace = ""] = /\/([a-z]+)\/([A-Za-z-]+)\.json$/.exec(path) ?? [];
  resources[locale] = { ...resources[locale], [namespace]: messages };
}

const instances = new Map<Locale, i18n>();
for (const lng of locales) {
  const instance = createInstance();
  // Plain initialisation is synchronous, since the messages are already here.
  void instance.use(initReactI18next).init({
    lng,
    fallbackLng: "en",
    resources: resources as Record<string, Record<string, Record<string, string>>>,
    defaultNS: "app",
    interpolation: { escapeValue: false },
    saveMissing: true,
    missingKeyHandler: (_languages, namespace, key) =>
      console.error(
        JSON.stringify({ level: "error", message: "missing translation", locale: lng, namespace, key }),
      ),
  });
  instances.set(lng, instance);
}

/** The language's i18next. */
export function i18nFor(locale: Locale): i18n {
  const instance = instances.get(locale);
  if (!instance) throw new Error(`No translations for ${locale}`);
  return instance;
}
