// The server's translations: one initialised i18next per language, shared by all requests. Never imported by an island.
import { createInstance, type FormatterModule, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { defaultLanguage } from "../../locales/registry.ts";
import type { Words } from "../../locales/translate.ts";
import { numberFormat } from "../client/per-language.ts";
import { type Locale, locales } from "../render/locale.ts";
import { log } from "./log.ts";

const files = import.meta.glob<Words>("../../locales/*/*.json", {
  eager: true,
  import: "default",
});

const translated: Record<string, Record<string, Words>> = {};
for (const [path, messages] of Object.entries(files)) {
  const [, locale = "", namespace = ""] = /\/([a-z]+)\/([A-Za-z-]+)\.json$/.exec(path) ?? [];
  translated[locale] = { ...translated[locale], [namespace]: messages };
}

/** Fills in the messages that a language lacks from the default language. */
function withFallback(words: Words, fallback: Words): Words {
  const all = { ...fallback, ...words };
  for (const [key, value] of Object.entries(words)) {
    const other = fallback[key];
    if (typeof value === "object" && typeof other === "object") all[key] = withFallback(value, other);
  }
  return all;
}

/** Messages by language and namespace (the file's name). An island receives only its language's messages. */
export const resources: Record<string, Record<string, Words>> = Object.fromEntries(
  locales.map((code) => [
    code,
    // A namespace is an object of messages, in every language.
    withFallback(translated[code] ?? {}, translated[defaultLanguage] ?? {}) as Record<string, Words>,
  ]),
);

/** Numbers stand as the language writes them, as in locales/translate.ts. */
export const formatter: FormatterModule = {
  type: "formatter",
  init() {},
  add() {},
  addCached() {},
  format: (value, _format, language) =>
    typeof value === "number" && language ? numberFormat(language).format(value) : value,
};

const instances = new Map<Locale, i18n>();
for (const lng of locales) {
  const instance = createInstance();
  // init() is synchronous because the messages are already loaded.
  void instance
    .use(initReactI18next)
    .use(formatter)
    .init({
      lng,
      fallbackLng: defaultLanguage,
      resources: resources as Record<string, Record<string, Record<string, string>>>,
      defaultNS: "app",
      interpolation: { escapeValue: false, alwaysFormat: true },
      saveMissing: true,
      missingKeyHandler: (_languages, namespace, key, _fallback, _update, options) => {
        // A caller that passes a default expects that the key may be missing.
        if (options?.defaultValue !== undefined) return;
        log("error", "missing translation", { locale: lng, namespace, key });
      },
    });
  instances.set(lng, instance);
}

/** The language's i18next instance. */
export function i18nFor(locale: Locale): i18n {
  const instance = instances.get(locale);
  if (!instance) throw new Error(`No translations for ${locale}`);
  return instance;
}
