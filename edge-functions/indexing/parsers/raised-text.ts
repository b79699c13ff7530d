// Writes words that are raised, lowered or struck out so that they keep their meaning without the type: "10⁶" instead of "106". Pure.

/** HTML's elements for such words. */
export const markTags = new Set(["sup", "sub", "del", "s", "strike"]);

/**
 * @param tag one of markTags
 * @param before the text in front
 */
export function writeMarked(tag: string, before: string, inner: string): string {
  if (tag === "sup") return writeRaised(before, inner);
  if (tag === "sub") return writeLowered(before, inner);
  const words = inner.trim();
  // As in Markdown: a price that is struck out must not look like the price.
  return words === "" ? inner : inner.replace(words, () => `~~${words}~~`);
}

const signs = new Map([..."0123456789+-−=()n"].map((sign, i) => [sign, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"][i] ?? sign]));
/** Longer raised text is prose, set small. */
const longest = 12;

/**
 * @param before the text in front
 * @param raised the superscript: an exponent, the number of a note, the end of an ordinal
 */
export function writeRaised(before: string, raised: string): string {
  const inner = raised.trim();
  if (inner === "" || inner.length > longest || /^\[.*\]$/.test(inner)) return raised;
  const points = [...inner];
  if (points.every((sign) => signs.has(sign))) return points.map((sign) => signs.get(sign)).join("");
  return /\d$/.test(before) && /^[\d+−-]/.test(inner) ? `^${raised}` : raised;
}

/** @param lowered the subscript. That of a number is its base; that of a name is read as written: "H2O". */
function writeLowered(before: string, lowered: string): string {
  return /\d$/.test(before) && /^\d/.test(lowered) ? `_${lowered}` : lowered;
}
