// Amounts of US dollars as models cost them: cents, and for less than a cent as many digits as say something.

export function dollars(amount: number, locale: string): string {
  const isSmall = amount > 0 && amount < 0.01;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    ...(isSmall ? { maximumSignificantDigits: 2 } : {}),
  }).format(amount);
}
