// Prices of models in US dollars: cents, and below one cent as many digits as are significant.

export function dollars(amount: number, locale: string): string {
  const isSmall = amount > 0 && amount < 0.01;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    ...(isSmall ? { maximumSignificantDigits: 2 } : {}),
  }).format(amount);
}
