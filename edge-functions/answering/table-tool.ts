// Owns the tool that lets a language model compute over a table: the description of the tables, and the parsing of its arguments.
// Treats every argument as hostile: tables and columns must be among those offered, and values never become part of a statement.
// Pure.
import { z } from "zod";
import type { Tool } from "../_shared/models/model-tools.ts";
import { countTokens } from "../_shared/models/tokens.ts";
import { amountIn, type Column, dateIn } from "../_shared/text/cell-values.ts";
import type { Condition } from "./sheet-conditions.ts";
import type { Sheet, SheetPlan } from "./sheet-plan.ts";

/** The limits of the tables' description. */
const mostTokens = 1_500;
const mostColumns = 30;
const mostValues = 12;
const longestName = 120;
const longestArguments = 10_000;

/** Text that Postgres can store. */
const text = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((value) => !value.includes("\0") && !/[\ud800-\udfff]/u.test(value), "must be plain text");
const texts = z.union([text(200).transform((one) => [one]), z.array(text(200)).min(1).max(20)]);
const bound = z.union([z.number(), text(60)]);

const condition = z.strictObject({
  column: text(300),
  is: texts.nullish(),
  contains: texts.nullish(),
  atLeast: bound.nullish(),
  atMost: bound.nullish(),
  above: bound.nullish(),
  below: bound.nullish(),
});

const input = z.strictObject({
  table: text(20),
  operation: z.enum(["rows", "count", "sum", "average", "smallest", "largest"]),
  column: text(300).nullish(),
  where: z.array(condition).max(8).nullish(),
  groupBy: text(300).nullish(),
  groupPart: z.enum(["value", "month", "year"]).nullish(),
  limit: z.int().min(1).max(20).nullish(),
});

const string = (description: string) => ({ type: "string", description });
const value = { type: ["number", "string"], description: "A number, or a date as YYYY-MM-DD." };

export const tableTool: Tool = {
  name: "query_table",
  description:
    "Computes over all rows of one table, or finds rows in it. Returns the figures and the rows that they rest on as numbered passages.",
  parameters: {
    type: "object",
    properties: {
      table: string("The table's id, such as T1."),
      operation: {
        type: "string",
        enum: ["rows", "count", "sum", "average", "smallest", "largest"],
        description:
          "rows: the rows that fit `where`. smallest, largest: of a column of dates the earliest and the latest; with `limit`, so many rows in that order.",
      },
      column: string(
        "The column whose values are added up or compared; for rows the one that is asked for. Not for count.",
      ),
      where: {
        type: "array",
        description: "Conditions that all hold.",
        items: {
          type: "object",
          properties: {
            column: string("The column's name."),
            is: { type: "array", items: { type: "string" }, description: "The whole cell is one of these." },
            contains: {
              type: "array",
              items: { type: "string" },
              description: "The cell contains one of these; for a part of a name.",
            },
            atLeast: value,
            atMost: value,
            above: value,
            below: value,
          },
          required: ["column"],
          additionalProperties: false,
        },
      },
      groupBy: string("A column: one figure for each of its values."),
      groupPart: {
        type: "string",
        enum: ["value", "month", "year"],
        description: "Of dates, what is one group.",
      },
      limit: { type: "integer", description: "How many rows at most, 1 to 20." },
    },
    required: ["table", "operation"],
    additionalProperties: false,
  },
};

const oneLine = (said: string, longest = longestName) => said.replace(/\s+/g, " ").trim().slice(0, longest);

/** The tables by the names that the model uses, and their description: the best first, as many as fit. */
export function describeSheets(sheets: Sheet[]): { tables: Map<string, Sheet>; said: string } {
  const tables = new Map<string, Sheet>();
  const lines: string[] = [];
  let left = mostTokens;
  for (const sheet of sheets) {
    const name = `T${tables.size + 1}`;
    const caption = sheet.caption && sheet.caption !== sheet.title ? `, ${oneLine(sheet.caption)}` : "";
    const columns = sheet.columns.slice(0, mostColumns).map(columnSaid).join("; ");
    const line = `${name}: “${oneLine(sheet.title)}”${caption}, ${sheet.rowsCount} rows. Columns: ${columns}`;
    left -= countTokens(line);
    if (left < 0) break;
    tables.set(name, sheet);
    lines.push(line);
  }
  return { tables, said: lines.join("\n") };
}

function columnSaid({ name, kind, unit, values, range }: Column): string {
  const label = `“${oneLine(name)}”`;
  if (kind === "number") return `${label} number${unit ? ` in ${oneLine(unit, 20)}` : ""}`;
  if (kind === "date") return `${label} date${range ? ` from ${day(range[0])} to ${day(range[1])}` : ""}`;
  if (!values || values.length > mostValues) return `${label} text`;
  return `${label} text, one of ${values.map((one) => `“${oneLine(one, 60)}”`).join(", ")}`;
}

const day = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);

type ReadCall = { plan: SheetPlan } | { refusal: string };

class Refused extends Error {}
const refuse = (why: string): never => {
  throw new Refused(why);
};

/** Parses a model's arguments into a plan, or into an error for the model, so that it can call again. */
export function readTableCall(given: string, tables: Map<string, Sheet>): ReadCall {
  try {
    const { table, operation, column, where, groupBy, groupPart, limit } = parse(given);
    const sheet =
      tables.get(table.toUpperCase()) ??
      refuse(`There is no table ${table}: use ${[...tables.keys()].join(", ")}.`);
    const conditions = (where ?? []).flatMap((one) => conditionsOf(one, sheet));
    const valueAt = column ? columnAt(sheet, column) : null;
    if (operation === "rows") {
      return { plan: { sheet, op: "list", column: null, conditions, ...limitTo(limit), ...askFor(valueAt) } };
    }
    const at = operation === "count" ? null : requireColumn(sheet, valueAt, operation);
    const isOrder = (operation === "smallest" || operation === "largest") && (limit ?? 1) > 1 && !groupBy;
    const op = isOrder ? (operation === "smallest" ? "lowest" : "highest") : operation;
    const group = groupBy ? { group: groupOf(sheet, groupBy, groupPart ?? null) } : {};
    return { plan: { sheet, op, column: at, conditions, ...limitTo(limit), ...group } };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.message };
    throw error;
  }
}

const limitTo = (limit: number | null | undefined) => (limit ? { most: limit } : {});
const askFor = (column: number | null) => (column === null ? {} : { asked: column });

function parse(given: string): z.infer<typeof input> {
  if (given.length > longestArguments) return refuse("The arguments are too long.");
  let body: unknown;
  try {
    body = JSON.parse(given || "{}");
  } catch {
    return refuse("The arguments are not JSON.");
  }
  const result = input.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return refuse(
    `Invalid ${oneLine(issue?.path.join(".") || "arguments")}: ${oneLine(issue?.message ?? "", 200)}`,
  );
}

const fold = (name: string) => name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();

function columnAt(sheet: Sheet, name: string): number {
  const at = sheet.columns.findIndex((one) => fold(one.name) === fold(name));
  const known = sheet.columns.slice(0, mostColumns).map((one) => `“${oneLine(one.name)}”`);
  return at >= 0 ? at : refuse(`There is no column “${oneLine(name)}”: use ${known.join(", ")}.`);
}

const refuseText = (name = ""): never => refuse(`“${oneLine(name)}” holds no numbers.`);

function requireColumn(sheet: Sheet, at: number | null, operation: string): number {
  const column = sheet.columns[at ?? -1];
  if (at === null || !column) return refuse(`${operation} needs a column.`);
  if (column.kind === "date" && operation !== "sum" && operation !== "average") return at;
  if (column.kind !== "number") return refuseText(column.name);
  return column.unit === null ? refuse(`The cells of “${oneLine(column.name)}” are in different units.`) : at;
}

function groupOf(sheet: Sheet, name: string, part: "value" | "month" | "year" | null): SheetPlan["group"] {
  const column = columnAt(sheet, name);
  const isDate = sheet.columns[column]?.kind === "date";
  if (part && part !== "value" && !isDate) return refuse(`“${oneLine(name)}” holds no dates.`);
  return { column, part: part ?? "value" };
}

function conditionsOf(given: z.infer<typeof condition>, sheet: Sheet): Condition[] {
  const column = columnAt(sheet, given.column);
  const one = sheet.columns[column];
  const found: Condition[] = [];
  if (given.is) found.push(isCondition(column, one, given.is));
  if (given.contains) found.push({ column, op: "contains", texts: given.contains });
  const low = given.atLeast ?? given.above;
  const high = given.atMost ?? given.below;
  if (low != null || high != null) {
    found.push({
      column,
      op: "between",
      ...(low == null ? {} : { low: numberOf(low, one) }),
      ...(high == null ? {} : { high: numberOf(high, one) }),
      isLowIn: given.atLeast != null,
      isHighIn: given.atMost != null,
    });
  }
  return found.length > 0 ? found : refuse(`The condition on “${oneLine(given.column)}” says nothing.`);
}

/** "20" matches the number in a cell "20.00". */
function isCondition(column: number, one: Column | undefined, given: string[]): Condition {
  const number = one && one.kind !== "text" && given.length === 1 ? numberIn(given[0] ?? "", one) : undefined;
  if (number === undefined) return { column, op: "is", texts: given };
  return { column, op: "between", low: number, high: number, isLowIn: true, isHighIn: true };
}

const numberIn = (said: string, { kind }: Column) => (kind === "date" ? dateIn(said) : amountIn(said)?.value);

function numberOf(said: number | string, column: Column | undefined): number {
  if (!column || column.kind === "text") return refuseText(column?.name);
  if (typeof said === "number" && column.kind === "number") return said;
  return numberIn(String(said), column) ?? refuse(`“${oneLine(String(said))}” is no ${column.kind}.`);
}
