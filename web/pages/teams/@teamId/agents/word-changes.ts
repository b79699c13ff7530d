// Owns the word diff of two texts of up to some thousand words. Pure.

export interface Piece {
  text: string;
  kind: "same" | "removed" | "added";
}

/** In characters: a longer text is shown as a whole. */
const longest = 6000;
/** Share of the longer text's words; texts with less in common are easier to read one after the other. */
const leastShared = 0.4;

/** The pieces that turn `before` into `after`: keeps the longest common subsequence of words. */
export function wordChanges(before: string, after: string): Piece[] {
  const whole: Piece[] = [
    { text: before, kind: "removed" },
    { text: after, kind: "added" },
  ];
  if (before.length > longest || after.length > longest) return whole.filter(({ text }) => text !== "");
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = common[i];
    for (let j = b.length - 1; row && j >= 0; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  if (at(0, 0) < leastShared * Math.max(a.length, b.length)) return whole.filter(({ text }) => text !== "");
  const pieces: Piece[] = [];
  const push = (text: string | undefined, kind: Piece["kind"]) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text ?? "";
    else pieces.push({ text: text ?? "", kind });
  };
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(a[i++], "same");
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) push(a[i++], "removed");
    else push(b[j++], "added");
  }
  return pieces;
}

const wordsOf = (text: string) => text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
