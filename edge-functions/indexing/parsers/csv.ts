// Reads tables of values separated by commas, semicolons, tabs or bars.
import { parse as parseRows } from "csv-parse/sync";
import { sentenceOf } from "../../_shared/text/sentences.ts";
import { decodeText } from "./decode.ts";
import { type ParsedDocument, ParseError, type Parser, type ParserInput } from "./document.ts";
import { isHeader, joinHeaderRows, type SparseRow, writeTable } from "./table-rows.ts";
import { clipText, oneLine, TextBuilder } from "./text-builder.ts";

const mostTitleLines = 5;
const delimiters = [",", ";", "\t", "|"] as const;

export const csv: Parser = {
  name: "csv",
  label: "a CSV table",
  extensions: ["csv", "tsv"],
  contentTypes: ["text/csv", "text/tab-separated-values", "application/csv"],
  parse: async (input) => parseCsv(input),
};

function parseCsv({ bytes, name }: ParserInput): ParsedDocument {
  const decoded = decodeText(bytes);
  const out = new TextBuilder(name);
  out.warn(decoded.warning);
  const rows = readRows(decoded.text, name, out)
    .map((row) => row.flatMap((cell, i): SparseRow => (cell.trim() === "" ? [] : [[i, cell]])))
    .filter((row) => row.length > 0);
  if (rows.length === 0) return out.finish();
  const above = takeTitle(rows);
  for (const text of above) out.block(text);
  const isHeaded = writeTable(out, joinHeaderRows(rows), {
    column: (i) => `Column ${i + 1}`,
    caption: clipText(above.join(" · "), 300),
  });
  if (!isHeaded) out.warn(sentenceOf("columnsNumbered"));
  return out.finish();
}

/** Removes the lines of one cell above the column names: a report's title, the day of its export. */
function takeTitle(rows: SparseRow[]): string[] {
  const from = rows.findIndex((row) => row.length > 1);
  const names = rows[from];
  if (from < 1 || from > mostTitleLines || !names || !isHeader(names)) return [];
  return rows.splice(0, from).flatMap((row) => row.map(([, text]) => oneLine(text)));
}

function readRows(text: string, name: string, out: TextBuilder): string[][] {
  // Excel's way of stating the delimiter.
  const stated = /^\ufeff?"?sep=(.)"?\r?\n/i.exec(text);
  const table = stated ? text.slice(stated[0].length) : text;
  const options = {
    delimiter: stated?.[1] ?? delimiterOf(table),
    bom: true,
    // Spaces around a quoted value would make its quotation marks part of it.
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 1024 * 1024,
  };
  try {
    return parseRows(table, options);
  } catch {
    out.warn(sentenceOf("quotesUnpaired"));
  }
  try {
    return parseRows(table, { ...options, quote: null });
  } catch (cause) {
    throw new ParseError("unreadable", name, { format: csv.label }, { cause });
  }
}

/** The delimiter that gives the same number of columns on the most of the first lines; of equals, the one with more columns. */
function delimiterOf(text: string): string {
  const lines = firstRecords(text, 20);
  let best: string = ",";
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const usual = counts[0] ?? 0;
    if (usual === 0) continue;
    const agreeing = counts.filter((count) => count === usual).length / counts.length;
    const score = agreeing * 100 + Math.min(usual, 50);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** The first records with quoted values blanked out, so that delimiters inside quotes do not count. */
function firstRecords(text: string, most: number): string[] {
  const head = text.slice(0, 65_536).replace(/"(?:[^"]|"")*"/g, "x");
  return head
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, most);
}
