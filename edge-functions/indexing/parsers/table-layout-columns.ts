// Owns the columns of a table that only place its values: spacers, and the signs of amounts in columns of their own, as programs for
// financial reports write them. Pure.

export interface SpreadTable {
  /** The text of each cell; of a merged one at its first column, or in a header at each. */
  cells: string[][];
  /** For each row, the last columns of the cells merged along it, by their first column. */
  merged: Map<number, number>[];
}

/** Rows in which names stand, and names over several columns: each takes a pass over the table. */
const mostNameRows = 5;
const mostSpans = 50;

/** A cell with text. */
interface Start {
  from: number;
  to: number;
  text: string;
  isRepeated: boolean;
}

const isPrefix = (text: string) => /^(?:\p{Sc}|US\$|\()+$/u.test(text);
const isSuffix = (text: string) => /^[)%‰]+$/.test(text);

/** Not Math.max(...): there may be more rows than a call takes arguments. */
export const widthOf = (cells: string[][]) => cells.reduce((most, row) => Math.max(most, row.length), 0);

/** The table with each amount in one cell below its name: "$", "(1,250" and ")" become "$(1,250)". No text is lost. */
export function withoutLayoutColumns({ cells, merged }: SpreadTable): SpreadTable {
  const rows = cells.map((row, y) => startsOf(row, merged[y]));
  const width = widthOf(cells);
  const joined = joinedColumns(rows, width);
  const isUsed = new Set(rows.flatMap((row) => row.map(({ from }) => joined[from])));
  const names = [...new Set(joined)].filter((column) => isUsed.has(column));
  if (names.length === width) return { cells, merged };
  // A dropped column stands for the next one that is left.
  const placeOf = (at: number) => {
    const place = names.findIndex((name) => name >= (joined[at] ?? 0));
    return place < 0 ? names.length - 1 : place;
  };
  const lastPlaceOf = (at: number) => names.findLastIndex((name) => name <= (joined[at] ?? 0));
  const spans = rows.map(() => new Map<number, number>());
  const texts = rows.map((row, y) => {
    const line = names.map(() => "");
    for (const { from, to, text, isRepeated } of row) {
      const [first, last] = [placeOf(from), Math.max(placeOf(from), lastPlaceOf(to))];
      line[first] += text;
      if (last > first) spans[y]?.set(first, last);
      for (let at = first + 1; isRepeated && at <= last; at++) line[at] = text;
    }
    return line;
  });
  return { cells: texts, merged: spans };
}

function startsOf(row: string[], merged = new Map<number, number>()): Start[] {
  const starts: Start[] = [];
  for (let from = 0; from < row.length; from++) {
    const to = merged.get(from) ?? from;
    const text = row[from] ?? "";
    if (text !== "") starts.push({ from, to, text, isRepeated: to > from && row[from + 1] === text });
    from = to;
  }
  return starts;
}

/** For each column, the first of those that it is joined with. */
function joinedColumns(rows: Start[][], width: number): number[] {
  const first = Array.from({ length: width }, (_, at) => at);
  const join = (one: number, other: number) => {
    const [from, to] = [first[one], first.lastIndexOf(first[other] ?? -1)];
    if (from !== undefined && to >= 0 && rows.every((row) => fitsOneCell(row, from, to)))
      first.fill(from, from, to + 1);
  };
  const alone = Array.from({ length: width }, (): string[] => []);
  for (const { from, to, text } of rows.flat()) if (from === to) alone[from]?.push(text);
  for (const [at, texts] of alone.entries()) {
    if (texts.length === 0) continue;
    if (texts.every(isPrefix)) {
      const side = sideOfAmounts(rows, at, first);
      if (side === 1) join(at, at + 1);
      else if (side === -1) join(at - 1, at);
    } else if (texts.every(isSuffix)) join(at - 1, at);
  }
  const names = rows.slice(0, mostNameRows).flat();
  for (const { from, to } of names.filter((start) => start.to > start.from).slice(0, mostSpans))
    join(from, to);
  return first;
}

const isAmount = (text: string) => (/\d/.test(text) && !/\p{L}/u.test(text)) || /^[-–—]+$/.test(text);
/** Signs that stand in front of their amounts in every language. */
const leading = /^(?:US\$|[$£¥(])+$/;

/** On which side of a column of signs their amounts are: 1 behind it, -1 in front of it ("12 €"), 0 when it could be either. */
function sideOfAmounts(rows: Start[][], at: number, first: number[]): -1 | 0 | 1 {
  let [isBehind, isInFront, isLeading] = [true, true, true];
  for (const row of rows) {
    const place = row.findIndex(({ from, to }) => from === at && to === at);
    const [before, sign, next] = [row[place - 1], row[place], row[place + 1]];
    if (!sign || (!next && !before)) continue;
    const isTaken = row.some(
      ({ from, text }) =>
        before && from < before.from && first[from] === first[before.from] && isPrefix(text),
    );
    isBehind &&= isAmount(next?.text ?? "");
    isInFront &&= isAmount(before?.text ?? "") && !isTaken;
    isLeading &&= leading.test(sign.text);
  }
  if (isBehind && (!isInFront || isLeading)) return 1;
  return isInFront && !isBehind ? -1 : 0;
}

/** True when a row has at most one text in these columns, with signs in front of it and behind it. */
function fitsOneCell(row: Start[], first: number, last: number): boolean {
  const texts = row.filter(({ from, to }) => from <= last && to >= first).map(({ text }) => text);
  const value = texts.findIndex((text) => !isPrefix(text));
  return (
    value < 0 ||
    texts.slice(value + 1).every((text) => isSuffix(text) || (isPrefix(text) && !leading.test(text)))
  );
}
