// Owns the chore that follows a machine's clock that was set back. Postgres does the rest (sql/86_clock.sql).
import { asService } from "../_shared/database/db.ts";
import { log } from "../_shared/operation/log.ts";

export async function followClock(): Promise<void> {
  const [row] = await asService(
    (tx) => tx<{ seconds: number | null }[]>`
      select extract(epoch from private.follow_clock())::float8 as seconds`,
  );
  if (row?.seconds) log("warn", "the clock was set back: what was due follows it", { seconds: row.seconds });
}
