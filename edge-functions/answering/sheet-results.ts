// Owns how a result that was computed over a table is said, in English and French: what was computed, over which rows, and
// these rows as a small table. Pure.
import type { Column } from "../_shared/text/cell-values.ts";
import { markdownTable } from "../_shared/text/table-text.ts";
import type { Condition, SheetPlan } from "./sheet-plan.ts";
import type { Language } from "./words.ts";

/** As private.compute_table() in sql/43_tables.sql gives them. */
export type Figures = {
  rows: number;
  blanks: number;
  sum: number | null;
  average: number | null;
  smallest: number | null;
  largest: number | null;
};
export type ShownRow = { cells: string[]; start: number; end: number };

/** As private.compute_groups() gives them. */
export type GroupFigures = { rows: number; groups: number; blanks: number };
export type ShownGroup = { name: string; rows: number; value: number | null; start: number; end: number };

const mostColumns = 6;

/** The result in a sentence, before the first rows alone, and these rows. @param shown how many rows are shown in all */
export function tableSaid(
  plan: SheetPlan,
  figures: Figures,
  rows: ShownRow[],
  { language, isFirst, shown }: { language: Language; isFirst: boolean; shown: number },
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
  const said = isFirst ? sentences(plan, figures, shown, language).join(" ") : "";
  return [said, table].filter(Boolean).join("\n\n");
}

/** The same for groups: a line for each, with its figure and its number of rows. */
export function groupsSaid(
  plan: SheetPlan,
  figures: GroupFigures,
  groups: ShownGroup[],
  { language, isFirst, shown }: { language: Language; isFirst: boolean; shown: number },
): string {
  const { sheet, op, column, group, unclear } = plan;
  const fr = language === "fr";
  const { quoted, from, rowsSaid } = wording(plan, fr);
  if (unclear) return `${from} ${openQuestion(unclear, fr, quoted)}`;
  const of = sheet.columns[column ?? -1];
  const by = sheet.columns[group?.column ?? -1]?.name ?? "";
  const rowsWord = fr ? "Lignes" : "Rows";
  const figure = op === "count" ? rowsWord : `${figureWords[op][fr ? 1 : 0]} ${quoted(of?.name ?? "")}`;
  const value = (one: ShownGroup) => (one.value === null ? "" : amountSaid(rounded(one.value), of, fr));
  const named = ({ name }: ShownGroup) => name || (fr ? "(vide)" : "(empty)");
  const table = markdownTable(
    op === "count" ? [by, rowsWord] : [by, figure, rowsWord],
    groups.map((one) =>
      op === "count" ? [named(one), String(one.rows)] : [named(one), value(one), String(one.rows)],
    ),
  );
  if (!isFirst) return table;
  const part = { value: ["", ""], month: [", by month", ", par mois"], year: [", by year", ", par année"] };
  const what = op === "count" ? (fr ? "nombre de lignes" : "the number of rows") : figure;
  const each = `${fr ? "pour chaque" : "for each"} ${quoted(by)}${part[group?.part ?? "value"][fr ? 1 : 0]}`;
  const over = `${fr ? "sur" : "over"} ${rowsSaid(figures.rows)}${whereSaid(plan, fr, quoted)}`;
  const said = [`${from} ${what} ${each}, ${over}.`];
  if (figures.blanks > 0 && column !== null) said.push(leftOut(figures.blanks, fr, rowsSaid));
  if (figures.groups > shown) said.push(fr ? `Les ${shown} premières :` : `The first ${shown}:`);
  return `${said.join(" ")}\n\n${table}`;
}

const figureWords: Record<Exclude<SheetPlan["op"], "count">, [string, string]> = {
  sum: ["the sum of", "la somme de"],
  average: ["the average of", "la moyenne de"],
  smallest: ["the smallest", "le plus petit"],
  largest: ["the largest", "le plus grand"],
  lowest: ["the lowest", "les plus petits"],
  highest: ["the highest", "les plus grands"],
  list: ["", ""],
};

/** How tables and numbers of rows are called. */
function wording({ sheet }: SheetPlan, fr: boolean) {
  const quoted = (text: string) => (fr ? `« ${text} »` : `“${text}”`);
  const table =
    sheet.caption && sheet.caption !== sheet.title ? `${sheet.title}, ${sheet.caption}` : sheet.title;
  const from = fr
    ? `Calculé à partir du tableau ${quoted(table)} :`
    : `Computed from table ${quoted(table)}:`;
  const rowsSaid = (n: number) =>
    fr
      ? `${numberSaid(n, fr)} ${n < 2 ? "ligne" : "lignes"}`
      : `${numberSaid(n, fr)} ${n === 1 ? "row" : "rows"}`;
  return { quoted, from, rowsSaid };
}

const amountSaid = (value: number | null, column: Column | undefined, fr: boolean) =>
  value === null
    ? ""
    : column?.kind === "date"
      ? daySaid(value)
      : [numberSaid(value, fr), column?.unit].filter(Boolean).join(" ");

const leftOut = (blanks: number, fr: boolean, rowsSaid: (n: number) => string) =>
  fr
    ? `Sans nombre, donc non comptées : ${rowsSaid(blanks)}.`
    : `Left out, without a number: ${rowsSaid(blanks)}.`;

/** The first column, which names a row as a rule, and those that the question is about. */
function columnsShown({ sheet, column, conditions, asked }: SheetPlan): number[] {
  const all = sheet.columns.map((_, at) => at);
  if (all.length <= mostColumns) return all;
  const first = [column, asked ?? null, ...conditions.map((one) => one.column)].filter((at) => at !== null);
  return [...new Set([0, ...first, ...all])].slice(0, mostColumns).sort((a, b) => a - b);
}

function sentences(plan: SheetPlan, figures: Figures, shown: number, language: Language): string[] {
  const { sheet, op, column, conditions, unclear, asked } = plan;
  const fr = language === "fr";
  const { quoted, from, rowsSaid } = wording(plan, fr);
  if (unclear) return [`${from} ${openQuestion(unclear, fr, quoted)}`];
  const one = sheet.columns[column ?? -1];
  const where = whereSaid(plan, fr, quoted);
  const value =
    op === "sum"
      ? figures.sum
      : op === "average"
        ? rounded(figures.average)
        : op === "smallest" || op === "lowest"
          ? figures.smallest
          : figures.largest;
  const said: string[] = [];
  if (op === "count" || op === "list") {
    const what = sheet.columns[asked ?? -1]?.name;
    said.push(
      what === undefined
        ? `${from} ${rowsSaid(figures.rows)}${where}.`
        : `${from} ${quoted(what)}${where}, ${rowsSaid(figures.rows)}.`,
    );
  } else if (value === null) {
    said.push(`${from} ${fr ? "aucune valeur" : "no value"}${where}.`);
  } else if (op === "lowest" || op === "highest") {
    const words = figureWords[op][fr ? 1 : 0];
    said.push(`${from} ${words} ${quoted(one?.name ?? "")}${where}, ${fr ? "dans l’ordre" : "in order"}.`);
  } else {
    const over =
      op === "sum" || op === "average"
        ? fr
          ? `, sur ${rowsSaid(figures.rows - figures.blanks)},`
          : ` over ${rowsSaid(figures.rows - figures.blanks)}`
        : "";
    const words = figureWords[op][fr ? 1 : 0];
    said.push(
      `${from} ${words} ${quoted(one?.name ?? "")}${over}${where}${fr ? " est" : " is"} ${amountSaid(value, one, fr)}.`,
    );
  }
  if (figures.blanks > 0 && column !== null) said.push(leftOut(figures.blanks, fr, rowsSaid));
  const isOrdered = op !== "count" && op !== "list" && op !== "sum" && op !== "average";
  if (!isOrdered && shown > 0 && figures.rows > shown) {
    said.push(fr ? `Les ${shown} premières :` : `The first ${shown}:`);
  }
  return said.map((sentence) => (conditions.length > 20 ? sentence.slice(0, 500) : sentence));
}

function openQuestion(
  unclear: NonNullable<SheetPlan["unclear"]>,
  fr: boolean,
  quoted: (text: string) => string,
): string {
  if ("years" in unclear) {
    const [first, last] = unclear.years;
    return fr
      ? `rien, car le tableau va de ${first} à ${last}. Précisez l’année.`
      : `nothing, since the table reaches from ${first} to ${last}. Name the year.`;
  }
  if ("tables" in unclear) {
    const tables = unclear.tables.slice(0, 5).map(quoted).join(", ");
    return fr
      ? `rien, car plusieurs tableaux peuvent être visés. Précisez lequel : ${tables}.`
      : `nothing, since several tables may be meant. Name one: ${tables}.`;
  }
  const names = unclear.columns.map(quoted).join(", ");
  return fr
    ? `rien, car plusieurs colonnes peuvent être visées. Précisez laquelle : ${names}.`
    : `nothing, since several columns may be meant. Name one: ${names}.`;
}

function whereSaid({ sheet, conditions }: SheetPlan, fr: boolean, quoted: (text: string) => string): string {
  if (conditions.length === 0) return "";
  const said = conditions.map((condition) => {
    const column = sheet.columns[condition.column];
    return `${quoted(column?.name ?? "")} ${fr ? "est" : "is"} ${conditionSaid(condition, column?.kind === "date", fr, quoted)}`;
  });
  return ` ${fr ? "où" : "where"} ${said.join(fr ? " et " : " and ")}`;
}

function conditionSaid(
  condition: Condition,
  isDate: boolean,
  fr: boolean,
  quoted: (text: string) => string,
): string {
  if (condition.op !== "between") {
    const some = condition.texts.slice(0, 5).map(quoted);
    return `${some.join(fr ? " ou " : " or ")}${condition.texts.length > some.length ? "…" : ""}`;
  }
  const { low, high, isLowIn, isHighIn } = condition;
  const shown = (value: number) => (isDate ? daySaid(value) : numberSaid(value, fr));
  if (low !== undefined && low === high) return shown(low);
  const parts: string[] = [];
  if (low !== undefined)
    parts.push(
      isLowIn
        ? fr
          ? `au moins ${shown(low)}`
          : `at least ${shown(low)}`
        : fr
          ? `plus de ${shown(low)}`
          : `over ${shown(low)}`,
    );
  if (high !== undefined)
    parts.push(
      isHighIn
        ? fr
          ? `au plus ${shown(high)}`
          : `at most ${shown(high)}`
        : isDate
          ? fr
            ? `avant le ${shown(high)}`
            : `before ${shown(high)}`
          : fr
            ? `moins de ${shown(high)}`
            : `under ${shown(high)}`,
    );
  return parts.join(fr ? " et " : " and ");
}

/** An average is no more exact than what it is of: two places, where it is not small. */
const rounded = (value: number | null) =>
  value === null || Math.abs(value) < 1 ? value : Math.round(value * 100) / 100;

/** Without the noise of binary fractions, and without grouping: as cells are found. */
function numberSaid(value: number, fr: boolean): string {
  const plain = String(Number(value.toPrecision(12)));
  return fr ? plain.replace(".", ",") : plain;
}

const daySaid = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
