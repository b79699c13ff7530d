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
