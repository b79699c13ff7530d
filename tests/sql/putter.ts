// Owns how the rows of a world are written.
import type { Sql } from "postgres";

export type Put = (table: string, row: Record<string, unknown>) => Promise<unknown>;

/** Inserts a row given as JSON, so that arrays, bytes and vectors are in Postgres's form. */
export function putter(tx: Pick<Sql, "unsafe">): Put {
  return (table, row) => {
    const columns = Object.keys(row).join(", ");
    return tx.unsafe(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1::text::jsonb)`,
      [JSON.stringify(row)],
    );
  };
}
