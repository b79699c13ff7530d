// Keeps what is made once for each language, such as an Intl formatter: making one costs more than a hundred uses of it.

/** A maker that makes once for each language. */
export function perLanguage<Made>(make: (language: string) => Made): (language: string) => Made {
  const made = new Map<string, Made>();
  return (language) => {
    const kept = made.get(language) ?? make(language);
    made.set(language, kept);
    return kept;
  };
}

/** The same for a language and a time zone; no zone is the browser's own. */
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
