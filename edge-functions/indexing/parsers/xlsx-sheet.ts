// Reads the cells of one sheet of a workbook, and keeps those of any sheet. The caller formats the values.
import type { Archive } from "./archive.ts";
import type { CellLook } from "./table-groups.ts";
import type { SheetRow } from "./xlsx-tables.ts";
import { readXml } from "./xml.ts";

export interface SheetOptions {
  /** Maximum characters of all cells together; each cell counts four more. */
  most: number;
  format: (raw: string, type: string, style: number) => string;
  lookOf: (style: number) => CellLook | undefined;
  /** Is told the address of each formula without a stored result. */
  onUnread: (address: string) => void;
}

interface Cell {
  column: number;
  type: string;
  style: number;
  raw: string;
  address: string;
  isFormula: boolean;
}

interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Caps the cells filled in by merges: a hostile file may merge far more than people do. */
const mostMerged = 20_000;

/** The non-empty cells of a sheet. */
export class SheetCells {
  readonly #rows = new Map<number, SheetRow>();
  readonly #merged: Area[] = [];
  #left: number;

  /** @param most characters of all cells together; each cell counts four more */
  constructor(most: number) {
    this.#left = most;
  }

  get isTooLarge(): boolean {
    return this.#left < 0;
  }

  add(at: number, column: number, text: string, style: number, look?: CellLook): void {
    if (text.trim() === "") return;
    this.#left -= text.length + 4;
    if (this.isTooLarge) return;
    const row = this.#rows.get(at);
    if (row) row.cells.push([column, text]);
    else
      this.#rows.set(at, {
        at,
        cells: [[column, text]],
        style,
        ...(look ? { look } : {}),
        merged: new Map(),
      });
  }

  merge(area: Area): void {
    if (this.#merged.length < mostMerged) this.#merged.push(area);
  }

  /** The rows, with a value merged down a column repeated in each. Undefined when the sheet is too large. */
  finish(): SheetRow[] | undefined {
    if (this.isTooLarge) return undefined;
    fillMerged(this.#rows, this.#merged);
    for (const { cells } of this.#rows.values()) cells.sort(([a], [b]) => a - b);
    return [...this.#rows.values()].sort((a, b) => a.at - b.at);
  }
}

/** The rows of SheetCells. */
export async function readSheet(
  archive: Archive,
  part: string,
  { most, format, lookOf, onUnread }: SheetOptions,
): Promise<SheetRow[] | undefined> {
  const cells = new SheetCells(most);
  let row = 0;
  let column = -1;
  let cell: Cell | undefined;
  let inValue = false;
  let phonetic = 0;
  const store = ({ column: at, type, style, raw, address, isFormula }: Cell) => {
    // The result of a formula for text may be empty.
    if (isFormula && raw === "" && type !== "str") onUnread(address);
    cells.add(row, at, raw === "" ? "" : format(raw, type, style), style, lookOf(style));
  };
  await readXml(archive, part, {
    open(tag, { r, t, s, ref }) {
      if (tag === "row") {
        row = Number(r) || row + 1;
        column = -1;
      } else if (tag === "c") {
        column = columnOf(r) ?? column + 1;
        cell = { column, type: t ?? "", style: Number(s) || 0, raw: "", address: r ?? "", isFormula: false };
      } else if (tag === "f" && cell) cell.isFormula = true;
      else if (tag === "rPh") phonetic++;
      else if (tag === "mergeCell" && ref) {
        const area = areaOf(ref);
        if (area) cells.merge(area);
      }
      // Skips formulas: the value is in an element of its own.
      inValue = tag === "v" || (tag === "t" && phonetic === 0);
    },
    text(text) {
      if (cell && inValue && !cells.isTooLarge) cell.raw += text;
    },
    close(tag) {
      if (tag === "rPh") phonetic--;
      if (tag === "c" && cell) {
        store(cell);
        cell = undefined;
      }
      inValue = false;
    },
  });
  return cells.finish();
}

function fillMerged(rows: Map<number, SheetRow>, merged: Area[]): void {
  let left = mostMerged;
  for (const { top, bottom, left: first, right } of merged) {
    const text = rows.get(top)?.cells.find(([at]) => at === first)?.[1];
    if (text !== undefined && right > first) rows.get(top)?.merged.set(first, right);
    // A value merged along a row is a title and is written once; one merged down a column is repeated in every row.
    if (text === undefined || bottom === top) continue;
    for (let at = top + 1; at <= bottom && left > 0; at++, left--) {
      const cells = rows.get(at)?.cells;
      if (cells && !cells.some(([column]) => column >= first && column <= right)) cells.push([first, text]);
    }
  }
}

function areaOf(ref: string): Area | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(ref);
  const [, first, top, last, bottom] = match ?? [];
  const left = columnOf(first);
  const right = columnOf(last);
  if (left === undefined || right === undefined) return undefined;
  return { top: Number(top), bottom: Number(bottom), left, right };
}

/** The column of "B7", from 0. */
function columnOf(ref: string | undefined): number | undefined {
  const name = /^[A-Z]{1,3}/.exec(ref ?? "")?.[0];
  if (!name) return undefined;
  return [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
