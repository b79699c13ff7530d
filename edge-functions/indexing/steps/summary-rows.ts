// Owns which rows of a table sum up the others: counted as rows, they would double a sum, and be the largest of all. Pure.
import { either } from "../../_shared/language/rules.ts";

interface Row {
  cells: string[];
  /** null for a cell that is no number. */
  numbers: (number | null)[];
}

type Summary = "sum" | "average";

const patternOf = (source: string) => new RegExp(`^${source}(?!\\p{L}).{0,60}$`, "iu");
const total = patternOf(either(({ tables }) => tables?.totalRow));
const average = patternOf(either(({ tables }) => tables?.averageRow));

/**
 * For each row whether it is a total, a subtotal or an average of others. A name alone does not make it one, since a client may be called
 * "Total": its figures are those of the rows, or it stands at the end and names nothing else.
 * @param isGrouped the first cell may be the name of the row's group
 */
export function markSummaries(rows: Row[], isGrouped = false): boolean[] {
  const kinds = rows.map((row) => kindOf(row, isGrouped));
  const plain = rows.filter((_, at) => !kinds[at]);
  if (plain.length === 0 || plain.length === rows.length) return rows.map(() => false);
  const whole = new Figures();
  for (const row of plain) whole.add(row);
  const lastPlain = kinds.lastIndexOf(undefined);
  const haveMoreNames = plain.every((row) => countNames(row) > 1);
  const above = new Figures();
  let group = new Figures();
  return rows.map((row, at) => {
    const kind = kinds[at];
    const isAlone = at > lastPlain && haveMoreNames && countNames(row) === 1;
    const all = at === 0 ? whole : above;
    const isSummary = kind !== undefined && (isAlone || all.has(row, kind) || group.has(row, kind));
    if (isSummary) group = new Figures();
    else for (const figures of [above, group]) figures.add(row);
    return isSummary;
  });
}

/** What a row may be by its first cell that is not empty, or behind the name of its group the next one. */
function kindOf({ cells }: Row, isGrouped: boolean): Summary | undefined {
  const labels = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .slice(0, isGrouped ? 2 : 1);
  if (labels.some((label) => total.test(label))) return "sum";
  return labels.some((label) => average.test(label)) ? "average" : undefined;
}

const countNames = ({ cells, numbers }: Row) =>
  cells.filter((cell, at) => cell.trim() !== "" && numbers[at] === null).length;

/** Sums of rounded figures differ from the rounded sum. */
const tolerance = 0.005;

/** The sums of some rows, column by column. */
class Figures {
  readonly #columns: { sum: number; size: number; count: number }[] = [];

  add({ numbers }: Row): void {
    numbers.forEach((number, at) => {
      if (number === null) return;
      this.#columns[at] ??= { sum: 0, size: 0, count: 0 };
      const column = this.#columns[at];
      column.sum += number;
      column.size += Math.abs(number);
      column.count += 1;
    });
  }

  /** True when the row has the sum or the average of a column. */
  has({ numbers }: Row, kind: Summary): boolean {
    return numbers.some((number, at) => {
      const column = this.#columns[at];
      if (number === null || !column) return false;
      const { sum, size, count } = column;
      const per = kind === "sum" ? 1 : count;
      return Math.abs(number - sum / per) <= (tolerance * size) / per;
    });
  }
}
