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

export const numberFormat = perLanguage((language) => new Intl.NumberFormat(language));
export const percentFormat = perLanguage((language) => new Intl.NumberFormat(language, { style: "percent" }));
