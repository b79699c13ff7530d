// Owns units of measurement: the words for the measure that a unit belongs to, so that a question about noise finds the column
// "Level (dB)". Pure.

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
