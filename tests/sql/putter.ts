// Owns how the rows of a world are written.
import type { Sql } from "postgres";

export type Put = (table: string, row: Record<string, unknown>) => Promise<unknown>;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Collects rows and inserts them in one message, because messages are most of the work of writing a world. A row is given as JSON, so that
 * arrays, bytes and vectors are in Postgres's form.
 */
export function collectRows(tx: Pick<Sql, "unsafe">): { put: Put; write(): Promise<unknown> } {
  const statements: string[] = [];
  return {
    put: async (table, row) => {
      const columns = Object.keys(row).join(", ");
      const values = quote(JSON.stringify(row));
      statements.push(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, ${values}::jsonb)`,
      );
    },
    write: () => tx.unsafe(statements.splice(0).join(";\n")),
  };
}
