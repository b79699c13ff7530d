// Owns how English writes numbers, amounts and units.
import type { Reading } from "../../reading.ts";

const ones =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const others: Record<number, string[]> = {
  1: ["a", "an", "once", "first", "single"],
  2: ["twice", "both", "second", "double"],
  3: ["third", "triple"],
  12: ["dozen"],
  24: ["day and night"],
  50: ["half"],
  100: ["hundred", "all", "full", "total"],
  1000: ["thousand"],
};

function names(number: number): string[] {
  const irregular = others[number] ?? [];
  if (number < 20) return [ones[number] ?? "", ...irregular];
  if (number >= 100) return irregular;
  const [ten, one] = [tens[Math.floor(number / 10) - 2], number % 10];
  return [one === 0 ? (ten ?? "") : `${ten}-${ones[one]}`, ...irregular];
}

export const numbers: Reading["numbers"] = {
  names,
  words: /one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty/,
  percent: /per ?cent/,
  thousand: /thousand/,
  million: /million/,
  billion: /billion/,
  currencies: { EUR: ["euro", "euros"], USD: ["dollar", "dollars"], GBP: ["pound", "pounds"] },
  cellCurrencies: { GBP: ["pound", "pounds"], CHF: ["swiss franc", "swiss francs"] },
  about: /ca\.?|approx\.?/,
  columnUnits: /euros?|hours?|days?|months?|years?|minutes?/,
  units: {
    mg: "milligram milligrams",
    g: "gram grams gramme grammes",
    kg: "kilo kilos kilogram kilograms kilogramme kilogrammes",
    t: "ton tons tonne tonnes",
    mm: "millimetre millimetres millimeter millimeters",
    cm: "centimetre centimetres centimeter centimeters",
    m: "metre metres meter meters",
    km: "kilometre kilometres kilometer kilometers",
    ml: "millilitre millilitres milliliter milliliters",
    cl: "centilitre centilitres centiliter centiliters",
    l: "litre litres liter liters",
    "°c": "degree degrees celsius",
    s: "second seconds",
    min: "minute minutes mins",
    h: "hour hours",
    d: "day days",
    wk: "week weeks",
  },
};
