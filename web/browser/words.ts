// Finds the words of islands as i18next does, with what they need of it and no more: namespaces, dotted keys, {{names}}
// and plurals. The server renders with i18next itself; a test compares the two over every key. Pure.

export type Words = { [key: string]: string | Words };
export type Translate = (key: string, values?: Record<string, unknown>) => string;

/**
 * The translator of each namespace, whose own keys need no "namespace:" before them. Words may still be added to
 * `namespaces` later. A key without words gives itself back; `count` chooses the plural (Intl.PluralRules).
 */
export function translators(
  locale: string,
  namespaces: Record<string, Words>,
): (namespace: string) => Translate {
  const plurals = new Intl.PluralRules(locale);
  const find = (namespace: string, path: string) =>
    path
      .split(".")
      .reduce<string | Words | undefined>(
        (found, part) => (typeof found === "object" ? found[part] : undefined),
        namespaces[namespace],
      );
  return (own) => (key, values) => {
    const [, namespace = own, path = key] = /^(\w+):(.+)$/.exec(key) ?? [];
    const count = values?.count;
    const plural =
      typeof count === "number" ? find(namespace, `${path}_${plurals.select(count)}`) : undefined;
    const words = plural ?? find(namespace, path);
    if (typeof words !== "string") return path;
    if (!values) return words;
    return words.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => String(values[name] ?? ""));
  };
}
