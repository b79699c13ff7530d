// Passages that leave a knowledge base: nobody reads them from the commit on, they go in slices, and nothing else does.
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeSmallTeams, type SmallTeam, service, user } from "../native/teams.ts";
import { type ManyRows, makeManyRows } from "../support/many-rows.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { actAs, asCaller } from "./acting.ts";

/** Passages, twenty for each document. */
const many = 1200;
const perSlice = 100;

let database: TestPostgres;
let sql: Sql;
let team: SmallTeam;
let large: ManyRows;
/** Another source, in the same knowledge base. */
let other: ManyRows;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
});
afterAll(() => database.stop());

beforeEach(async () => {
  const [made] = await makeSmallTeams(sql, 1);
  if (!made) throw new Error("no team");
  team = made;
  const rows = { team: team.id, person: team.owners[0], messages: 0 };
  large = await makeManyRows(sql, { ...rows, many });
  other = await makeManyRows(sql, { ...rows, many: 20 });
  for (const table of ["knowledge_sources", "document_indexes", "chunk_words", "chunk_embeddings"])
    await sql`update ${sql(`public.${table}`)} set knowledge_id = ${large.knowledge} where knowledge_id = ${other.knowledge}`.catch(
      async () => {
        // Tables refer to their index.
        await sql`delete from public.document_tables where knowledge_id = ${other.knowledge}`;
        await sql`update ${sql(`public.${table}`)} set knowledge_id = ${large.knowledge} where knowledge_id = ${other.knowledge}`;
      },
    );
  await sql`update public.chunks set knowledge_id = ${large.knowledge} where knowledge_id = ${other.knowledge}`;
  await sql`select private.recount_knowledges(array[${large.knowledge}::uuid])`;
});

const as = <T>(work: (tx: TransactionSql) => Promise<T>) => asCaller(sql, user(team.owners[0]), work);
const clear = (source = large.source) => as((tx) => tx`select public.forget_indexes(${source})`);
const unlink = () => as((tx) => tx`delete from public.knowledge_sources where source_id = ${large.source}`);

const tables = [
  "chunks",
  "chunk_words",
  "chunk_embeddings",
  "document_indexes",
  "document_tables",
  "table_rows",
];
type Counts = Record<string, number>;
/** The rows of each table in the knowledge base. */
const countIn = async (tx: Sql | TransactionSql) => {
  const counts: Counts = {};
  for (const table of tables)
    counts[table] = (
      await tx`select 1 from ${tx(`public.${table}`)} where knowledge_id = ${large.knowledge}`
    ).length;
  return counts;
};
const countVisible = () => as((tx) => countIn(tx));
/** What is left of the other source. */
const othersOnly: Counts = {
  chunks: 20,
  chunk_words: 20,
  chunk_embeddings: 20,
  document_indexes: 1,
  document_tables: 0,
  table_rows: 0,
};
const none = Object.fromEntries(tables.map((table) => [table, 0]));

async function removeSlice(): Promise<boolean> {
  const [row] = await asCaller(
    sql,
    service,
    (tx) => tx<{ more: boolean }[]>`select private.remove_detached(${perSlice}) as more`,
  );
  return row?.more ?? false;
}
const total = (counts: Counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);
/** @returns the number of rows that each slice removed */
async function removeAll(): Promise<number[]> {
  const removed: number[] = [];
  for (let before = total(await countIn(sql)); await removeSlice(); ) {
    const after = total(await countIn(sql));
    removed.push(before - after);
    before = after;
  }
  return removed;
}
async function expectRemovedInSlices(): Promise<void> {
  const slices = await removeAll();
  expect(slices.length).toBeGreaterThan(many / perSlice);
  expect(Math.max(...slices)).toBeLessThanOrEqual(3 * perSlice);
  expect(await countIn(sql)).toEqual(othersOnly);
  expect(await sql`select 1 from private.clearings`).toHaveLength(0);
}
const knowledge = async () => {
  const [row] =
    await sql`select documents_count, chunks_count, status from public.knowledges where id = ${large.knowledge}`;
  return row;
};
const statuses = async () =>
  await sql`select distinct status, chunks_count, error from public.documents where source_id = ${large.source}`;
const isBeingCleared = async (claims = user(team.owners[0])) => {
  const rows = await asCaller(
    sql,
    claims,
    (tx) => tx<{ yes: boolean }[]>`select private.is_being_cleared(${team.id}, ${large.source}) as yes`,
  );
  return rows[0]?.yes;
};
/** What readers see of the source's documents while it is being cleared. */
const showStates = async (claims = user(team.owners[0])) => {
  const ids = await sql`select id from public.documents where source_id = ${large.source} order by id`;
  const rows = await asCaller(
    sql,
    claims,
    (tx) => tx`
      select s.* from unnest(${ids.map(({ id }) => id)}::uuid[]) with ordinality d (id, place), private.state_when_cleared(d.id) s
       order by d.place`,
  );
  return [...rows];
};
const countSkipped = () =>
  as(async (tx) => (await tx`select 1 from private.skipped_items(${large.source})`).length);
const findSources = () =>
  as(async (tx) => {
    const rows = await tx<{ source: string }[]>`
      select distinct source_id as source from public.search_chunks(array[${large.knowledge}::uuid], 'zebra', '[]', 200, 'text')`;
    return rows.map(({ source }) => source);
  });

describe.each([
  ["cleared", () => clear(), "stale"],
  ["unlinked", () => unlink(), "queued"],
] as const)("a large source that is %s", (what, leave, status) => {
  test("is hidden at once, goes in slices, and takes nothing else along", async () => {
    const before = await countIn(sql);
    await leave();
    expect(await countIn(sql), "one statement removes nothing").toEqual(before);
    expect(await countVisible()).toEqual(othersOnly);
    expect(await findSources()).toEqual([other.source]);
    expect(await knowledge()).toEqual({ documents_count: 1, chunks_count: 20, status });

    await expectRemovedInSlices();
    expect(await knowledge()).toEqual({ documents_count: 1, chunks_count: 20, status });
    expect(await findSources()).toEqual([other.source]);
    expect(await statuses()).toEqual([{ status: "none", chunks_count: 0, error: null }]);
  });

  test("shows its documents at once as they will be", async () => {
    expect(await isBeingCleared()).toBe(false);
    await sql`
      update public.documents set status = 'failed', error = 'It was empty.'
       where id in (select id from public.documents where source_id = ${large.source} order by id limit 2)`;
    await sql`
      update public.documents set status = 'indexing'
       where id = (select id from public.documents where source_id = ${large.source} order by id desc limit 1)`;
    expect(await countSkipped()).toBe(2);
    await leave();
    expect(await isBeingCleared()).toBe(true);
    const [shown, skipped] = [await showStates(), await countSkipped()];
    expect(new Set(shown.map(({ status }) => status))).toEqual(
      new Set(what === "cleared" ? ["none"] : ["failed", "none", "indexing"]),
    );
    expect(skipped).toBe(what === "cleared" ? 0 : 2);
    await removeAll();
    expect(await isBeingCleared()).toBe(false);
    const left = await sql`
      select status, chunks_count, error from public.documents where source_id = ${large.source} order by id`;
    expect(shown).toEqual([...left]);
    expect(await countSkipped()).toBe(skipped);
  });

  test("stays hidden while half of it is removed, whoever plans an index of it meanwhile", async () => {
    await leave();
    for (let slice = 0; slice < 8; slice++) expect(await removeSlice()).toBe(true);
    const [first] = await sql<{ id: string }[]>`
      select id from public.documents where source_id = ${large.source} order by id limit 1`;
    await sql`
      insert into public.document_indexes (team_id, knowledge_id, document_id, status)
      values (${team.id}, ${large.knowledge}, ${first?.id ?? ""}, 'queued') on conflict do nothing`;
    // As if the walk had passed all documents by then.
    await sql`
      update private.clearings set reached = (
        select d.id from public.documents d where d.source_id = ${large.source} order by d.id desc limit 1)`;
    expect(await countVisible()).toEqual(othersOnly);
    await removeAll();
    expect(await countIn(sql)).toEqual(othersOnly);
  });

  test("does not come back with a knowledge base that is deleted and restored", async () => {
    await leave();
    await as(async (tx) => {
      await tx`select private.keep_deleted('knowledges', ${team.id}, ${large.knowledge})`;
      await tx`delete from public.knowledges where id = ${large.knowledge}`;
    });
    // What was cleared everywhere goes on, and what was unlinked from it waits until the deletion can no longer be undone.
    expect(await removeSlice()).toBe(what === "cleared");
    await as((tx) => tx`select private.restore_deleted('knowledges', ${team.id}, ${large.knowledge})`);
    expect(await countVisible()).toEqual(othersOnly);
    await removeAll();
    expect(await countIn(sql)).toEqual(othersOnly);
  });
});

test("a small source is cleared at once, with the errors of its documents", async () => {
  await sql`update public.documents set status = 'failed', error = 'It was empty.' where source_id = ${other.source}`;
  await clear(other.source);
  expect(await sql`select 1 from private.clearings`).toHaveLength(0);
  expect(await countIn(sql)).toMatchObject({ chunks: many, document_indexes: many / 20 });
  expect([
    ...(await sql`select status, chunks_count, error from public.documents where source_id = ${other.source}`),
  ]).toEqual([{ status: "none", chunks_count: 0, error: null }]);
  const [source] = await sql`select status from public.sources where id = ${other.source}`;
  expect(source).toEqual({ status: "none" });
});

test("a source in two knowledge bases leaves only the one that it is unlinked from", async () => {
  const [second] = await sql<{ id: string }[]>`
    insert into public.knowledges (team_id, name) values (${team.id}, 'Second') returning id`;
  const id = second?.id ?? "";
  await sql`insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${team.id}, ${id}, ${large.source})`;
  await sql`
    insert into public.document_indexes (team_id, knowledge_id, document_id, status, signature, chunks_count)
    select team_id, ${id}, id, 'ready', 'read', 3 from public.documents where source_id = ${large.source}`;
  await sql`
    insert into public.chunks (team_id, knowledge_id, source_id, document_id, position, content, start_offset, end_offset, tokens, content_hash)
    select team_id, ${id}, source_id, id, 1, 'A zebra', 0, 7, 2, 'hash' from public.documents where source_id = ${large.source}`;
  await as(
    (tx) =>
      tx`delete from public.knowledge_sources where source_id = ${large.source} and knowledge_id = ${large.knowledge}`,
  );
  expect(await countVisible()).toEqual(othersOnly);
  const inSecond = (tx: TransactionSql) => tx`select 1 from public.chunks where knowledge_id = ${id}`;
  expect(await as(inSecond)).toHaveLength(many / 20);
  const shown = await showStates();
  await removeAll();
  expect(await statuses()).toEqual([{ status: "ready", chunks_count: 3, error: null }]);
  expect(new Set(shown.map((row) => JSON.stringify(row)))).toEqual(
    new Set([JSON.stringify({ status: "ready", chunks_count: 3, error: null })]),
  );
  expect(await as(inSecond)).toHaveLength(many / 20);
  expect(await countIn(sql)).toEqual(othersOnly);
  await clear();
  expect(await as(inSecond)).toHaveLength(0);
});

test("a knowledge base is counted and queued once for all sources that are unlinked at once", async () => {
  await sql`
    with made as (
      insert into public.sources (team_id, type, name) select ${team.id}, 'file', 'Source ' || n from generate_series(1, 30) n returning id)
    insert into public.knowledge_sources (team_id, knowledge_id, source_id) select ${team.id}, ${large.knowledge}, id from made`;
  const writes = await as(async (tx) => {
    const updates = async () => {
      const [row] = await tx`
        select n_tup_upd::int as count from pg_catalog.pg_stat_xact_user_tables where relname = 'knowledges'`;
      return row?.count;
    };
    const before = await updates();
    await tx`delete from public.knowledge_sources where knowledge_id = ${large.knowledge} and source_id <> ${other.source}`;
    return (await updates()) - before;
  });
  expect(writes).toBe(2);
  expect(await countVisible()).toEqual(othersOnly);
  const tasks =
    await sql`select type from public.tasks where knowledge_id = ${large.knowledge} and status = 'queued'`;
  expect(tasks).toEqual([{ type: "index" }]);
});

test("a source that is linked again stays without its passages until they are removed", async () => {
  await unlink();
  await as(
    (tx) =>
      tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id) values (${team.id}, ${large.knowledge}, ${large.source})`,
  );
  expect(await countVisible()).toEqual(othersOnly);
  await expectRemovedInSlices();
});

test("an answering agent, and a team that deletes source or knowledge base meanwhile, see none of it", async () => {
  await clear();
  const agent = { role: "authenticated" as const, agent_id: large.agent };
  await sql.begin(async (tx) => {
    const found = await actAs(tx, agent, () => countIn(tx));
    expect(found).toEqual(othersOnly);
  });
  await as((tx) => tx`delete from public.sources where id = ${large.source}`);
  expect(await countVisible()).toEqual(othersOnly);
  await as((tx) => tx`delete from public.knowledges where id = ${large.knowledge}`);
  expect(await countVisible()).toEqual(none);
  await removeAll();
  expect(await countIn(sql)).toEqual(none);
  expect(await sql`select 1 from private.clearings`).toHaveLength(0);
});

test("nobody clears the source of another team", async () => {
  const [stranger] = await makeSmallTeams(sql, 1);
  const claims = user(stranger?.owners[0] ?? "");
  await expect(
    asCaller(sql, claims, (tx) => tx`select public.forget_indexes(${large.source})`),
  ).rejects.toMatchObject({
    code: "PT404",
  });
  expect(await sql`select 1 from private.clearings`).toHaveLength(0);
  await clear();
  expect(await isBeingCleared(claims)).toBe(false);
  expect(await showStates(claims)).toEqual([]);
});
