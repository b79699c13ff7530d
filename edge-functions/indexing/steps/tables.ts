// Stores the tables of a document as cells, in the transaction that switches its chunks: a reader sees both or neither.

import type { Transaction } from "../../_shared/database/db.ts";
import { readColumn } from "../../_shared/text/cell-values.ts";
import { type TextTable, tablesOf } from "../../_shared/text/table-text.ts";
import type { DocumentRow } from "./documents.ts";
import type { KnowledgeRow } from "./generation.ts";
import { structureOf } from "./passages.ts";
import { markSummaries } from "./summary-rows.ts";

/** The columns of public.document_tables and public.table_rows. */
export interface StoredTable {
  caption: string;
  columns: ReturnType<typeof readColumn>["column"][];
  rows: { start: number; end: number; cells: string[]; numbers: (number | null)[] }[];
}

const rowsPerStatement = 1000;
/** Maximum tables per document; further tables are stored as text only. */
const mostTables = 500;
const longestCell = 2_000;

/** The tables in a document's text, without the rows that sum up others. A table without a caption gets the heading above it. */
export function storedTables(document: DocumentRow): StoredTable[] {
  const text = document.content ?? "";
  const structure = structureOf(document, text);
  const headings = structure.filter(({ kind }) => kind === "heading");
  return tablesOf(text, structure)
    .slice(0, mostTables)
    .map(({ start: from, caption, columns, rows }) => {
      const heading = headings.findLast(({ start }) => start < from)?.label ?? "";
      const all = readTable(columns, rows);
      const isSummary = markSummaries(all.rows, columns[0] === "");
      const counted = rows.filter((_, at) => !isSummary[at]);
      const isLess = counted.length > 0 && counted.length < rows.length;
      return { caption: caption || heading, ...(isLess ? readTable(columns, counted) : all) };
    });
}

function readTable(names: string[], rows: TextTable["rows"]): Pick<StoredTable, "columns" | "rows"> {
  const read = names.map((name, i) =>
    readColumn(
      name,
      rows.map(({ cells }) => cells[i] ?? ""),
    ),
  );
  return {
    columns: read.map(({ column }) => column),
    rows: rows.map(({ start, end, cells }, at) => ({
      start,
      end,
      cells: cells.map((cell) => cell.slice(0, longestCell)),
      numbers: read.map(({ numbers }) => numbers[at] ?? null),
    })),
  };
}

/** Replaces the tables of earlier generations. Requires a transaction that holds the claim and the generations. */
export async function storeTables(
  tx: Transaction,
  indexes: { document: DocumentRow; knowledge: KnowledgeRow; tables: StoredTable[] }[],
): Promise<void> {
  const built = indexes.filter(({ document }) => !document.isNew);
  if (built.length > 0)
    await tx`
      delete from public.document_tables t
       using unnest(${built.map(({ knowledge }) => knowledge.id)}::uuid[], ${built.map(({ document }) => document.id)}::uuid[])
               as built (knowledge_id, document_id)
       where t.knowledge_id = built.knowledge_id and t.document_id = built.document_id`;
  for (const { document, knowledge, tables } of indexes) {
    for (const [position, table] of tables.entries())
      await storeTable(tx, document, knowledge, position, table);
  }
}

async function storeTable(
  tx: Transaction,
  document: DocumentRow,
  knowledge: KnowledgeRow,
  position: number,
  { caption, columns, rows }: StoredTable,
): Promise<void> {
  const [table] = await tx<{ id: string }[]>`
    insert into public.document_tables (team_id, knowledge_id, document_id, position, caption, columns, rows_count)
    values (${document.teamId}, ${knowledge.id}, ${document.id}, ${position}, ${caption},
            ${JSON.stringify(columns)}::text::jsonb, ${rows.length})
    returning id`;
  for (let from = 0; table && from < rows.length; from += rowsPerStatement) {
    const some = rows.slice(from, from + rowsPerStatement);
    await tx`
      insert into public.table_rows (team_id, knowledge_id, table_id, position, cells, numbers, start_offset, end_offset)
      select ${document.teamId}, ${knowledge.id}, ${table.id}, ${from}::int + r.at - 1,
             array(select c from jsonb_array_elements_text(r.row -> 'cells') with ordinality e (c, i) order by e.i),
             array(select n::float8 from jsonb_array_elements_text(r.row -> 'numbers') with ordinality e (n, i) order by e.i),
             (r.row ->> 'start')::int, (r.row ->> 'end')::int
        from jsonb_array_elements(${JSON.stringify(some)}::text::jsonb) with ordinality r (row, at)`;
  }
}
