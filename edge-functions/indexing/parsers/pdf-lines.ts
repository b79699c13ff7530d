// Groups the text runs of pdf.js into lines with a type size. Pure geometry; opens no PDF.

export interface TextRun {
  str: string;
  hasEOL: boolean;
  height: number;
  /** In points. */
  width?: number;
  /** PDF text matrix [a b c d x y], in points. */
  transform: number[];
}

export interface Line {
  text: string;
  /** Points from the page's bottom. */
  y: number;
  /** Type size in half points, so that rounding does not split one size in two. */
  size: number;
  /** The cells of a table row, as many as in the rows around it unless `spans` says how many columns and rows each takes. */
  cells?: string[];
  spans?: { columns: number; rows: number }[];
  /** The table that the row belongs to, where rules tell it: its number on the page, and the edges of its columns in points. */
  table?: { number: number; edges: number[] };
}

/** A row of a table that no rules tell, with a cell for each column. */
export interface TableLine extends Line {
  cells: string[];
  /** The first and the last column of each name that stands over several; the first one's cell has its text. */
  groups?: [number, number][];
}

/** Points. */
const samePlace = 1;

/**
 * The runs, each once: some programs write words twice, a point or less apart, to make them bold. The same letter that follows is a whole
 * width away.
 */
export function withoutDoubles(runs: TextRun[]): TextRun[] {
  const places = new Map<string, TextRun[]>();
  const isDouble = ({ width = 0, transform: [, , , , x = 0, y = 0] }: TextRun, other: TextRun) =>
    Math.abs((other.transform[4] ?? 0) - x) <= Math.min(samePlace, width / 2) &&
    Math.abs((other.transform[5] ?? 0) - y) <= samePlace;
  return runs.flatMap((run) => {
    if (run.str.trim() === "") return [run];
    const [x, y] = [Math.round(run.transform[4] ?? 0), Math.round(run.transform[5] ?? 0)];
    const near = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up) => `${x + right} ${y + up} ${run.str}`));
    if (near.some((place) => places.get(place)?.some((other) => isDouble(run, other))))
      return run.hasEOL ? [{ ...run, str: "" }] : [];
    const place = `${x} ${y} ${run.str}`;
    places.set(place, [...(places.get(place) ?? []), run]);
    return [run];
  });
}

/**
 * A run across an edge, which stands for several words close together, cut at the space nearest to it. The second part begins behind the edge,
 * and is absent when there is no space.
 */
export function cutRun(run: TextRun, edge: number): [TextRun, TextRun?] {
  const { str, width = 0 } = run;
  const [a = 0, b = 0, c = 0, d = 0, left = 0, y = 0] = run.transform;
  const share = (edge - left) / width;
  const spaces = [...str.matchAll(/\s+/g)].map(({ index }) => index).filter((at) => at > 0);
  const at = spaces.sort(
    (one, other) => Math.abs(one / str.length - share) - Math.abs(other / str.length - share),
  )[0];
  if (at === undefined) return [run];
  const cut = (width * at) / str.length;
  const start = Math.max(left + cut, edge + 1);
  return [
    // With its space, in case that both parts stay in one cell.
    { ...run, str: str.slice(0, at + 1), width: cut },
    {
      ...run,
      str: str.slice(at).trimStart(),
      width: Math.max(0, left + width - start),
      transform: [a, b, c, d, start, y],
    },
  ];
}

export function linesOf(runs: TextRun[]): Line[] {
  const lines: Line[] = [];
  let text = "";
  let y = 0;
  let sizes = new Map<number, number>();
  const end = () => {
    if (text.trim() !== "") lines.push({ text: text.trim(), y, size: mostFrequent(sizes) });
    text = "";
    sizes = new Map();
  };
  for (const run of runs) {
    if (run.str.trim() !== "") {
      const size = Math.round(2 * (run.height || Math.hypot(run.transform[2] ?? 0, run.transform[3] ?? 0)));
      sizes.set(size, (sizes.get(size) ?? 0) + run.str.length);
      y = run.transform[5] ?? y;
    }
    text += run.str;
    if (run.hasEOL) end();
  }
  end();
  return lines;
}

/**
 * The type sizes that are headings, with their levels: at least a seventh larger than the size of most of the text, and used for
 * little of it. The largest is level 1.
 */
export function headingLevels(lines: Line[]): Map<number, number> {
  const chars = new Map<number, number>();
  let total = 0;
  for (const line of lines) {
    chars.set(line.size, (chars.get(line.size) ?? 0) + line.text.length);
    total += line.text.length;
  }
  const body = mostFrequent(chars);
  const larger = [...chars]
    .filter(([size, count]) => size >= body * 1.14 && count < total * 0.3)
    .map(([size]) => size)
    .sort((a, b) => b - a);
  return new Map(larger.slice(0, 6).map((size, i) => [size, i + 1]));
}

function mostFrequent(counts: Map<number, number>): number {
  let best = 0;
  let most = -1;
  for (const [value, count] of counts) {
    if (count > most) {
      best = value;
      most = count;
    }
  }
  return best;
}
