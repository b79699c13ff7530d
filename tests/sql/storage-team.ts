// Owns a team for each test of what a team stores: on a database of the file's own, without a limit at first.
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { makeSmallTeams, type SmallTeam } from "../native/teams.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

/** @param use receives the connection and the new team before each test */
export function startTeams(use: (sql: Sql, team: SmallTeam) => void): void {
  let database: TestPostgres;
  let sql: Sql;
  beforeAll(async () => {
    database = await startTestPostgres();
    sql = database.connect("postgres", { max: 1 });
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    await limitStorage(sql, null);
    const [team] = await makeSmallTeams(sql, 1);
    if (!team) throw new Error("no team");
    use(sql, team);
  });
}

/** @param bytes what each team may store; null for no limit */
export const limitStorage = (sql: Sql, bytes: number | null) =>
  sql`update private.operator_limits set team_storage = ${bytes}`;
