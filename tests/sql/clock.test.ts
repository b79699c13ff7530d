// A clock that is set back: what is due follows it, once, and ids keep their order. One that jumps ahead: nothing is deleted by age for a day of use.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller } from "./acting.ts";
import { modelUsageRow } from "./content-rows.ts";
import { makeWorld } from "./world.ts";

let database: TestPostgres;
beforeAll(async () => {
  database = await startTestPostgres();
});
afterAll(() => database.stop());

test("leases, waits and schedules follow a clock that is set back, and ids keep their order", async () => {
  const sql = database.connect("postgres", { max: 1 });
  const world = await makeWorld(sql);
  const follow = async () => {
    const service = { role: "service_role" } as const;
    const [row] = await asCaller(
      sql,
      service,
      (tx) => tx`select extract(epoch from private.follow_clock())::float8 as seconds`,
    );
    return row?.seconds;
  };
  const newId = async () => (await sql<{ id: string }[]>`select private.uuid_v7() as id`)[0]?.id ?? "";
  const task = async () => {
    const [row] = await sql<{ id: string }[]>`
      select private.enqueue_task(${world.team}, 'index', ${`key-${Math.random()}`}) as id`;
    return row?.id ?? "";
  };
  await sql`delete from public.tasks`;
  const [waiting, leased] = [await task(), await task()];
  expect(await follow()).toBeNull();

  // As an hour ahead left it, half a minute after it was noted.
  const hour = "1 hour";
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update public.tasks set run_after = now() + ${hour}::interval`;
    await tx`update public.tasks set status = 'running', lease_until = now() + ${hour}::interval + interval '20 s' where id = ${leased}`;
    await tx`update public.documents set status = 'indexing', updated_at = now() + ${hour}::interval where id = ${world.document}`;
    await tx`update public.sources set next_sync_at = now() + ${hour}::interval + interval '1 day',
                                       listed_at = now() + ${hour}::interval where id = ${world.source}`;
    await tx`select setval('private.clock_seen', floor(extract(epoch from now() + ${hour}::interval - interval '30 s'))::bigint)`;
    await tx`insert into private.rate_limits (key, window_start) values ('any', now() + interval '30 s')`;
    await tx`update private.model_budgets set spent = 1, installation_spent = 1, month = n.next, warned_month = n.next
               from (select date_trunc('month', now() + interval '1 month')::date as next) n where team_id = ${world.team}`;
    await tx`insert into private.model_budgets (team_id, month, spent, installation_spent)
             select ${world.otherTeam}, b.month, 1, 1 from private.model_budgets b where b.team_id = ${world.team}`;
    await tx`delete from private.models where team_id = ${world.team}`;
    await tx`insert into private.models (team_id, role, provider, base_url, model)
             values (${world.otherTeam}, 'chat', 'custom', 'https://models.test', 'own')`;
    await tx`delete from public.model_usage`;
    const usage = { ...modelUsageRow(world, "api"), day: new Date(), cost: 95 };
    await tx`insert into public.model_usage ${tx([usage, { ...usage, team_id: world.otherTeam }])}`;
    await tx`select setval('private.uuid_floor', floor(extract(epoch from now() + ${hour}::interval) * 1000)::bigint)`;
  });
  const earlier = await newId();
  await sql`select setval('private.uuid_floor', 0, false)`;
  expect((await newId()) < earlier).toBe(true);

  expect(await follow()).toBeCloseTo(3570, -1);
  expect((await newId()) > earlier).toBe(true);
  const [row] = await sql`
    select (select extract(epoch from run_after - now())::float8 from public.tasks where id = ${waiting}) as waits,
           (select extract(epoch from lease_until - now())::float8 from public.tasks where id = ${leased}) as leased,
           (select updated_at <= clock_timestamp() from public.documents where id = ${world.document}) as dated,
           s.listed_at <= clock_timestamp() as listed, extract(epoch from s.next_sync_at - now())::float8 as syncs
      from public.sources s where s.id = ${world.source}`;
  expect(row).toMatchObject({ dated: true, listed: true });
  for (const seconds of [row?.waits, row?.leased - 20, row?.syncs - 86_400]) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(60);
  }
  const budgetOf = async (team: string) => {
    const [budget] = await sql`
      select spent::float8, installation_spent::float8 as of_installation,
             month = date_trunc('month', now() at time zone 'UTC')::date as is_this, warned_month = month as warned
        from private.model_budgets where team_id = ${team}`;
    return budget;
  };
  expect(await budgetOf(world.team)).toEqual({ spent: 95, of_installation: 95, is_this: true, warned: true });
  // It has a model of its own, which may have taken all of it.
  expect(await budgetOf(world.otherTeam)).toMatchObject({ spent: 95, of_installation: 1, is_this: true });
  expect(await sql`select key from private.rate_limits where window_start > now()`).toEqual([]);
  expect(await follow()).toBeNull();
});

test("nothing is deleted by age within a day of use after a clock jumped ahead", async () => {
  const sql = database.connect("postgres", { max: 1 });
  const world = await makeWorld(sql);
  const path = `teams/${world.team}/${crypto.randomUUID()}`;
  await sql`delete from public.tasks`;
  await sql`insert into public.tasks (team_id, type, key, status, finished_at)
            values (${world.team}, 'index', 'old', 'succeeded', now() - interval '500 days')`;
  await sql`delete from public.model_usage`;
  const longAgo = new Date(Date.now() - 900 * 86_400_000);
  await sql`insert into public.model_usage ${sql({ ...modelUsageRow(world, "api"), day: longAgo })}`;
  await sql`insert into storage.objects (bucket_id, name, created_at) values ('files', ${path}, now() - interval '2 days')`;

  const sweep = () =>
    asCaller(sql, { role: "service_role" }, async (tx) => {
      await tx`select private.remove_outgrown(100), private.sweep_models(100), private.disown_unregistered_objects()`;
      const [left] = await tx<{ tasks: number; usage: number; objects: number }[]>`
        select (select count(*)::int from public.tasks where key = 'old') as tasks,
               (select count(*)::int from public.model_usage where team_id = ${world.team}) as usage,
               (select 1 - count(*)::int from private.unwanted_objects where path = ${path}) as objects`;
      return left;
    });
  const follow = () => asCaller(sql, { role: "service_role" }, (tx) => tx`select private.follow_clock()`);
  const note = (sequence: string, age: string) =>
    sql`select setval(${`private.${sequence}`}, floor(extract(epoch from now() - ${age}::interval))::bigint)`;
  const all = { tasks: 1, usage: 1, objects: 1 };

  // As a clock left it that is 400 days ahead since.
  await note("clock_seen", "400 days");
  expect(await sweep()).toEqual(all);
  await follow();
  expect(await sweep()).toEqual(all);
  // A machine that is on for nine hours every other day.
  for (let uses = 1; uses < 3; uses++) {
    await note("clock_seen", "9 hours");
    await follow();
    expect(await sweep()).toEqual(all);
    await note("clock_seen", "2 days");
    await follow();
    expect(await sweep()).toEqual(all);
  }
  await note("clock_seen", "9 hours");
  await follow();
  expect(await sweep()).toEqual({ tasks: 0, usage: 0, objects: 0 });

  const isTrusted = async () => (await sql`select private.is_clock_trusted() as trusted`)[0]?.trusted;
  expect(await isTrusted()).toBe(true);
  await note("clock_seen", "2 days");
  await follow();
  expect(await isTrusted()).toBe(false);
  // Set back to before the jump, it is trusted again at once.
  await note("clock_seen", "-400 days");
  await note("clock_jumped", "-400 days");
  await follow();
  expect(await isTrusted()).toBe(true);
});
