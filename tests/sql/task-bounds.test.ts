// What bounds the history of tasks: who queues and stops the same work in a loop, or queues very much of it. Nothing that ran leaves it.
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Actor, claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});
afterAll(() => database.stop());
beforeEach(async () => {
  world = await makeWorld(sql);
  await sql`delete from public.tasks`;
});

const service = { role: "service_role" } as const;

const index = (actor: Actor) =>
  asCaller(
    sql,
    claimsOf(actor, world),
    async (tx) => (await tx`select public.index_source(${world.source}) as task`)[0]?.task as string,
  );
const stop = () =>
  asCaller(sql, claimsOf("editor", world), (tx) => tx`select public.stop_indexing(${world.source})`);
const claim = async () =>
  (await sql<{ id: string; fence: string }[]>`select id, fence from private.claim_task('worker', 60)`)[0];
const statusOf = async (id: string) =>
  (
    await sql<{ status: string; waits: boolean }[]>`
    select status, run_after > clock_timestamp() as waits from public.tasks where id = ${id}`
  )[0];

async function run(status: string, delaySeconds = 0): Promise<void> {
  const task = await claim();
  if (!task) throw new Error("There was nothing to claim");
  await sql`select private.end_claim(${task.id}, ${task.fence}, ${status}, 'code', '{}', null, ${delaySeconds})`;
}

/** Sets the count of a limit in this window and in the next one, which may begin meanwhile. */
const fillLimit = (key: string, seconds: number, hits: number) => sql`
  insert into private.rate_limits (key, window_start, hits)
  select ${key}, to_timestamp(floor(extract(epoch from now()) / ${seconds}::int) * ${seconds}::int + later), ${hits}::int
    from unnest(array[0, ${seconds}::int]) later
  on conflict (key, window_start) do update set hits = excluded.hits`;

test("work that is queued and stopped before it runs leaves one task, however often", async () => {
  const ids = new Set<string>();
  for (let round = 0; round < 5; round++) {
    ids.add(await index("editor"));
    await stop();
  }
  expect(ids.size).toBe(5);
  expect(await sql`select status from public.tasks`).toEqual([{ status: "stopped" }]);
});

test("a task that ran stays, also when it was stopped and its work is queued again", async () => {
  const ended = await index("editor");
  await run("stopped");
  const waited = await index("editor");
  await run("waiting", 600);
  await stop();
  await index("editor");
  for (const id of [ended, waited]) expect(await statusOf(id)).toMatchObject({ status: "stopped" });
});

test("a task waits once its person queued 300 in ten minutes, and others' do not", async () => {
  await index("editor");
  await fillLimit(`tasks:${world.people.editor}`, 600, 300);
  await run("succeeded");
  const late = await index("editor");
  expect(await claim()).toBeUndefined();
  expect(await statusOf(late)).toEqual({ status: "queued", waits: true });
  const [told] = await sql`
    select (message_params ->> 'until')::timestamptz = run_after as until from public.tasks where id = ${late}`;
  expect(told).toEqual({ until: true });
  // A task that waits is still one: it is not counted again.
  expect(await index("owner")).toBe(late);
  await sql`delete from public.tasks`;
  const owners = await index("owner");
  expect((await claim())?.id).toBe(owners);
});

test("a person starts 120 runs of tests in an hour, each of which leaves a task", async () => {
  const begin = (person: string) =>
    refusal(
      asCaller(
        sql,
        service,
        (tx) => tx`select private.begin_test_run(${world.agent}, ${world.agentVersion}, ${person}, null)`,
      ),
    );
  await fillLimit(`testRuns:${world.people.editor}`, 3600, 120);
  expect(await begin(world.people.editor)).toBe("PT429");
  expect(await begin(world.people.owner)).toBeUndefined();
});
