// A cap on model costs holds, at any concurrency: also while the month changes, and while the team is deleted.
import type { Sql } from "postgres";
import { expect } from "vitest";
import { openTrack, type Side, takeOut, testCrowd, testRace } from "./racing.ts";
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

const settleFunction =
  "private.settle_model_cost(uuid, uuid, uuid, text, text, text, bigint, bigint, bigint, bigint, numeric, boolean)";
const service = { role: "service_role" } as const;
const settle =
  (team: string, price: number): Side["work"] =>
  async (tx) =>
    await tx`select private.settle_model_cost(null, ${team}, null, 'web', 'chat', 'm', 1, 1, 0, 0, ${price})`;
const inNovember = "2026-11-30T23:59:59Z";
const inDecember = "2026-12-01T00:00:00Z";
const track = openTrack();

/** The functions read this clock from now on. */
async function setClock(sql: Sql, moment: string): Promise<void> {
  await sql`create table if not exists public.stopped_clock (moment timestamptz not null)`;
  await sql`grant select, insert, update, delete on public.stopped_clock to service_role`;
  await sql.unsafe(`create or replace function public.clock_that_stopped() returns timestamptz
                    language plpgsql volatile set search_path = '' as $$ begin return (select moment from public.stopped_clock); end $$`);
  await sql`delete from public.stopped_clock`;
  await sql`insert into public.stopped_clock values (${moment})`;
}

testRace("two calls that end as the month changes: both count in the new one", track, {
  rounds: 6,
  prepare: async (sql, count) => {
    const [row] = await sql<
      { source: string }[]
    >`select pg_get_functiondef(${settleFunction}::regprocedure) as source`;
    if (!row?.source.includes("clock_that_stopped"))
      await takeOut(sql, settleFunction, "clock_timestamp()", "public.clock_that_stopped()");
    return (await makeSmallTeams(sql, count)).map(({ id }) => id);
  },
  begin: async (sql, team) => {
    await setClock(sql, inNovember);
    await sql`insert into private.model_budgets (team_id, team_cap, month, spent) values (${team}, 10, '2026-11-01', 9)`;
  },
  sides: (team) => [
    {
      claims: service,
      work: async (tx) => {
        await tx`select from private.model_budgets where team_id = ${team} for update`;
        await tx`update public.stopped_clock set moment = ${inDecember}`;
        return await settle(team, 3)(tx);
      },
    },
    { claims: service, work: settle(team, 2) },
  ],
  check: async (sql, team, _outcomes, order) => {
    const [budget] = await sql`
      select month::text, spent::float8 from private.model_budgets where team_id = ${team}`;
    if (order === "first holds") expect(budget).toEqual({ month: "2026-12-01", spent: 5 });
    else expect(budget?.month).toBe("2026-12-01");
  },
});

testRace("a call that ends while its team is deleted waits, and neither costs the other a deadlock", track, {
  prepare: async (sql, count) => (await makeSmallTeams(sql, count)).map(({ id }) => ({ id, turns: 0 })),
  begin: (sql, { id }) => sql`insert into private.model_budgets (team_id, team_cap, month, spent)
                              values (${id}, 10, date_trunc('month', now() at time zone 'UTC'), 1)`,
  sides: (team) => [
    {
      claims: { role: "none" },
      work: async (tx) => {
        team.turns += 1;
        return await tx`delete from public.teams where id = ${team.id}`;
      },
    },
    {
      claims: service,
      work: async (tx) => {
        team.turns += 1;
        return await settle(team.id, 1)(tx);
      },
    },
  ],
  check: async (_sql, { turns }, outcomes) => {
    expect(outcomes.map((one) => "value" in one)).toEqual([true, true]);
    expect(turns).toBe(2);
  },
  unlock: async (sql) => {
    await takeOut(
      sql,
      settleFunction,
      "perform 1 from public.teams t where t.id = team for key share",
      "perform 1",
    );
  },
});
