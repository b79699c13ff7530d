// Islands look words up without i18next, the server with it: for every key, in every language, both give the same.
import { createInstance } from "i18next";
import { expect, test } from "vitest";
import { translators } from "../../locales/translate.ts";
import { locales } from "../../web/render/locale.ts";
import { formatter, resources } from "../../web/request/i18n.ts";

const COUNTS = [0, 1, 2, 5, 21, 1.5, 1_000_000];

/** Every key as in the code: dotted, and a plural by its stem. */
function keysOf(words: object, prefix = ""): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string"
      ? prefix + key.replace(/_(one|many|other)$/, "")
      : keysOf(value, `${prefix}${key}.`),
  );
}

test.each(locales)("islands and server agree in %s", (lng) => {
  const words = resources[lng] ?? {};
  const i18next = createInstance();
  const interpolation = { escapeValue: false, alwaysFormat: true };
  void i18next.use(formatter).init({ lng, resources: { [lng]: words }, interpolation });
  const translatorOf = translators(lng, words);
  let compared = 0;
  for (const [namespace, messages] of Object.entries(words)) {
    const [here, there] = [translatorOf(namespace), i18next.getFixedT(lng, namespace)];
    const names = [...JSON.stringify(messages).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
    const values = Object.fromEntries(names.map((name) => [name, `<${name} $& {{x}}>`]));
    for (const key of new Set(keysOf(messages))) {
      for (const given of [undefined, ...COUNTS.map((count) => ({ ...values, count }))]) {
        expect(here(key, given), `${namespace}:${key}`).toBe(there(key, given));
        compared += 1;
      }
      expect(translatorOf("none")(`${namespace}:${key}`, values)).toBe(there(key, values));
    }
  }
  expect(compared).toBeGreaterThan(1_000);
});

test("numbers stand as the language writes them, and text as it is", () => {
  const words = { sources: { rows: "{{count}} rows in {{year}}" } };
  const values = { count: 12_345, year: "2026" };
  expect(translators("en", words)("sources")("rows", values)).toBe("12,345 rows in 2026");
  expect(translators("fr", words)("sources")("rows", values)).toBe("12\u202f345 rows in 2026");
});

test("a key without words returns itself; words may be added later", () => {
  const namespaces: Parameters<typeof translators>[1] = {};
  const t = translators("en", namespaces)("files");
  expect(t("drop.title")).toBe("drop.title");
  expect(t("errors:NEW.title")).toBe("NEW.title");
  namespaces.files = { drop: { title: "Drop {{name}} here" } };
  expect(t("drop.title", { name: "files" })).toBe("Drop files here");
  expect(t("drop")).toBe("drop");
  expect(t("drop.title.more")).toBe("drop.title.more");
});
