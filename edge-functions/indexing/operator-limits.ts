// Owns the chores of the operator's limits: keeps them in Postgres as this function's settings have them, since Postgres sees what is written
// past /v1 too, and adds up what teams have stored and deleted.
import { asService } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";

const mib = 1024 * 1024;
/** Teams whose changes one run adds up. */
const teamsAtOnce = 200;

export async function keepOperatorLimits(): Promise<void> {
  const { TEAM_STORAGE_MIB: storage, NEW_TEAM_MODEL_CAP: cap = null } = env();
  const { TEAMS_PER_PERSON_AND_DAY: teams = null } = env();
  const bytes = storage === undefined ? null : storage * mib;
  await asService(
    (tx) => tx`
      update private.operator_limits l set team_storage = ${bytes}, new_team_cap = ${cap}, teams_per_day = ${teams}
       where (l.team_storage, l.new_team_cap, l.teams_per_day)
             is distinct from (${bytes}::bigint, ${cap}::numeric, ${teams}::int)`,
  );
}

export async function sumStorage(): Promise<void> {
  await asService(
    (tx) => tx`select private.sum_storage_of_teams(${teamsAtOnce}), private.sweep_signed_uploads()`,
  );
}
