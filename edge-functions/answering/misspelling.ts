// Owns whether a word of a question is a word of a text with a typing error. Does not know meanings.

export function isMisspelt(asked: string, written: string): boolean {
  const length = Math.min(asked.length, written.length);
  if (length < 4 || asked[0] !== written[0] || /\d/.test(asked) || /\d/.test(written)) return false;
  if (withoutDoubles(asked) === withoutDoubles(written)) return true;
  if (length < 5) return false;
  return editDistance(asked, written) <= (length >= 9 ? 2 : 1);
}

/** "Botling" for "bottling" is the same word, however short its stem. */
const withoutDoubles = (text: string) => text.replace(/(.)\1/g, "$1");

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours; 3 for anything greater. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    [before, previous] = [previous, row];
  }
  return Math.min(3, previous[b.length] ?? 3);
}
