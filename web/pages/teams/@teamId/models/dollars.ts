// Prices of models in US dollars: cents, and below one cent as many digits as are significant.
import { perLanguage } from "#web/client/per-language.ts";

const money = { style: "currency", currency: "USD" } as const;
const cents = perLanguage((language) => new Intl.NumberFormat(language, money));
const digits = perLanguage(
  (language) => new Intl.NumberFormat(language, { ...money, maximumSignificantDigits: 2 }),
);

export const dollars = (amount: number, locale: string): string =>
  (amount > 0 && amount < 0.01 ? digits : cents)(locale).format(amount);
