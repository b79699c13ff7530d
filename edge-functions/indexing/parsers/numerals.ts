// Writes the numbers of lists as HTML and Word count them: 3, c, C, iii, III. Pure.

export type Numerals = "decimal" | "lowerLetter" | "upperLetter" | "lowerRoman" | "upperRoman";

/** Counts from 1. A number that a kind cannot write stays decimal. */
export function numeral(kind: Numerals, count: number): string {
  const text = kind === "lowerLetter" || kind === "upperLetter" ? letters(count) : roman(count);
  if (kind === "decimal" || text === "") return String(count);
  return kind === "lowerLetter" || kind === "lowerRoman" ? text : text.toUpperCase();
}

/** "a" to "z", then "aa", "bb", as Word continues. */
function letters(count: number): string {
  if (count < 1 || count > 26 * 5) return "";
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

const romans: [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

function roman(count: number): string {
  if (count < 1 || count > 3999) return "";
  let left = count;
  let text = "";
  for (const [value, sign] of romans) {
    text += sign.repeat(Math.floor(left / value));
    left %= value;
  }
  return text;
}
