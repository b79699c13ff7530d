// The app's own words in a language, so that a test can be run in each. Reads locales/ as the app does.
import { readdirSync, readFileSync } from "node:fs";
import { createInstance, type TFunction } from "i18next";

const root = new URL("../../../locales/", import.meta.url);

/** Translates "namespace:key" with the values that it takes. */
export async function wordsOf(language: "en" | "fr"): Promise<TFunction> {
  const folder = new URL(`${language}/`, root);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const messages = Object.fromEntries(
    files.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), "utf8"))]),
  );
  return await createInstance().init({
    lng: language,
    resources: { [language]: messages },
    interpolation: { escapeValue: false },
  });
}
