// Owns the chores of what teams store: keeps the operator's limits in Postgres as this function's settings have them, since Postgres sees what
// is written past /v1 too, and adds up what teams have stored and deleted.
import { asService } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";

const mib = 1024 * 1024;
/** Teams whose changes one run adds up. */
const teamsAtOnce = 200;

export async function keepOperatorLimits(): Promise<void> {
  const { TEAM_STORAGE_MIB: storage } = env();
  const bytes = storage === undefined ? null : storage * mib;
  await asService(
    (tx) => tx`
      update private.operator_limits l set team_storage = ${bytes} where l.team_storage is distinct from ${bytes}::bigint`,
  );
}

export async function sumStorage(): Promise<void> {
  await asService(
    (tx) => tx`select private.sum_storage_of_teams(${teamsAtOnce}), private.sweep_signed_uploads()`,
  );
}
