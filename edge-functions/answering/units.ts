// Owns units of measurement: the words for the measure that a unit belongs to, so that a question about noise finds the column
// "Level (dB)", and how many of one unit are one of another. Pure.
import { everyOne } from "../_shared/language/rules.ts";
import { fold } from "./words.ts";

/** Units of one dimension by their symbols, each with its size in one of them. */
const dimensions: Record<string, number>[] = [
  { mg: 0.001, g: 1, kg: 1000, t: 1_000_000 },
  { mm: 0.001, cm: 0.01, m: 1, km: 1000 },
  { ml: 0.001, cl: 0.01, l: 1 },
  { s: 1, min: 60, h: 3600, d: 86_400, wk: 604_800 },
  { "°c": 1, "°": 1 },
];
const bySymbol = new Map(
  dimensions.flatMap((sizes, dimension) =>
    Object.entries(sizes).map(([symbol, size]) => [symbol, { dimension, size }] as const),
  ),
);
const byWord = new Map(
  everyOne(({ numbers }) => numbers?.units).flatMap((own) =>
    Object.entries(own).flatMap(([symbol, words]) =>
      words.split(" ").flatMap((word) => {
        const unit = bySymbol.get(symbol);
        return unit ? [[word, unit] as const] : [];
      }),
    ),
  ),
);
const unitNamed = (name: string) =>
  bySymbol.get(name.toLowerCase().replace(/\s/g, "")) ?? byWord.get(fold(name));

/** True for the symbol or the name of a unit. */
export const isUnit = (name: string): boolean => unitNamed(name) !== undefined;

/** How many of the second unit are one of the first, each a symbol or a word; undefined for units of different dimensions. */
export function ratioOf(from: string, to: string): number | undefined {
  const [one, other] = [unitNamed(from), unitNamed(to)];
  return one && one.dimension === other?.dimension ? one.size / other.size : undefined;
}

/** Words for a measure, one per meaning, with the source of a pattern of its units. */
export const unitsOfMeasures: [words: string[], units: string][] = [
  [["weight"], "kg|g|t|lbs?"],
  [["speed"], "km/h|mph|m/s"],
  [["size", "length", "height", "width", "depth"], "mm|cm|m"],
  [["distance"], "km|m"],
  [["surface"], "m²|m2|ha"],
  [["temperature"], "°C?|°F"],
  [["power"], "[kM]?W"],
  [["noise"], "dBA?"],
  [["volume"], "m[lL]|c[lL]|h[lL]|[lL]|m³"],
  [["voltage"], "V"],
];

const timesInColumn: [string, RegExp][] = [
  ["seconds", /\(s(?:ec)?\)\s*$/u],
  ["minutes", /\(min\)\s*$/u],
  ["hours", /\(h\)\s*$/u],
];

const inColumn = unitsOfMeasures
  .filter(([words]) => words.length === 1)
  .map(([words, units]): [string, RegExp] => [
    words.join(" "),
    new RegExp(String.raw`\((?:${units})\)\s*$`, "u"),
  ]);

/** A column's name with the word for what its unit measures: "Level (dB) noise". */
export function withMeasure(column: string): string {
  return [
    column,
    ...[...inColumn, ...timesInColumn].flatMap(([word, pattern]) => (pattern.test(column) ? [word] : [])),
  ].join(" ");
}
