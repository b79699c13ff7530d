// One row that refuses every change, like a damaged one, does not stop what is done for the rows of other teams.
import type { Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { refusal } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let bad: World;
let good: World;
const poisoned = new Set<string>();

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1, onnotice: () => {} });
});
afterAll(() => database.stop());
beforeEach(async () => {
  await sql`delete from public.teams`;
  await sql`delete from private.roots`;
  [bad, good] = [await makeWorld(sql), await makeWorld(sql)];
  await sql`delete from public.tasks`;
  await sql`delete from private.clearings`;
  await sql`delete from private.import_rows`;
});
afterEach(async () => {
  for (const table of poisoned) await sql.unsafe(`drop trigger poison on ${table}`);
  poisoned.clear();
});

async function poison(table: string, column: string, value: string): Promise<void> {
  await sql.unsafe(`
    create or replace function private.poison() returns trigger language plpgsql as
      $$ begin raise exception 'poisonous row'; end $$;
    create trigger poison before update or delete on ${table}
      for each row when (old.${column} = '${value}') execute function private.poison();`);
  poisoned.add(table);
}

const removeSlice = async () => (await sql`select private.remove_detached(100) as more`)[0]?.more;

test("the retention deletes the other tasks, and the rows of other kinds", async () => {
  await sql`update public.retention set days = 90`;
  const end = (team: string) => sql`
    insert into public.tasks (team_id, type, key, status, finished_at)
    values (${team}, 'index', ${team}, 'succeeded', now() - interval '100 days')`;
  for (const { team } of [bad, good]) await end(team);
  await sql`alter table public.handovers disable trigger user`;
  await sql`
    update public.handovers set status = 'closed', email = 'visitor@kept.test', updated_at = now() - interval '100 days'
     where team_id = ${good.team}`;
  await sql`alter table public.handovers enable trigger user`;
  await poison("public.tasks", "team_id", bad.team);
  await sql`select private.remove_outgrown(100)`;
  expect(await sql`select team_id from public.tasks`).toEqual([{ team_id: bad.team }]);
  expect(await sql`select 1 from public.handovers where email = 'visitor@kept.test'`).toEqual([]);
});

test("the other expired answers leave the index", async () => {
  await sql`update public.qa_entries set expires_at = now() - interval '1 minute'`;
  await poison("public.qa_entries", "team_id", bad.team);
  await sql`select private.end_expired_entries(100)`;
  const left = await sql`select distinct team_id from public.qa_entries where ended_at is null`;
  expect(left).toEqual([{ team_id: bad.team }]);
});

test("the other deleted rows are removed, and the refusing one waits for an hour", async () => {
  for (const [team, age] of [
    [bad.team, 2],
    [good.team, 1],
  ] as const)
    await sql`
      insert into private.roots (id, team_id, kind, detached_at)
      values (gen_random_uuid(), ${team}, 'agents', now() - make_interval(hours => ${age}))`;
  await sql.unsafe(`
    create function private.keep() returns trigger language plpgsql as $$ begin raise exception 'poisonous row'; end $$;
    create trigger poison before delete on private.roots
      for each row when (old.team_id = '${bad.team}') execute function private.keep();`);
  poisoned.add("private.roots");
  expect([await removeSlice(), await removeSlice(), await removeSlice()]).toEqual([true, true, false]);
  const left = await sql`
    select team_id, detached_at > now() + interval '59 minutes' as waits from private.roots where detached_at is not null`;
  expect(left).toEqual([{ team_id: bad.team, waits: true }]);
});

test("the passages of the other sources are cleared, while one that refuses tells its own people", async () => {
  for (const { team, source } of [bad, good])
    await sql`insert into private.clearings (team_id, source_id) values (${team}, ${source})`;
  await poison("public.chunks", "team_id", bad.team);
  while (await removeSlice());
  const left = await sql`select team_id, created_at > now() as waits from private.clearings`;
  expect(left).toEqual([{ team_id: bad.team, waits: true }]);
  expect(await refusal(sql`select private.remove_cleared(100, ${[bad.source]}::uuid[])`)).toBe("P0001");
});

test("the other deliveries and events are claimed", async () => {
  await sql`update private.handover_deliveries set status = 'failed'`;
  for (const { team, handovers } of [bad, good])
    await sql`insert into private.handover_deliveries (team_id, handover_id, kind) values (${team}, ${handovers.visitor}, 'webhook')`;
  await poison("private.handover_deliveries", "team_id", bad.team);
  const claimDelivery = () => sql`select team_id from private.claim_handover_delivery(60)`;
  expect(await claimDelivery()).toEqual([{ team_id: good.team }]);
  expect(await claimDelivery()).toEqual([]);

  await sql`delete from private.slack_events`;
  for (const workspace of ["T0BAD", "T0GOOD"])
    await sql`insert into private.slack_events (event_id, kind, workspace_id, channel, ts, thread_ts, payload)
              values (${workspace}, 'message', ${workspace}, 'C1', '1', '1', '{}')`;
  await poison("private.slack_events", "workspace_id", "T0BAD");
  const claimEvent = () => sql`select workspace_id from private.claim_slack_event(60)`;
  expect(await claimEvent()).toEqual([{ workspace_id: "T0GOOD" }]);
  expect(await claimEvent()).toEqual([]);
});

test("a clock that is set back moves those that wait, too", async () => {
  await sql`select private.follow_clock()`;
  await sql`insert into private.clearings (team_id, source_id, created_at)
            values (${good.team}, ${good.source}, now() + interval '90 minutes')`;
  await sql`insert into private.roots (id, team_id, kind, detached_at)
            values (gen_random_uuid(), ${good.team}, 'agents', now() + interval '90 minutes')`;
  await sql`select setval('private.clock_seen', floor(extract(epoch from now()))::bigint + 7200)`;
  await sql`select private.follow_clock()`;
  while (await removeSlice());
  expect(await sql`select 1 from private.clearings`).toEqual([]);
  expect(await sql`select 1 from private.roots where detached_at is not null`).toEqual([]);
});
