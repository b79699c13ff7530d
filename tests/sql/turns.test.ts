// Queues that serve everybody: whoever has queued very much does not have the others wait until it is done.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});
afterAll(() => database.stop());

test("a team's many deliveries leave the next turn to another team, also when each ends at once", async () => {
  const [many, one] = [await makeWorld(sql), await makeWorld(sql)];
  const queue = ({ team, handovers }: World, count: number, age: string) => sql`
    insert into private.handover_deliveries (team_id, handover_id, kind, run_after)
    select ${team}, ${handovers.visitor}, 'webhook', now() - ${age}::interval from generate_series(1, ${count}::int)`;
  const claim = async () => {
    const [row] = await sql<{ id: string; team_id: string }[]>`
      select id, team_id from private.claim_handover_delivery(60)`;
    return row;
  };
  await queue(many, 5, "1 hour");
  await queue(one, 2, "1 minute");
  const first = await claim();
  expect(first?.team_id).toBe(many.team);
  // The first team has one under way.
  expect((await claim())?.team_id).toBe(one.team);
  // Neither has, and the first team's are older, but it was served.
  await sql`update private.handover_deliveries set lease_until = null where lease_until is not null`;
  await sql`update private.handover_deliveries set status = 'delivered' where claimed_at is not null`;
  await sql`update private.handover_deliveries set claimed_at = clock_timestamp() where id = ${first?.id ?? ""}`;
  expect((await claim())?.team_id).toBe(one.team);
  const rest = [await claim(), await claim(), await claim(), await claim()];
  expect(rest.map((row) => row?.team_id)).toEqual(Array(4).fill(many.team));
  expect(await claim()).toBeUndefined();
});

test("a turn that a clock ahead of time has dated does not keep its team waiting", async () => {
  const [ahead, other] = [await makeWorld(sql), await makeWorld(sql)];
  const teams = [ahead.team, other.team];
  await sql`delete from private.handover_deliveries`;
  await sql`delete from public.tasks`;
  for (const { team, handovers } of [ahead, other]) {
    await sql`
      insert into private.handover_deliveries (team_id, handover_id, kind, run_after)
      select ${team}, ${handovers.visitor}, 'webhook', now() - interval '1 hour' from generate_series(1, 2)`;
    await sql`
      insert into public.tasks (team_id, type, key, run_after)
      select ${team}, 'index', ${team} || n, now() - interval '1 hour' from generate_series(1, 2) n`;
  }
  const claim = {
    handover_deliveries: () => sql<{ id: string; team_id: string }[]>`
      select id, team_id from private.claim_handover_delivery(60)`,
    tasks: () =>
      sql<{ id: string; team_id: string }[]>`select id, team_id from private.claim_task('one', 60)`,
  };
  for (const [table, next] of Object.entries(claim)) {
    const named = sql(table === "tasks" ? "public.tasks" : "private.handover_deliveries");
    const ended = table === "tasks" ? "succeeded" : "delivered";
    const claimAndEnd = async () => {
      const [row] = await next();
      await sql`update ${named} set status = ${ended}, lease_until = null where id = ${row?.id ?? null}`;
      return row?.team_id;
    };
    const first = await claimAndEnd();
    expect(new Set([first, await claimAndEnd()]), table).toEqual(new Set(teams));
    await sql`update ${named} set claimed_at = now() + interval '1 hour' where status = ${ended} and team_id = ${first ?? null}`;
    expect(await claimAndEnd(), table).toBe(first);
  }
});

const send = (workspaces: string[], count: number, age: string) => sql`
  insert into private.slack_events (event_id, kind, workspace_id, channel, ts, thread_ts, payload, run_after)
  select w || '.' || i, 'message', w, 'C1', i::text, i::text, '{}', now() - ${age}::interval
    from unnest(${workspaces}::text[]) w, generate_series(1, ${count}::int) i`;
const claimEvent = async () => {
  const [row] = await sql<{ id: string; workspace_id: string }[]>`
    select id, workspace_id from private.claim_slack_event(60)`;
  return row;
};
const claimWorkspace = async () => (await claimEvent())?.workspace_id;
/** As if each answer took no time. */
const claimAndEnd = async () => {
  const event = await claimEvent();
  await sql`update private.slack_events set status = 'done', lease_until = null where id = ${event?.id ?? null}`;
  return event?.workspace_id;
};

test("a thread with very many messages holds up neither other threads nor an uninstall", async () => {
  await sql`delete from private.slack_events`;
  const add = (kind: string, thread: string, count: number, age: string) => sql`
    insert into private.slack_events (event_id, kind, workspace_id, channel, ts, thread_ts, payload, run_after)
    select ${thread} || '.' || i, ${kind}, 'T0LONG', 'C1', ${thread} || to_char(i, 'FM0000'), ${thread}, '{}', now() - ${age}::interval
      from generate_series(1, ${count}::int) i`;
  await add("message", "long", 300, "1 hour");
  await add("message", "short", 2, "1 minute");
  await add("message", "later", 1, "-1 hour");
  await add("left", "none", 1, "1 minute");
  const threads: unknown[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const [row] = await sql`select ts as place from private.claim_slack_event(60)`;
    threads.push(row?.place);
  }
  expect(threads[0]).toBe("long0001");
  expect(threads.slice(1, 3).sort()).toEqual(["none0001", "short0001"]);
  expect(threads[3]).toBeUndefined();
});

test("a workspace's many messages leave the next turn to another workspace", async () => {
  await sql`delete from private.slack_events`;
  await send(["T0MANY"], 4, "1 hour");
  await send(["T0ONE"], 2, "1 minute");
  expect([await claimWorkspace(), await claimWorkspace()]).toEqual(["T0MANY", "T0ONE"]);
  await sql`update private.slack_events set status = 'done' where status = 'running' and workspace_id = 'T0ONE'`;
  expect(await claimWorkspace()).toBe("T0ONE");
  // Those of a worker that is silent count no more, and its turn was the earlier one.
  await sql`update private.slack_events set lease_until = now() - interval '1 second' where status = 'running'`;
  expect(await claimWorkspace()).toBe("T0MANY");
});

test("of many workspaces with old messages, one that asks now waits for a turn of each at most", async () => {
  await sql`delete from private.slack_events`;
  const many = Array.from({ length: 20 }, (_, i) => `T0MANY${i}`);
  await send(many, 5, "1 hour");
  for (let turn = 0; turn < 30; turn++) await claimAndEnd();
  await send(["T0ONE"], 2, "0 seconds");
  expect(await claimAndEnd()).toBe("T0ONE");
  const turns: (string | undefined)[] = [];
  for (let turn = 0; turn < 21; turn++) turns.push(await claimAndEnd());
  expect(new Set(turns).size).toBe(21);
});

test("a turn that a clock ahead of time has dated does not keep its workspace waiting", async () => {
  await sql`delete from private.slack_events`;
  await send(["T0AHEAD", "T0OTHER"], 3, "1 hour");
  expect([await claimAndEnd(), await claimAndEnd()]).toEqual(["T0AHEAD", "T0OTHER"]);
  await sql`update private.slack_events set claimed_at = now() + interval '1 hour' where workspace_id = 'T0AHEAD' and status = 'done'`;
  expect([await claimAndEnd(), await claimAndEnd()]).toEqual(["T0AHEAD", "T0OTHER"]);
});

test("a claim reads few of 20,000 events", async () => {
  await sql`delete from private.slack_events`;
  const many = Array.from({ length: 20 }, (_, i) => `T0MANY${i}`);
  await send(many, 1_000, "1 hour");
  await sql`vacuum analyze private.slack_events`;
  // Postgres plans a function's statements anew for its first five calls in a session.
  for (let turn = 0; turn < 6; turn++) await claimWorkspace();
  const readRows = async () => {
    const [row] = await sql<{ count: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::int as count from pg_catalog.pg_stat_xact_user_tables
       where relname = 'slack_events'`;
    return row?.count ?? 0;
  };
  await sql`begin`;
  const before = await readRows();
  await claimWorkspace();
  const read = (await readRows()) - before;
  await sql`commit`;
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(500);
});

test("questions are grouped agent by agent, and those of other teams while one team is busy", async () => {
  const [many, one] = [await makeWorld(sql), await makeWorld(sql)];
  await sql`update public.gap_questions set retry_at = 'infinity'`;
  const wait = ({ team }: World, age: string) => sql`
    update public.gap_questions set gap_id = null, retry_at = now() - ${age}::interval where team_id = ${team}`;
  await wait(many, "1 hour");
  await wait(one, "1 minute");
  const take = async (busy: string[]) => [
    ...(await sql<
      { agent_id: string }[]
    >`select agent_id from private.take_gap_questions(64, ${busy}::uuid[])`),
  ];
  const busyWithMany = await take([many.team]);
  expect(new Set(busyWithMany.map((row) => row.agent_id))).toEqual(new Set([one.agent]));
  expect(await take([many.team])).toEqual([]);
  await wait(one, "1 minute");
  expect(new Set((await take([])).map((row) => row.agent_id))).toEqual(new Set([many.agent]));
  expect(new Set((await take([])).map((row) => row.agent_id))).toEqual(new Set([one.agent]));
});
