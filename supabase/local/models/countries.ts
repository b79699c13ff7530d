// Owns the names of countries, in every language that documents are read in, as the runtime knows them.

import { readings } from "../../../edge-functions/_shared/language/rules.ts";
import { meaningfulTerms } from "../../../edge-functions/answering/lexicon.ts";
import { stem } from "../../../edge-functions/answering/words.ts";

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
const codes = letters.flatMap((first) => letters.map((second) => first + second));

const names = new Set(
  readings.flatMap(({ code }) => {
    const namer = new Intl.DisplayNames([code], { type: "region", fallback: "none" });
    return codes.flatMap((region) => {
      const terms = meaningfulTerms(namer.of(region) ?? "");
      return terms.length === 1 ? terms : [];
    });
  }),
);

/** The word that texts use for any other country. */
export const abroad = stem("abroad");

/** True for the term of a country with a name of one word. */
export function isCountry(term: string): boolean {
  return names.has(term);
}
