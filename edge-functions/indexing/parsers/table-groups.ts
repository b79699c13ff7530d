// Owns which rows of a table only name the rows below them ("Current assets:"), and where such a group ends. Knows no file format. Pure.
import { either } from "../../_shared/language/rules.ts";
import type { SparseRow } from "./table-rows.ts";

export interface CellLook {
  /** True when all words of the cell are bold. */
  isBold: boolean;
  /** How far its words stand to the right, in any unit. */
  indent: number;
}

export const plainLook: CellLook = { isBold: false, indent: 0 };

/** The look is that of the first cell. */
export interface GroupRow extends CellLook {
  /** The text of the first column. */
  label: string;
  /** The other cells with text. */
  values: SparseRow;
  /** True for one cell over the whole width. */
  isWhole: boolean;
}

/** For each row: its group's name, "" for none, or undefined for a row that is taken out as the name of others. */
export type GroupNames = (string | undefined)[];

/** Characters of a name for rows. Longer texts are remarks. */
const longestName = 100;
/** Names above a row of which its figures may be the sum. */
const mostOpen = 8;
/** Smaller figures are the sum of others by chance. */
const leastSum = 100;

const total = new RegExp(
  String.raw`(?:^|\s)${either(({ tables }) => tables?.totalRow)}(?!\p{L})(?:.{0,60})$`,
  "iu",
);
const isColon = (text: string) => /[:：]$/.test(text);

/**
 * The groups of a table. A name over the whole width holds until the next. A name in the first cell has a colon or bold
 * type. It holds until the next, a total, a row of its own kind, or one that stands further left.
 */
export function groupsOf(rows: GroupRow[]): GroupNames {
  const names: GroupNames = rows.map(() => "");
  const filled = rows.flatMap((row, at) => (row.label || row.values.length > 0 ? [{ ...row, at }] : []));
  // In a form each label has a colon, and an empty one beside it lacks its value.
  const isForm = filled.some((row) => !isAlone(row) && isColon(row.label));
  let outer = "";
  let inner: Group | undefined;
  const sums = new Sums();
  filled.forEach((row, i) => {
    const below = filled[i + 1];
    if (isWholeName(row)) {
      inner = undefined;
      sums.clear();
      if (!below || below.isWhole) return;
      outer = row.label;
      names[row.at] = undefined;
      return;
    }
    if (isMarkedName(row, isForm)) {
      inner = { row };
      sums.open();
      const isNamed = below && belongsTo({ row }, below, isForm) && !isAlone(below) && isSure(row, below);
      if (isNamed) names[row.at] = undefined;
      else inner = undefined;
      if (isNamed || !outer) return;
    }
    const isFirst = inner !== undefined && !inner.first;
    if (isTotal(row) || (!isFirst && sums.areIn(row))) {
      inner = undefined;
      sums.clear();
    } else sums.add(row);
    if (inner && !belongsTo(inner, row, isForm)) inner = undefined;
    if (inner) inner.first ??= row;
    names[row.at] =
      inner && outer ? `${outer.replace(/\s*[:：]$/, "")} · ${inner.row.label}` : inner?.row.label || outer;
  });
  return names;
}

interface Group {
  row: GroupRow;
  first?: GroupRow;
}

const isAlone = ({ values }: GroupRow) => values.length === 0;
const isTotal = (row: GroupRow) => !isAlone(row) && total.test(row.label.slice(0, 2 * longestName));
const isName = (text: string) => text.length <= longestName && /[\p{L}\p{N}]/u.test(text);
const isWholeName = ({ isWhole, label }: GroupRow) => isWhole && isName(label);

const isMarkedName = (row: GroupRow, isForm: boolean) =>
  !row.isWhole && isAlone(row) && isName(row.label) && ((isColon(row.label) && !isForm) || row.isBold);

/** A line of prose in columns may end with a colon, above other words. */
const isSure = (row: GroupRow, below: GroupRow) =>
  row.isBold || below.values.some(([, text]) => /\d/.test(text));

function belongsTo({ row, first = row }: Group, below: GroupRow, isForm: boolean): boolean {
  if (below.isWhole || isMarkedName(below, isForm) || isTotal(below)) return false;
  // A value merged down begins in a row of its own.
  if (below.label === "" || below.label === row.label) return false;
  const isKind = below.isBold && !(first.isBold && isColon(row.label));
  return !isKind && (first.indent <= row.indent || below.indent > row.indent);
}

/** The sums of the rows below each open name, to find the row that has them. */
class Sums {
  #open: Map<number, { sum: number; count: number }>[] = [];

  open(): void {
    this.#open = [...this.#open, new Map()].slice(-mostOpen);
  }

  clear(): void {
    this.#open = [];
  }

  add({ values }: GroupRow): void {
    if (this.#open.length === 0) return;
    for (const [at, figure] of figuresOf(values))
      for (const columns of this.#open) {
        const { sum, count } = columns.get(at) ?? { sum: 0, count: 0 };
        columns.set(at, { sum: sum + figure, count: count + 1 });
      }
  }

  areIn({ values }: GroupRow): boolean {
    if (this.#open.length === 0) return false;
    const figures = figuresOf(values);
    const isLarge = figures.some(([, figure]) => Math.abs(figure) >= leastSum);
    return (
      isLarge &&
      this.#open.some((columns) =>
        figures.every(([at, figure]) => {
          const { sum, count } = columns.get(at) ?? { sum: 0, count: 0 };
          // Sums of rounded figures differ from the rounded sum.
          return count > 1 && Math.abs(sum - figure) <= count / 2;
        }),
      )
    );
  }
}

/** The amounts of a row in the smallest unit written, by their columns. */
const figuresOf = (values: SparseRow): [at: number, figure: number][] =>
  values.flatMap(([at, text]): [number, number][] => {
    if (text.length > 30 || !/\d/.test(text) || /\p{L}/u.test(text)) return [];
    const figure = Number(text.replace(/\D/g, ""));
    return [[at, /^[^\d]*[(\-–−]/.test(text) ? -figure : figure]];
  });
