// Owns the part of i18next that islands, mails and messages need: namespaces, dotted keys, {{names}} and plurals. Pages are rendered
// with i18next itself; a test compares the two over every key. Pure.

export type Words = { [key: string]: string | Words };
export type Translate = (key: string, values?: Record<string, unknown>) => string;

/**
 * Returns the translator of each namespace, whose own keys need no "namespace:" prefix. Texts may be added to `namespaces` later. A
 * missing key returns `defaultValue` or itself; `count` selects the plural (Intl.PluralRules).
 * @param shown formats a placeholder's value. The default writes numbers in the language's notation, so pass a number without
 * separators, such as a year, as text
 */
export function translators(
  locale: string,
  namespaces: Record<string, Words>,
  shown: (value: unknown) => string = valueFormatter(locale),
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
    const [, namespace = own, path = key] = /^([\w-]+):(.+)$/.exec(key) ?? [];
    const count = values?.count;
    const plural =
      typeof count === "number" ? find(namespace, `${path}_${plurals.select(count)}`) : undefined;
    const words = plural ?? find(namespace, path);
    if (typeof words !== "string")
      return typeof values?.defaultValue === "string" ? values.defaultValue : path;
    if (!values) return words;
    return words.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => shown(values[name] ?? ""));
  };
}

function valueFormatter(locale: string): (value: unknown) => string {
  // Created for the first number: it costs a phone some milliseconds, and many pages show none.
  let numbers: Intl.NumberFormat | undefined;
  return (value) => {
    if (typeof value !== "number") return String(value);
    numbers ??= new Intl.NumberFormat(locale);
    return numbers.format(value);
  };
}
