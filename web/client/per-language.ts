// Caches what is created once per language, such as an Intl formatter: creating one costs more than a hundred uses of it.

/** A function that creates its result once per language. */
export function perLanguage<Made>(make: (language: string) => Made): (language: string) => Made {
  const made = new Map<string, Made>();
  return (language) => {
    const kept = made.get(language) ?? make(language);
    made.set(language, kept);
    return kept;
  };
}

/** The same per language and time zone; undefined is the browser's own zone. */
export function perReader<Made>(
  make: (language: string, timeZone: string | undefined) => Made,
): (language: string, timeZone: string | undefined) => Made {
  const inZone = new Map<string | undefined, (language: string) => Made>();
  return (language, timeZone) => {
    const kept = inZone.get(timeZone) ?? perLanguage((one) => make(one, timeZone));
    inZone.set(timeZone, kept);
    return kept(language);
  };
}

export const numberFormat = perLanguage((language) => new Intl.NumberFormat(language));
export const percentFormat = perLanguage((language) => new Intl.NumberFormat(language, { style: "percent" }));
