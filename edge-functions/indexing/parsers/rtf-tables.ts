// Writes the rows of an RTF table as HTML. The file says where each cell ends, from which the cells merged along a row follow. Pure.

/** What stands before the end of a cell: \clvmrg, \clmrg. */
export interface CellPlace {
  /** In twips. */
  right: number;
  /** Continues the cell above. */
  isBelow: boolean;
  /** Continues the cell to its left. */
  isBeside: boolean;
}

export class RowPlaces {
  left = 0;
  isHeader = false;
  readonly cells: CellPlace[] = [];
  #isBelow = false;
  #isBeside = false;

  read(word: string, value = 0): void {
    if (word === "trleft") this.left = value;
    else if (word === "trhdr") this.isHeader = true;
    else if (word === "clvmrg") this.#isBelow = true;
    else if (word === "clmrg") this.#isBeside = true;
    else if (word === "cellx" && this.cells.length < mostCells) {
      this.cells.push({ right: value, isBelow: this.#isBelow, isBeside: this.#isBeside });
      [this.#isBelow, this.#isBeside] = [false, false];
    }
  }
}

export interface RtfRow {
  /** The HTML of each cell. */
  cells: string[];
  places: RowPlaces;
}

const mostCells = 1000;
/** Edges as close together are one. */
const tolerance = 60;
const mostEdges = 200;

interface Placed {
  html: string;
  at: number;
  columns: number;
  rows: number;
  isBelow: boolean;
}

export function htmlOfRows(rows: RtfRow[]): string {
  const edges = edgesOf(rows);
  const placed = rows.map((row) => placeCells(row, edges));
  // From the last row upwards: a cell is as high as those that continue it.
  let below = new Map<number, Placed>();
  for (const row of placed.toReversed()) {
    const own = new Map(row.map((cell) => [cell.at, cell]));
    for (const [at, cell] of below) {
      const above = own.get(at);
      if (above && cell.isBelow) above.rows += cell.rows;
      else cell.isBelow = false;
    }
    below = own;
  }
  for (const cell of below.values()) cell.isBelow = false;
  const lines = placed.map((row, y) => {
    const tag = rows[y]?.places.isHeader ? "th" : "td";
    let next = 0;
    const cells = row.map((cell) => {
      const gap = cell.at > next ? `<${tag} colspan="${cell.at - next}"></${tag}>` : "";
      next = cell.at + cell.columns;
      // Words in a covered cell belong to none that is shown.
      if (cell.isBelow) return gap;
      return `${gap}<${tag} colspan="${cell.columns}" rowspan="${cell.rows}">${cell.html}</${tag}>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table>${lines.join("")}</table>`;
}

/** Where columns begin and end; empty when the rows have as many cells as each other, whose widths then do not matter. */
function edgesOf(rows: RtfRow[]): number[] {
  const counts = new Set(
    rows.map(({ cells, places }) => (places.cells.length === cells.length ? cells.length : -1)),
  );
  if (counts.size === 1 && !rows.some(({ places }) => places.cells.some(({ isBeside }) => isBeside)))
    return [];
  const all = new Set(rows.flatMap(({ places }) => [places.left, ...places.cells.map(({ right }) => right)]));
  const edges: number[] = [];
  for (const edge of [...all].sort((a, b) => a - b))
    if (edges.length === 0 || edge - (edges.at(-1) ?? 0) > tolerance) edges.push(edge);
  return edges.length > mostEdges ? [] : edges;
}

function placeCells({ cells, places }: RtfRow, edges: number[]): Placed[] {
  const hasPlaces = edges.length > 0 && places.cells.length === cells.length;
  const columnOf = (edge: number) => {
    const next = edges.findIndex((one) => one > edge + tolerance);
    return Math.max(0, (next < 0 ? edges.length : next) - 1);
  };
  const placed: Placed[] = [];
  let at = hasPlaces ? columnOf(places.left) : 0;
  cells.forEach((html, i) => {
    const { right = 0, isBelow = false, isBeside = false } = places.cells[i] ?? {};
    const end = hasPlaces ? Math.max(at + 1, columnOf(right)) : at + 1;
    const before = placed.at(-1);
    if (isBeside && before) {
      before.columns += end - at;
      before.html += html;
    } else placed.push({ html, at, columns: end - at, rows: 1, isBelow });
    at = end;
  });
  return placed;
}
