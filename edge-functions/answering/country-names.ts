// Owns the names of countries in every language that documents are read in, as the runtime knows them.

import { readings } from "../_shared/language/rules.ts";
import { words } from "./words.ts";

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
const namers = readings.map(
  ({ code }) => new Intl.DisplayNames([code], { type: "region", fallback: "none" }),
);

/** The names of each country, folded, its words joined by underscores: "south_africa", "afrique_du_sud". */
export const countries: string[][] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .map((region) =>
    [...new Set(namers.map((namer) => words(namer.of(region) ?? "").join("_")))].filter(Boolean),
  )
  .filter((names) => names.length > 0);
