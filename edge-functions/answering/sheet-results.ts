// Owns the wording of a result computed over a table: what was computed, over which rows, and these rows as a small table. Pure.
import { type MessageKey, say, type Values } from "../../locales/say.ts";
import type { LanguageCode } from "../_shared/language/rules.ts";
import type { Column } from "../_shared/text/cell-values.ts";
import { markdownTable } from "../_shared/text/table-text.ts";
import type { Condition } from "./sheet-conditions.ts";
import type { SheetPlan } from "./sheet-plan.ts";

/** The shape that private.compute_table() in sql/43_tables.sql returns. */
export type Figures = {
  rows: number;
  blanks: number;
  sum: number | null;
  average: number | null;
  smallest: number | null;
  largest: number | null;
};
export type ShownRow = { cells: string[]; start: number; end: number };

/** The shape that private.compute_groups() returns. */
export type GroupFigures = { rows: number; groups: number; blanks: number };
export type ShownGroup = { name: string; rows: number; value: number | null; start: number; end: number };

const mostColumns = 6;

/**
 * The result as a sentence, only above the first rows, and the rows.
 * @param figures of the plan's column and of its further ones @param shown number of rows shown in total
 */
export function tableSaid(
  plan: SheetPlan,
  figures: Figures | Figures[],
  rows: ShownRow[],
  { language, isFirst, shown }: { language: LanguageCode; isFirst: boolean; shown: number },
): string {
  const columns = columnsShown(plan);
  const names = columns.map((at) => plan.sheet.columns[at]?.name ?? "");
  const table =
    rows.length > 0
      ? markdownTable(
          names,
          rows.map(({ cells }) => columns.map((at) => cells[at] ?? "")),
        )
      : "";
  const each = [figures].flat();
  const said = isFirst
    ? each
        .flatMap((one, at) =>
          sentences(at === 0 ? plan : { ...plan, column: plan.also?.[at - 1] ?? null }, one, shown, language),
        )
        .join(" ")
    : "";
  return [said, table].filter(Boolean).join("\n\n");
}

/** The same for groups: one line each, with its figure and number of rows. */
export function groupsSaid(
  plan: SheetPlan,
  figures: GroupFigures,
  groups: ShownGroup[],
  { language, isFirst, shown }: { language: LanguageCode; isFirst: boolean; shown: number },
): string {
  const { sheet, op, column, group, unclear } = plan;
  const { word, quoted, from, rowsSaid, amountSaid } = wording(plan, language);
  if (unclear) return openQuestion(plan, unclear, language);
  const of = sheet.columns[column ?? -1];
  const by = sheet.columns[group?.column ?? -1]?.name ?? "";
  const rowsColumn = word("rowsColumn");
  const figure = figureSaid(plan, quoted(of?.name ?? ""), language);
  const value = (one: ShownGroup) => (one.value === null ? "" : amountSaid(round(one.value), of));
  const nameOf = ({ name }: ShownGroup) => name || word("empty");
  const table = markdownTable(
    op === "count" ? [by, rowsColumn] : [by, figure, rowsColumn],
    groups.map((one) =>
      op === "count" ? [nameOf(one), String(one.rows)] : [nameOf(one), value(one), String(one.rows)],
    ),
  );
  if (!isFirst) return table;
  const each = word(`each.${group?.part ?? "value"}`, { column: quoted(by) });
  const rows = rowsSaid(figures.rows);
  const said = [word("groups", { from, figure, each, rows, where: whereSaid(plan, language) })];
  if (figures.blanks > 0 && column !== null) said.push(word("leftOut", { rows: rowsSaid(figures.blanks) }));
  if (figures.groups > shown) said.push(word("first", { shown: String(shown) }));
  return `${said.join(" ")}\n\n${table}`;
}

/** What is computed over a column, whose name is quoted. */
function figureSaid({ op, sheet, column: at }: SheetPlan, column: string, language: LanguageCode): string {
  if (op === "list") return column;
  const isDate = sheet.columns[at ?? -1]?.kind === "date";
  const figure = (isDate && figuresOfDates[op]) || op;
  return say(language, `answers:tables.figures.${figure}`, { column });
}

const figuresOfDates: Partial<
  Record<SheetPlan["op"], "earliest" | "latest" | "earliestOnes" | "latestOnes">
> = {
  smallest: "earliest",
  largest: "latest",
  lowest: "earliestOnes",
  highest: "latestOnes",
};

type TableWord = MessageKey extends infer Key
  ? Key extends `answers:tables.${infer Word}`
    ? Word
    : never
  : never;

/** A language's wording of tables, columns, row counts and amounts. */
function wording({ sheet }: Pick<SheetPlan, "sheet">, language: LanguageCode) {
  const word = (key: TableWord, values: Values = {}) => say(language, `answers:tables.${key}`, values);
  const quote = (text: string) => word("quoted", { text });
  const table =
    sheet.caption && sheet.caption !== sheet.title ? `${sheet.title}, ${sheet.caption}` : sheet.title;
  const number = (value: number) => numberSaid(value, language);
  return {
    word,
    quoted: quote,
    number,
    table: quote(table),
    from: word("from", { table: quote(table) }),
    rowsSaid: (count: number) => word("rows", { count, number: number(count) }),
    amountSaid: (value: number | null, column: Column | undefined) =>
      value === null
        ? ""
        : column?.kind === "date"
          ? daySaid(value)
          : [number(value), column?.unit].filter(Boolean).join(" "),
  };
}

/** The columns that name a row, and those that the question is about. */
function columnsShown(plan: SheetPlan): number[] {
  const { sheet, column, also = [], conditions, asked, mayBe = [], named: said = [] } = plan;
  const all = sheet.columns.map((_, at) => at);
  if (all.length <= mostColumns) return all;
  const named = [...also, ...conditions.map((one) => one.column), ...mayBe, ...said];
  const first = [column, asked ?? null, ...named].filter((at) => at !== null);
  const naming = all.slice(0, countNaming(sheet.columns));
  return [...new Set([...naming, ...first, ...all])].slice(0, mostColumns).sort((a, b) => a - b);
}

/** The first column usually names a row. One without a name may name a group of rows: the next ones then tell which of them it is. */
function countNaming(columns: Column[]): number {
  const named = columns.findIndex(({ name }) => name !== "");
  return Math.max(1, columns[named]?.kind === "text" ? named + 1 : named);
}

function sentences(plan: SheetPlan, figures: Figures, shown: number, language: LanguageCode): string[] {
  const { sheet, op, column, conditions, unclear, asked, outside } = plan;
  if (unclear) return [openQuestion(plan, unclear, language)];
  const { word, quoted, from, rowsSaid, amountSaid } = wording(plan, language);
  const one = sheet.columns[column ?? -1];
  const where = whereSaid(plan, language);
  const value =
    op === "sum"
      ? figures.sum
      : op === "average"
        ? round(figures.average)
        : op === "smallest" || op === "lowest"
          ? figures.smallest
          : figures.largest;
  const said: string[] = [];
  if (op === "count" || op === "list") {
    const what = sheet.columns[asked ?? -1]?.name || undefined;
    const rows = rowsSaid(figures.rows);
    said.push(
      what === undefined
        ? word("found", { from, rows, where })
        : word("asked", { from, column: quoted(what), where, rows }),
    );
  } else if (value === null) {
    said.push(word("noValue", { from, where }));
  } else {
    const figure = figureSaid(plan, quoted(one?.name ?? ""), language);
    const amount = amountSaid(value, one);
    if (op === "lowest" || op === "highest") said.push(word("ordered", { from, figure, where }));
    else if (op === "sum" || op === "average") {
      const rows = rowsSaid(figures.rows - figures.blanks);
      said.push(word("valueOver", { from, figure, rows, where, value: amount }));
    } else said.push(word("value", { from, figure, where, value: amount }));
  }
  if (figures.blanks > 0 && column !== null)
    said.push(word(one?.kind === "date" ? "undated" : "leftOut", { rows: rowsSaid(figures.blanks) }));
  const { name: of = "", range } = sheet.columns[outside ?? -1] ?? {};
  if (range) {
    const [first, last] = range.map(daySaid);
    said.push(word("reach", { column: quoted(of), first: first ?? "", last: last ?? "" }));
  }
  const isOrdered = op !== "count" && op !== "list" && op !== "sum" && op !== "average";
  if (!isOrdered && shown > 0 && figures.rows > shown) said.push(word("first", { shown: String(shown) }));
  return said.map((sentence) => (conditions.length > 20 ? sentence.slice(0, 500) : sentence));
}

function openQuestion(
  plan: SheetPlan,
  unclear: NonNullable<SheetPlan["unclear"]>,
  language: LanguageCode,
): string {
  const { word, quoted, table } = wording(plan, language);
  if ("years" in unclear) {
    const [first, last] = unclear.years;
    return word("unclear.years", { table, first: String(first), last: String(last) });
  }
  const listNames = (names: string[]) => names.map(quoted).join(", ");
  return "tables" in unclear
    ? word("unclear.tables", { names: listNames(unclear.tables.slice(0, 5)) })
    : word("unclear.columns", { table, names: listNames(unclear.columns) });
}

/** The rows' conditions, after a space; "" when there are none. */
function whereSaid(plan: SheetPlan, language: LanguageCode): string {
  const { sheet, conditions } = plan;
  if (conditions.length === 0) return "";
  const { word, quoted } = wording(plan, language);
  const said = conditions.map((condition) => {
    const column = sheet.columns[condition.column];
    const value = conditionSaid(plan, condition, column?.kind === "date", language);
    return column?.name
      ? word("condition", { column: quoted(column.name), value })
      : word("unnamed", { value });
  });
  return ` ${word("where", { conditions: joinAll(said, "and", language) })}`;
}

const joinAll = (said: string[], by: "and" | "or", language: LanguageCode) =>
  said.length === 0
    ? ""
    : said.reduce((left, right) => say(language, `answers:tables.${by}`, { left, right }));

function conditionSaid(
  plan: SheetPlan,
  condition: Condition,
  isDate: boolean,
  language: LanguageCode,
): string {
  const { word, quoted, number } = wording(plan, language);
  if (condition.op !== "between") {
    const some = condition.texts.slice(0, 5).map(quoted);
    return `${joinAll(some, "or", language)}${condition.texts.length > some.length ? "…" : ""}`;
  }
  const { low, high, isLowIn, isHighIn } = condition;
  const showValue = (value: number) => (isDate ? daySaid(value) : number(value));
  if (low !== undefined && low === high) return showValue(low);
  const parts: string[] = [];
  if (low !== undefined) parts.push(word(isLowIn ? "atLeast" : "over", { value: showValue(low) }));
  if (high !== undefined)
    parts.push(word(isHighIn ? "atMost" : isDate ? "before" : "under", { value: showValue(high) }));
  return joinAll(parts, "and", language);
}

/** Rounds an average to two places, unless it is small: more would be false precision. */
const round = (value: number | null) =>
  value === null || Math.abs(value) < 1 ? value : Math.round(value * 100) / 100;

/** Without the noise of binary fractions, and without grouping, so that cells match. */
function numberSaid(value: number, language: LanguageCode): string {
  return String(Number(value.toPrecision(12))).replace(".", decimalSign(language));
}

const decimalSigns = new Map<LanguageCode, string>();
function decimalSign(language: LanguageCode): string {
  const parts = () => new Intl.NumberFormat(language).formatToParts(0.5);
  const sign = decimalSigns.get(language) ?? parts().find(({ type }) => type === "decimal")?.value ?? ".";
  decimalSigns.set(language, sign);
  return sign;
}

const daySaid = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
