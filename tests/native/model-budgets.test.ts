// A cap on model costs holds, at any concurrency.
import { expect } from "vitest";
import { testCrowd } from "./racing.ts";
import { makeSmallTeams } from "./teams.ts";

const callers = 12;
const cap = 1;
const most = 0.2;

testCrowd("twelve calls at once: a cap of five lets five through", {
  size: callers,
  begin: async (sql) => {
    const [team] = await makeSmallTeams(sql, 1);
    await sql`insert into private.model_budgets (team_id, team_cap, month)
              values (${team?.id ?? ""}, ${cap}, date_trunc('month', now() at time zone 'UTC'))`;
    return team?.id ?? "";
  },
  work: async (sql, team) =>
    (await sql`select is_refused from private.reserve_model_cost(${team}, ${most}, 600)`)[0]?.is_refused,
  check: async (sql, team, refusals) => {
    expect(refusals.filter((isRefused) => isRefused === false).length).toBe(cap / most);
    const [held] =
      await sql`select sum(cost)::float8 as cost from private.model_reservations where team_id = ${team}`;
    expect(held?.cost).toBeCloseTo(cap, 9);
  },
  unlock: async (sql) => {
    const [row] = await sql<{ source: string }[]>`
      select pg_get_functiondef('private.reserve_model_cost(uuid, numeric, int, boolean)'::regprocedure) as source`;
    const changed = row?.source.replace("for no key update", "");
    if (!changed || changed === row?.source) throw new Error("the lock is not there");
    await sql.unsafe(changed);
  },
});
