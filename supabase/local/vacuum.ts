// Owns the vacuuming of the embedded Postgres, which is one process without autovacuum.
import postgres from "postgres";

const EVERY_MS = 60_000;

/** Autovacuum's own thresholds: 50 rows and a fifth of the table dead, or 50 rows and a tenth of it changed since the last analyze. */
const due = `
  select pg_catalog.format('%I.%I', schemaname, relname) as table, n_mod_since_analyze > 50 + 0.1 * n_live_tup as is_changed
    from pg_catalog.pg_stat_all_tables
   where schemaname not in ('pg_toast', 'information_schema')
     and (n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup)`;

/** Vacuums and analyzes the tables that are due, one at a time, so that other clients get turns in between. */
export async function vacuumDue(sql: postgres.Sql): Promise<void> {
  const tables = await sql.unsafe<{ table: string; is_changed: boolean }[]>(due);
  for (const { table, is_changed } of tables) {
    await sql.unsafe(`vacuum ${is_changed ? "(analyze) " : ""}${table}`);
  }
}

/**
 * Vacuums at an interval, never twice at once.
 * @returns a function that stops it.
 */
export function startVacuuming(url: string, everyMs = EVERY_MS): () => void {
  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    const sql = postgres(url, {
      max: 1,
      connect_timeout: 5,
      fetch_types: false,
      prepare: false,
      onnotice: () => {},
    });
    try {
      await vacuumDue(sql);
    } catch {
      // The database is restarting or busy: the next run vacuums.
    } finally {
      await sql.end({ timeout: 1 });
      isRunning = false;
    }
  }, everyMs);
  return () => clearInterval(timer);
}
