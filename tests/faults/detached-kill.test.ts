// kill -9 of the worker between and within the slices of a large deletion: the next worker resumes, nobody sees the rest, nothing is left.
import { afterEach, expect, it } from "vitest";
import { makeSmallTeams, user } from "../native/teams.ts";
import { asCaller } from "../sql/acting.ts";
import { startFuse } from "../support/fuse.ts";
import { startIndexingStand } from "../support/indexing-stand.ts";
import { makeManyRows } from "../support/many-rows.ts";
import { startTestPostgres } from "../support/postgres.ts";

const many = 2000;
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it("a worker that dies while it removes what was unlinked leaves the rest to the next, and other sources in peace", async () => {
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const [team] = await makeSmallTeams(stand.sql, 1);
  if (!team) throw new Error("There is no team");
  const [owner] = team.owners;
  const { knowledge, source } = await makeManyRows(stand.sql, { team: team.id, person: owner, many });
  const other = await makeManyRows(stand.sql, { team: team.id, person: owner, many: 20 });
  await asCaller(stand.sql, user(owner), async (tx) => {
    await tx`delete from public.knowledge_sources where source_id = ${source}`;
    // Linked again: the task that indexes it waits until the old passages are removed.
    await tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${team.id}, ${knowledge}, ${source})`;
  });
  await stand.sql`delete from public.tasks`;
  const count = async () => (await stand.sql`select 1 from public.chunks where source_id = ${source}`).length;

  let before = many;
  for (const isDelivered of [false, true, true]) {
    const worker = await stand.spawnFunction("local", fuse.port);
    const gone = new Promise<void>((resolve) => worker.process.once("exit", () => resolve()));
    fuse.burnAt("private.remove_detached", isDelivered, () => worker.process.kill("SIGKILL"));
    await Promise.all([gone, worker.tick().catch(() => {})]);
    const left = await count();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(before);
    before = left;
    const seen = await asCaller(
      stand.sql,
      user(owner),
      (tx) => tx`select distinct source_id as source from public.chunks`,
    );
    expect([...seen]).toEqual([{ source: other.source }]);
  }

  const task = await stand.sql`
    select private.enqueue_task(${team.id}, 'index', ${`index:knowledge:${knowledge}`}, null, ${knowledge}) as id`;
  const last = await stand.spawnFunction("local");
  stops.push(() => last.end("SIGTERM"));
  await expect
    .poll(
      async () => {
        await last.tick();
        return (await stand.task(task[0]?.id)).status;
      },
      { timeout: 60_000 },
    )
    .toMatch(/succeeded|failed/);
  expect(await stand.sql`select 1 from private.clearings`).toHaveLength(0);
  expect(await count()).toBe(0);
  expect(await stand.sql`select 1 from public.chunks where source_id = ${other.source}`).toHaveLength(20);
});

it("a worker that dies while it removes a deleted team's files leaves the rest to the next, and forgets no stored object", async () => {
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const [team] = await makeSmallTeams(stand.sql, 1);
  if (!team) throw new Error("There is no team");
  await stand.sql`
    insert into public.files (team_id, name, type, content_type, size, path, sha256)
    select ${team.id}, 'a.txt', 'document', 'text/plain', 5, 'teams/' || ${team.id}::text || '/' || gen_random_uuid(), repeat('a', 64)
      from generate_series(1, ${many}::int)`;
  const count = async () => (await stand.sql`select 1 from public.files where team_id = ${team.id}`).length;
  const removing = user(team.owners[0]);
  await asCaller(stand.sql, removing, (tx) => tx`delete from public.teams where id = ${team.id}`);
  expect(await count()).toBe(many);
  let before = many;
  for (const isDelivered of [false, true]) {
    const worker = await stand.spawnFunction("local", fuse.port);
    const gone = new Promise<void>((resolve) => worker.process.once("exit", () => resolve()));
    fuse.burnAt("private.remove_detached", isDelivered, () => worker.process.kill("SIGKILL"));
    await Promise.all([gone, worker.tick().catch(() => {})]);
    expect(await count()).toBeLessThanOrEqual(before);
    before = await count();
    expect(before).toBeGreaterThan(0);
    expect(await asCaller(stand.sql, removing, (tx) => tx`select id from public.files`)).toHaveLength(0);
  }
  const last = await stand.spawnFunction("local");
  stops.push(() => last.end("SIGTERM"));
  await expect
    .poll(
      async () => {
        await last.tick();
        return (await stand.sql`select 1 from private.roots where id = ${team.id}`).length;
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  expect(await count()).toBe(0);
  const [recorded] = await stand.sql<{ n: number }[]>`
    select count(*)::int as n from private.unwanted_objects where path like ${`teams/${team.id}/%`}`;
  expect(recorded?.n).toBe(many);
});

it("a worker that dies in a slice leaves the rest to the next", async () => {
  const database = await startTestPostgres();
  const stand = await startIndexingStand(database);
  stops.push(() => stand.stop());
  const fuse = await startFuse(database.port);
  stops.push(() => fuse.stop());
  const [team] = await makeSmallTeams(stand.sql, 1);
  if (!team) throw new Error("There is no team");
  const [owner] = team.owners;
  const { agent, knowledge, source } = await makeManyRows(stand.sql, { team: team.id, person: owner, many });
  const count = async () => {
    const [row] = await stand.sql<{ messages: number; chunks: number }[]>`
      select (select count(*)::int from public.messages) as messages, (select count(*)::int from public.chunks) as chunks`;
    return row ?? { messages: 0, chunks: 0 };
  };
  await asCaller(stand.sql, user(owner), async (tx) => {
    await tx`delete from public.agents where id = ${agent}`;
    await tx`delete from public.knowledges where id = ${knowledge}`;
    await tx`delete from public.sources where id = ${source}`;
  });
  expect(await count()).toEqual({ messages: many, chunks: many });

  let before = many;
  for (const isDelivered of [false, true, true]) {
    const worker = await stand.spawnFunction("local", fuse.port);
    const gone = new Promise<void>((resolve) => worker.process.once("exit", () => resolve()));
    fuse.burnAt("private.remove_detached", isDelivered, () => worker.process.kill("SIGKILL"));
    await Promise.all([gone, worker.tick().catch(() => {})]);
    const { messages } = await count();
    expect(messages).toBeGreaterThan(0);
    expect(messages).toBeLessThanOrEqual(before);
    before = messages;
    const seen = await asCaller(
      stand.sql,
      user(owner),
      (tx) =>
        tx`select id from public.messages union all select id from public.chunks union all select id from public.documents`,
    );
    expect(seen).toHaveLength(0);
  }

  const last = await stand.spawnFunction("local");
  stops.push(() => last.end("SIGTERM"));
  await expect
    .poll(async () => {
      await last.tick();
      return (await stand.sql`select 1 from private.roots where detached_at is not null`).length;
    })
    .toBe(0);
  expect(await count()).toEqual({ messages: 0, chunks: 0 });
  for (const table of [
    "chats",
    "documents",
    "document_indexes",
    "chunk_words",
    "chunk_embeddings",
    "table_rows",
    "handovers",
  ])
    expect(await stand.sql`select 1 from ${stand.sql(`public.${table}`)}`, table).toHaveLength(0);
});
