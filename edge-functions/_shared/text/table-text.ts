// Owns parsing table rows back from a document's text: lines of "Column: value", or cells between bars. Pure. Parsers write both forms
// (indexing/parsers/table-rows.ts, table-grid.ts), and Markdown uses the second.

export type TableSpan = {
  kind: string;
  start: number;
  end: number;
  label?: string;
  columns?: string[];
  caption?: string;
  records?: true;
};

export type TextTable = {
  /** UTF-16 code units in the text, as for the rows. */
  start: number;
  end: number;
  caption: string;
  /** One for each cell of a row. */
  columns: string[];
  rows: { start: number; end: number; cells: string[] }[];
};

/** All tables of a text with their cells, in order. @param structure ordered by start, a table before its rows */
export function tablesOf(text: string, structure: TableSpan[]): TextTable[] {
  const tables: TextTable[] = [];
  let open: { table: TextTable; records: boolean } | undefined;
  for (const { kind, start, end, columns, caption = "", records = false } of structure) {
    if (kind === "table" && columns && end <= text.length) {
      open = { table: { start, end, caption, columns, rows: [] }, records };
      tables.push(open.table);
    } else if (kind === "row" && open && start >= open.table.start && end <= open.table.end) {
      const { table } = open;
      const row = text.slice(start, end);
      const cells = open.records ? cellsOfRecord(row, table.columns) : cellsOfLine(row);
      table.rows.push({ start, end, cells: table.columns.map((_, i) => cells[i] ?? "") });
    }
  }
  return tables.filter(({ rows }) => rows.length > 0);
}

/** The cells between the bars of a line. A backslash escapes a bar. */
export function cellsOfLine(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

/**
 * The cells of a record. When column names share a prefix, the longest that matches wins; each column is searched for after the previous
 * one. A first column without a name has the name of the row's group, on a line of its own.
 */
function cellsOfRecord(row: string, columns: string[]): string[] {
  const cells: string[] = [];
  let from = 0;
  const lines = row.split("\n");
  const [group = ""] = lines;
  if (columns[0] === "" && !columns.some((name) => name && group.startsWith(`${name}: `))) cells[0] = group;
  for (const line of lines) {
    let found = -1;
    for (let i = from; i < columns.length; i++) {
      const name = columns[i] ?? "";
      const isLonger = found < 0 || name.length > (columns[found] ?? "").length;
      if (name && isLonger && line.startsWith(`${name}: `)) found = i;
    }
    if (found < 0) continue;
    cells[found] = line.slice((columns[found] ?? "").length + 2);
    from = found + 1;
  }
  return cells;
}

/** Formats cells as a Markdown table. */
export function markdownTable(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replace(/\|/g, "\\|")).join(" | ")} |`;
  return [line(columns), `|${" --- |".repeat(columns.length)}`, ...rows.map(line)].join("\n");
}
