// Owns agent tests as a CSV file: the meaning of its rows, and which rows are rejected and why. Pure.
import { parse } from "csv-parse/sync";
import { type Refusal, refusal } from "../../_shared/requests/refusals.ts";
import { isPlainText } from "../../_shared/text/plain-text.ts";
import type { AgentTest, RefusedRow } from "./schema.ts";

export type ReadRow = {
  line: number;
  question: string;
  facts: string[];
  document: string | null;
  mustRefuse: boolean;
};

const columns = ["question", "facts", "document", "mustRefuse"] as const;
const yes = new Set(["yes", "true", "1", "x", "oui", "vrai"]);
const no = new Set(["", "no", "false", "0", "non", "faux"]);
const mostFacts = 20;
const longestQuestion = 20_000;
const longestFact = 500;

export const refusedRow = (line: number, why: Refusal): RefusedRow => ({ line, ...why });

/** Parses a file. A cell's facts are separated by line breaks or " | ". */
export function readCsv(text: string): { rows: ReadRow[]; refused: RefusedRow[] } {
  const records = recordsOf(text);
  if (!records) return { rows: [], refused: [refusedRow(1, refusal("testsUnreadable"))] };
  const rows: ReadRow[] = [];
  const refused: RefusedRow[] = [];
  for (const { line, cells } of records) {
    const read = rowOf(line, cells);
    if ("code" in read) refused.push(refusedRow(line, read));
    else rows.push(read);
  }
  return { rows, refused };
}

type Placed = { record: string[]; info: { lines: number } };
type Cells = Partial<Record<(typeof columns)[number], string>>;

function recordsOf(text: string): { line: number; cells: Cells }[] | undefined {
  const header = text.split(/\r?\n/, 1)[0] ?? "";
  const delimiter = [",", ";", "\t"].reduce((best, one) =>
    header.split(one).length > header.split(best).length ? one : best,
  );
  try {
    const records = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as Placed[]; // The package's types leave out what `info` adds.
    const names = (records[0]?.record ?? []).map((name) => name.trim().toLowerCase());
    const places = columns.map((name) => names.indexOf(name.toLowerCase()));
    if (places[0] === -1) return undefined;
    return records.slice(1).map(({ record, info }) => ({
      line: info.lines - record.join("").split("\n").length + 1,
      cells: Object.fromEntries(columns.map((name, at) => [name, plain(record[places[at] ?? -1] ?? "")])),
    }));
  } catch {
    return undefined;
  }
}

function rowOf(line: number, cells: Cells): ReadRow | Refusal {
  const question = (cells.question ?? "").trim();
  const facts = (cells.facts ?? "")
    .split(/\r?\n| \| /)
    .map((fact) => fact.trim())
    .filter(Boolean);
  const document = (cells.document ?? "").trim() || null;
  const said = (cells.mustRefuse ?? "").trim().toLowerCase();
  const mustRefuse = yes.has(said);
  if (!question) return refusal("required");
  if (question.length > longestQuestion) return refusal("tooLong", { limit: String(longestQuestion) });
  if (facts.length > mostFacts) return refusal("tooMany", { limit: String(mostFacts) });
  if (facts.some((fact) => fact.length > longestFact))
    return refusal("tooLong", { limit: String(longestFact) });
  if (question.includes("\0") || !facts.every(isPlainText)) return refusal("characters");
  if (!mustRefuse && !no.has(said)) return refusal("testYesOrNo");
  const expects = facts.length > 0 || document !== null;
  if (mustRefuse && expects) return refusal("testRefusesAndExpects");
  if (!mustRefuse && !expects) return refusal("testExpectsNothing");
  return { line, question, facts, document, mustRefuse };
}

/** Formats a file that readCsv() can parse. A cell that a spreadsheet would treat as a formula starts with an apostrophe. */
export function writeCsv(tests: AgentTest[]): string {
  const lines = tests.map(({ question, facts, expectedTitle, mustRefuse }) =>
    [question, facts.join("\n"), expectedTitle ?? "", mustRefuse ? "yes" : ""].map(quoteCell).join(","),
  );
  return [columns.join(","), ...lines, ""].join("\r\n");
}

/** Full-width signs and signs behind blanks count too: spreadsheets differ in what they read as a formula. */
const sign = "[=+\\-@＝＋－＠]";
const formula = new RegExp(`^(?:'*[\\t\\r\\n]|['\\s]*${sign})`);
// Where a spreadsheet separates cells by semicolons, as in French, quotes do not hold a later cell together: what follows a semicolon or
// a line break in it is a cell too. Matched from the first of such signs alone, or many of them would take quadratic time.
const beforeSign = new RegExp(`(?<![;\\s'])[;\\s']+(?=${sign})`, "g");
const disarm = (cell: string) =>
  (formula.test(cell) ? `'${cell}` : cell).replace(beforeSign, (run) => run.replace(/[;\t\r\n]/g, "$&'"));
const quoteCell = (cell: string) => `"${disarm(cell).replaceAll('"', '""')}"`;
function plain(cell: string): string {
  const text = cell.replace(beforeSign, (run) => run.replace(/([;\t\r\n])'/g, "$1"));
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
