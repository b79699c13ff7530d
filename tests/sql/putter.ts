// Owns how the rows of a world are written.
import type { Sql } from "postgres";

export type Put = (table: string, row: Record<string, unknown>) => Promise<unknown>;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

interface Insertion {
  table: string;
  columns: string;
  rows: Record<string, unknown>[];
}

/**
 * Collects rows and inserts them in one message, because messages are most of the work of writing a world. A row is given as JSON, so that
 * arrays, bytes and vectors are in Postgres's form. `restart()` begins a world like the last one: its rows join that one's statements.
 */
export function collectRows(tx: Pick<Sql, "unsafe">): {
  put: Put;
  restart(): void;
  write(): Promise<unknown>;
} {
  const insertions: Insertion[] = [];
  let at = -1;
  return {
    put: async (table, row) => {
      const columns = Object.keys(row).join(", ");
      const takes = (one?: Insertion) => one?.table === table && one.columns === columns;
      if (!takes(insertions[at])) at += 1;
      const next = insertions[at];
      if (next && takes(next)) next.rows.push(row);
      else insertions.splice(at, 0, { table, columns, rows: [row] });
    },
    restart: () => {
      at = -1;
    },
    write: () => {
      at = -1;
      const statements = insertions.splice(0).map(({ table, columns, rows }) => {
        const values = `jsonb_populate_recordset(null::${table}, ${quote(JSON.stringify(rows))}::jsonb)`;
        return `insert into ${table} (${columns}) select ${columns} from ${values}`;
      });
      return tx.unsafe(statements.join(";\n"));
    },
  };
}
