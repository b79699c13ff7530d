// The languages of the interface. One line and a folder in locales/ adds one.

export const locales = ["en", "fr"] as const;
export type Locale = (typeof locales)[number];

/** Each language in its own words. Spanish is named in the menu's data but not active. */
export const localeNames: Record<Locale, string> = { en: "English", fr: "Français" };

export function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value);
}

/**
 * The first active language that an Accept-Language header asks for, by weight; English when there is none.
 * RFC 9110, section 12.5.4; `fr-CA` counts as `fr`.
 */
export function localeFromHeader(header: string | undefined): Locale {
  const wanted = (header ?? "")
    .split(",")
    .map((part, index) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const weight = parameters.find((parameter) => parameter.trim().startsWith("q="));
      const q = weight ? Number(weight.trim().slice(2)) : 1;
      return { language: tag.toLowerCase().split("-")[0], q: Number.isFinite(q) ? q : 0, index };
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.index - b.index);
  for (const { language } of wanted) if (isLocale(language)) return language;
  return "en";
}
