// Islands find their words without i18next, the server with it: over every key, in every language, both say the same.
import { createInstance } from "i18next";
import { expect, test } from "vitest";
import { translators } from "../../locales/translate.ts";
import { locales } from "../../web/renderer/locale.ts";
import { resources } from "../../web/server/i18n.ts";

const COUNTS = [0, 1, 2, 5, 21, 1.5, 1_000_000];

/** Every key as code writes it: dotted, and a plural by its stem. */
function keysOf(words: object, prefix = ""): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string"
      ? prefix + key.replace(/_(one|many|other)$/, "")
      : keysOf(value, `${prefix}${key}.`),
  );
}

test.each(locales)("in %s", (lng) => {
  const words = resources[lng] ?? {};
  const i18next = createInstance();
  void i18next.init({ lng, resources: { [lng]: words }, interpolation: { escapeValue: false } });
  const translatorOf = translators(lng, words);
  let compared = 0;
  for (const [namespace, messages] of Object.entries(words)) {
    const [here, there] = [translatorOf(namespace), i18next.getFixedT(lng, namespace)];
    for (const key of new Set(keysOf(messages))) {
      const names = [...JSON.stringify(messages).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
      const values = Object.fromEntries(names.map((name) => [name, `<${name} $& {{x}}>`]));
      for (const given of [undefined, ...COUNTS.map((count) => ({ ...values, count }))]) {
        expect(here(key, given), `${namespace}:${key}`).toBe(there(key, given));
        compared += 1;
      }
      expect(translatorOf("none")(`${namespace}:${key}`, values)).toBe(there(key, values));
    }
  }
  expect(compared).toBeGreaterThan(1_000);
});

test("a key without words gives itself back; words may come later", () => {
  const namespaces: Parameters<typeof translators>[1] = {};
  const t = translators("en", namespaces)("files");
  expect(t("drop.title")).toBe("drop.title");
  expect(t("errors:NEW.title")).toBe("NEW.title");
  namespaces.files = { drop: { title: "Drop {{name}} here" } };
  expect(t("drop.title", { name: "files" })).toBe("Drop files here");
  expect(t("drop")).toBe("drop");
  expect(t("drop.title.more")).toBe("drop.title.more");
});
