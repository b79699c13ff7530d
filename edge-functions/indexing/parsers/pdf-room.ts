// Detects a page of text with a large picture that no text lies on: a half-scanned page, or one with nothing but a stamp as text.
// Text recognised by a scanner lies on its picture, which is then already read. Pure geometry, on a coarse grid.
import { boxOf, type Matrix } from "./page-canvas.ts";
import type { TextRun } from "./pdf-lines.ts";

const side = 24;
/** The minimum share of a page: anything smaller is an illustration. */
const leastShare = 0.25;
const least = leastShare * side * side;

/** Left, bottom, right, top of a page, in points. */
export type View = readonly number[];

/** The cells of a page, row by row from the bottom. */
type Grid = Uint8Array;

/** True when the text leaves a free rectangle for such a picture. A margin alone is too small. */
export function hasRoom(view: View, runs: TextRun[]): boolean {
  const text = textOf(view, runs);
  // The length of the run of free cells in each column that ends at this row.
  const heights = new Uint8Array(side);
  for (let row = 0; row < side; row++) {
    for (let x = 0; x < side; x++) heights[x] = text[row * side + x] ? 0 : (heights[x] ?? 0) + 1;
    for (let from = 0; from < side; from++) {
      let lowest = side;
      for (let to = from; to < side; to++) {
        lowest = Math.min(lowest, heights[to] ?? 0);
        if (lowest * (to - from + 1) >= least) return true;
      }
    }
  }
  return false;
}

/** True when pictures cover that much of a page without text on them. */
export function isPictured(view: View, runs: TextRun[], places: Matrix[]): boolean {
  const text = textOf(view, runs);
  const pictures: Grid = new Uint8Array(side * side);
  for (const place of places) mark(pictures, view, boxOf(place));
  return pictures.filter((covered, cell) => covered && !text[cell]).length >= least;
}

function textOf(view: View, runs: TextRun[]): Grid {
  const grid: Grid = new Uint8Array(side * side);
  for (const { str, transform, width = 0, height } of runs) {
    if (str.trim() === "") continue;
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
    const along = width / (Math.hypot(a, b) || 1);
    const up = (height || Math.hypot(c, d)) / (Math.hypot(c, d) || 1);
    mark(grid, view, boxOf([a * along, b * along, c * up, d * up, e, f]));
  }
  return grid;
}

function mark(grid: Grid, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: View, box: readonly number[]): void {
  const [left = 0, bottom = 0, right = 0, top = 0] = box;
  const column = (x: number) => Math.min(side, Math.max(0, ((x - x0) / (x1 - x0 || 1)) * side));
  const row = (y: number) => Math.min(side, Math.max(0, ((y - y0) / (y1 - y0 || 1)) * side));
  for (let y = Math.floor(row(bottom)); y < row(top); y++)
    grid.fill(1, y * side + Math.floor(column(left)), y * side + Math.ceil(column(right)));
}
