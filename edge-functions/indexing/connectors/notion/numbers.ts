// Writes a number as Notion shows it: a percentage, or an amount of a currency. Pure. Source: developers.notion.com/reference/property-object.

/** The codes of the currencies that Notion names. */
const currencies = new Map(
  Object.entries({
    argentine_peso: "ARS",
    australian_dollar: "AUD",
    baht: "THB",
    canadian_dollar: "CAD",
    chilean_peso: "CLP",
    colombian_peso: "COP",
    danish_krone: "DKK",
    dirham: "AED",
    dollar: "USD",
    euro: "EUR",
    forint: "HUF",
    franc: "CHF",
    hong_kong_dollar: "HKD",
    koruna: "CZK",
    krona: "SEK",
    leu: "RON",
    lira: "TRY",
    mexican_peso: "MXN",
    new_taiwan_dollar: "TWD",
    new_zealand_dollar: "NZD",
    norwegian_krone: "NOK",
    peruvian_sol: "PEN",
    philippine_peso: "PHP",
    pound: "GBP",
    rand: "ZAR",
    real: "BRL",
    ringgit: "MYR",
    riyal: "SAR",
    ruble: "RUB",
    rupee: "INR",
    rupiah: "IDR",
    shekel: "ILS",
    singapore_dollar: "SGD",
    uruguayan_peso: "UYU",
    won: "KRW",
    yen: "JPY",
    yuan: "CNY",
    zloty: "PLN",
  }),
);

/** @param format that of the property's column; anything else writes the bare number */
export function writeNumber(value: number, format: unknown): string {
  if (format === "percent") return `${Number((value * 100).toPrecision(15))}%`;
  const currency = typeof format === "string" ? currencies.get(format) : undefined;
  if (currency === undefined) return String(value);
  const digits = { minimumFractionDigits: 0, maximumFractionDigits: 10 };
  return new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits }).format(value);
}
