// Search over a team's words in Postgres, with fifty teams of some hundreds of rows each: through indexes, proportional to the results,
// and within the caller's rights. Measures rows read, never time.
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { search } from "../../edge-functions/v1/search/queries.ts";
import type { Claims } from "../support/actors.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller } from "./acting.ts";
import { type Crowd, makeCrowd } from "./crowd.ts";

let database: TestPostgres;
let sql: Sql;
let crowd: Crowd;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1, prepare: false });
  crowd = await makeCrowd(sql, { teams: 50, membersPerTeam: 4, rowsPerTeam: 200 });
});

afterAll(() => database.stop());

const owner = (): Claims => ({ role: "authenticated", sub: crowd.owner });
const viewer = (): Claims => ({ role: "authenticated", sub: crowd.viewer });
const key = (): Claims => ({ role: "authenticated", api_key_id: crowd.apiKey, team_id: crowd.team });

const find = (claims: Claims, query: string, team = crowd.team) =>
  asCaller(sql, claims, (tx) => search(tx, team, { query, count: 5 }));

/** The rows of some tables that a search read, by index or in a full scan. */
async function read(claims: Claims, query: string) {
  return await asCaller(sql, claims, async (tx) => {
    const readCounters = async () =>
      await tx<{ name: string; scanned: number; fetched: number }[]>`
        select relname as name, coalesce(seq_tup_read, 0)::int as scanned, coalesce(idx_tup_fetch, 0)::int as fetched
          from pg_catalog.pg_stat_xact_all_tables
         where schemaname in ('public', 'private')
           and relname in ('documents', 'chats', 'messages', 'message_words', 'chunks', 'chunk_words')`;
    const before = new Map((await readCounters()).map((table) => [table.name, table]));
    const hits = await search(tx, crowd.team, { query, count: 5 });
    const tables = (await readCounters()).map(({ name, scanned, fetched }) => ({
      name,
      scanned: scanned - (before.get(name)?.scanned ?? 0),
      fetched: fetched - (before.get(name)?.fetched ?? 0),
    }));
    return { hits, tables };
  });
}

describe.each([
  ["an owner", owner],
  ["a member", viewer],
  ["an API key", key],
] as const)("%s", (_who, claims) => {
  test.each(["document 77", "chat 77", "hel", "nowhere", "document"])(
    "finds “%s” through indexes",
    async (query) => {
      const { tables, hits } = await read(claims(), query);
      expect(tables.filter(({ scanned }) => scanned > 0)).toEqual([]);
      // For a frequent word only the shown number, and at most the team's rows while choosing.
      for (const { name, fetched } of tables) expect([name, fetched <= 620]).toEqual([name, true]);
      expect(hits.length).toBe({ "document 77": 1, "chat 77": 1, hel: 5, nowhere: 0, document: 5 }[query]);
    },
  );
});

test("a full scan would be detected", async () => {
  const scanned = await asCaller(sql, { role: "service_role" }, async (tx) => {
    await tx`select count(*) from public.chats where title like '%1%'`;
    const [row] = await tx`select seq_tup_read::int as rows from pg_catalog.pg_stat_xact_all_tables
                            where schemaname = 'public' and relname = 'chats'`;
    return row?.rows;
  });
  expect(scanned).toBeGreaterThan(1000);
});

test("words match in any order, without accents, and the last as a prefix", async () => {
  const { agent, team } = crowd;
  const [chat] = await sql`
    insert into public.chats (team_id, agent_id, user_id, title) values (${team}, ${agent}, ${crowd.owner}, 'Réclamation du client O''Neil \\ "prioritaire"')
    returning id`;
  const titles = async (query: string) => (await find(owner(), query)).map(({ id }) => id);
  for (const query of ["client reclamation", "RÉCLAMATION", "recla", "o'neil", "priori", 'la réclamation "'])
    expect([query, await titles(query)]).toEqual([query, [chat?.id]]);
  for (const query of [
    "clie reclamation",
    "clamation",
    "reclamation nowhere",
    "'",
    "\\",
    ":*",
    "a & | ! b",
    "the",
  ])
    expect([query, await titles(query)]).toEqual([query, []]);
});

test("a document is found by any part of a file's name", async () => {
  const [document] = await sql`
    insert into public.documents (team_id, source_id, external_id, type, title)
    values (${crowd.team}, ${crowd.source}, 'named', 'file', 'refund_policy-2024.v2/FINAL.pdf') returning id`;
  for (const query of ["policy", "2024 refund", "refund_policy", "policy-2024.v2", "final.pdf", "fin"])
    expect([query, (await find(owner(), query)).map(({ id }) => id)]).toEqual([query, [document?.id]]);
});

test("a completed reply is found, a replaced question and a deleted chat are not", async () => {
  const { agent, team } = crowd;
  const [chat] = await sql`
    insert into public.chats (team_id, agent_id, user_id) values (${team}, ${agent}, ${crowd.owner}) returning id`;
  const hits = async () => (await find(owner(), "platypus")).map(({ id }) => id);
  const [reply] = await sql`
    insert into public.messages (chat_id, role, status, content) values (${chat?.id}, 'assistant', 'streaming', 'A platypus')
    returning id`;
  expect(await hits()).toEqual([]);
  await sql`update public.messages set content = 'A platypus lays eggs.' where id = ${reply?.id}`;
  expect(await hits()).toEqual([]);
  await sql`update public.messages set status = 'complete' where id = ${reply?.id}`;
  expect(await hits()).toEqual([chat?.id]);
  await sql`update public.messages set superseded = true where id = ${reply?.id}`;
  expect(await hits()).toEqual([]);
  await sql`update public.messages set superseded = false where id = ${reply?.id}`;
  await sql`delete from public.chats where id = ${chat?.id}`;
  expect(await hits()).toEqual([]);
  expect((await sql`select 1 from private.message_words where message_id = ${reply?.id}`).length).toBe(0);
});

test("nobody reads the stored words, and the functions reveal nothing beyond the caller's rights", async () => {
  const [other] = await sql`
    select t.user_id from public.team_users t where t.team_id <> ${crowd.team} and t.role_id = ${systemRoleIds.owner} limit 1`;
  const stranger: Claims = { role: "authenticated", sub: other?.user_id };
  const rows = (claims: Claims) =>
    asCaller(sql, claims, async (tx) => [
      ...(await tx`select * from private.find_chats(${crowd.team}, 'chat', 50)`),
      ...(await tx`select * from private.find_documents(${crowd.team}, 'document', 50)`),
      ...(await tx`select * from private.find_chats_by_message(${crowd.team}, 'hello')`),
      ...(await tx`select * from private.find_chats_by_support(${crowd.team}, 'partly')`),
    ]);
  await sql`update public.messages set support = '{"state": "partly"}' where id in (
              select id from public.messages where team_id = ${crowd.team} limit 2)`;
  expect((await rows(owner())).length).toBe(50 + 50 + 200 + 2);
  expect(await rows(stranger)).toEqual([]);
  for (const role of ["authenticated", "service_role"] as const)
    await expect(asCaller(sql, { role }, (tx) => tx`select * from private.message_words`)).rejects.toThrow(
      "permission denied",
    );
});
