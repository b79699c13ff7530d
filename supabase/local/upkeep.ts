// Owns the vacuuming and the checkpoints of the embedded Postgres, which is one process: no other does either.
import postgres from "postgres";

const EVERY_MS = 60_000;
/** A table of 1 GB takes half a minute, in which all others wait. Cancelled at the usual limit, it would never be vacuumed. */
const STATEMENT_MS = 600_000;
/** A table that cannot be vacuumed would cost as much every minute. */
const REST_MS = 3_600_000;
/** Of the log since the last checkpoint: what a start after kill -9 replays at most, and room on the disk. */
const MOST_LOG_BYTES = 16 * 1024 * 1024;

/** Autovacuum's own thresholds: 50 rows and a fifth of the table dead, or 50 rows and a tenth of it changed since the last analyze. */
const due = `
  select pg_catalog.format('%I.%I', schemaname, relname) as table, n_mod_since_analyze > 50 + 0.1 * n_live_tup as is_changed
    from pg_catalog.pg_stat_all_tables
   where schemaname not in ('pg_toast', 'information_schema')
     and (n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup)`;

/**
 * Vacuums and analyzes the tables that are due, one at a time, so that other clients get turns in between.
 * @param resting until when each table that could not be vacuumed is left alone; the caller keeps it.
 * @param onRefusal receives such a table and Postgres's code.
 */
export async function vacuumDue(
  sql: postgres.Sql,
  resting = new Map<string, number>(),
  onRefusal: (table: string, code: string) => void = () => {},
): Promise<void> {
  const tables = await sql.unsafe<{ table: string; is_changed: boolean }[]>(due);
  for (const { table, is_changed } of tables) {
    if (Date.now() < (resting.get(table) ?? 0)) continue;
    try {
      await sql.unsafe(`vacuum ${table}`);
      // A statement of its own: either may take seconds, in which nobody else gets a turn.
      if (is_changed) await sql.unsafe(`analyze ${table}`);
    } catch (error) {
      // Any other means that the database is restarting.
      if (!(error instanceof postgres.PostgresError)) throw error;
      resting.set(table, Date.now() + REST_MS);
      onRefusal(table, error.code);
    }
  }
}

/** Writes changed pages to their tables once the log of changes is long, so that the log starts anew. */
export async function checkpointDue(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ bytes: number }[]>`
    select (pg_current_wal_insert_lsn() - redo_lsn)::int8::float8 as bytes from pg_control_checkpoint()`;
  if (row && row.bytes > MOST_LOG_BYTES) await sql`checkpoint`;
}

/**
 * Vacuums and writes checkpoints at an interval, never twice at once.
 * @param onRefusal as vacuumDue() calls it.
 * @returns a function that stops it.
 */
export function startUpkeep(url: string, onRefusal: (table: string, code: string) => void): () => void {
  let isRunning = false;
  const resting = new Map<string, number>();
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    const sql = postgres(url, {
      max: 1,
      connect_timeout: 5,
      fetch_types: false,
      prepare: false,
      onnotice: () => {},
      connection: { statement_timeout: STATEMENT_MS },
    });
    try {
      await vacuumDue(sql, resting, onRefusal);
      await checkpointDue(sql);
    } catch {
      // The database is restarting or busy: the next run catches up.
    } finally {
      await sql.end({ timeout: 1 });
      isRunning = false;
    }
  }, EVERY_MS);
  return () => clearInterval(timer);
}
