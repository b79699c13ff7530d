// Owns how French writes numbers, amounts and units.
import type { Reading } from "../../reading.ts";

const ones =
  "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split(
    " ",
  );
const tens = "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix".split(
  " ",
);
const others: Record<number, string[]> = {
  1: ["une", "premier", "premiere"],
  2: ["double", "deuxieme"],
  3: ["triple", "troisieme"],
  12: ["douzaine"],
  24: ["jour et nuit"],
  50: ["moitie"],
  100: ["cent", "tous", "toutes", "total"],
  1000: ["mille"],
};

/** Seventy and ninety are "sixty-ten" and "four-twenties-ten". */
function names(number: number): string[] {
  const irregular = others[number] ?? [];
  if (number < 20) return [ones[number] ?? "", ...irregular];
  if (number >= 100) return irregular;
  const [ten, one] = [Math.floor(number / 10) - 2, number % 10];
  if (one === 0) return [tens[ten] ?? "", ...irregular];
  const isOverTeens = ten === 5 || ten === 7;
  const base = (tens[isOverTeens ? ten - 1 : ten] ?? "").replace(/s$/, "");
  const rest = ones[isOverTeens ? one + 10 : one] ?? "";
  return [`${base}-${rest}`, `${base}-et-${rest}`, ...irregular];
}

export const numbers: Reading["numbers"] = {
  names,
  words: /une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente/,
  percent: /pour[ -]?cents?/,
  thousand: /mille(?![a-z])/,
  million: /million/,
  billion: /milliard/,
  currencies: { EUR: ["euro", "euros"], USD: ["dollar", "dollars"] },
  cellCurrencies: {
    GBP: ["livre", "livres"],
    CHF: ["franc suisse", "francs suisse", "franc suisses", "francs suisses"],
  },
  about: /env\.?/,
  columnUnits: /euros?|heures?|jours?|mois|ans|minutes?/,
  units: {
    mg: "milligramme milligrammes",
    g: "gramme grammes",
    kg: "kilo kilos kilogramme kilogrammes",
    t: "tonne tonnes",
    mm: "millimetre millimetres",
    cm: "centimetre centimetres",
    m: "metre metres",
    km: "kilometre kilometres",
    ml: "millilitre millilitres",
    cl: "centilitre centilitres",
    l: "litre litres",
    "°c": "degre degres",
    s: "seconde secondes",
    min: "minute minutes",
    h: "heure heures",
    d: "jour jours",
    wk: "semaine semaines",
  },
};
