// The rows that members add besides files and documents: each counts in what their team stores, or is limited by number.
import { randomUUID } from "node:crypto";
import type { Row, Sql, TransactionSql } from "postgres";
import { beforeEach, expect, test } from "vitest";
import { type SmallTeam, user } from "../native/teams.ts";
import { asCaller, refusal } from "./acting.ts";
import { limitStorage, startTeams } from "./storage-team.ts";

/** The share of a row, beside its texts. */
const share = 1024;
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(3000)]).toString("base64");

let sql: Sql;
let team: SmallTeam;
let agent: string;
let source: string;

startTeams((connection, newTeam) => {
  sql = connection;
  team = newTeam;
});

beforeEach(async () => {
  [agent, source] = [randomUUID(), randomUUID()];
  await sql`insert into public.agents (id, team_id, name) values (${agent}, ${team.id}, 'Agent')`;
  await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team.id}, 'qa', 'Answers')`;
});

const limitTo = (bytes: number | null) => limitStorage(sql, bytes);
const owner = () => user(team.owners[0]);
const asOwner = <T>(work: (tx: TransactionSql) => Promise<T>) => asCaller(sql, owner(), work);

async function readUsed(): Promise<number> {
  const [row] = await sql<{ used: number }[]>`select private.storage_used(${team.id})::int as used`;
  return row?.used ?? 0;
}

interface Counted {
  table: string;
  /** The row, and the column that is made longer. */
  row: () => Row;
  column: string;
  value: (length: number) => unknown;
  /** What a value takes. */
  bytes: (length: number) => number;
}

const counted: Counted[] = [
  {
    table: "knowledges",
    row: () => ({ team_id: team.id, name: "Knowledge base" }),
    column: "description",
    value: (length) => "x".repeat(length),
    bytes: (length) => length,
  },
  {
    table: "agent_tests",
    row: () => ({ team_id: team.id, agent_id: agent, facts: ["27"] }),
    column: "question",
    value: (length) => "x".repeat(length),
    bytes: (length) => length + '["27"]'.length,
  },
  {
    table: "sources",
    row: () => ({ team_id: team.id, type: "website", name: "Site" }),
    column: "config",
    value: (length) => ({ startUrl: `https://a.test/${"x".repeat(length)}` }),
    bytes: (length) => '{"startUrl": "https://a.test/"}'.length + length,
  },
];

test.each(counted)("$table count by row and text, as they grow, shrink and go", async (one) => {
  const before = await readUsed();
  const [{ id } = {}] = await asOwner(
    (tx) =>
      tx`insert into public.${tx(one.table)} ${tx({ ...one.row(), [one.column]: one.value(100) })} returning id`,
  );
  expect(await readUsed()).toBe(before + share + one.bytes(100));
  for (const length of [900, 20]) {
    await asOwner(
      (tx) =>
        tx`update public.${tx(one.table)} set ${tx({ [one.column]: one.value(length) })} where id = ${id}`,
    );
    expect(await readUsed()).toBe(before + share + one.bytes(length));
  }
  await asOwner((tx) => tx`delete from public.${tx(one.table)} where id = ${id}`);
  expect(await readUsed()).toBe(before);
});

test("a written answer counts beside its document", async () => {
  const before = await readUsed();
  const [{ id } = {}] = await asOwner(
    (tx) => tx`
      insert into public.qa_entries (team_id, source_id, question, answer)
      values (${team.id}, ${source}, 'How long?', ${"é".repeat(500)}) returning id`,
  );
  expect(await readUsed()).toBe(before + 2 * share + "How long?".length + 1000);
  await asOwner((tx) => tx`update public.qa_entries set answer = 'Short.' where id = ${id}`);
  expect(await readUsed()).toBe(before + 2 * share + "How long?".length + "Short.".length);
  await asOwner((tx) => tx`delete from public.qa_entries where id = ${id}`);
  expect(await readUsed()).toBe(before);
});

test("an avatar counts until another takes its place, or its agent goes", async () => {
  const before = await readUsed();
  const change = (avatar: string) =>
    asOwner((tx) => tx`update public.agents set avatar = ${avatar} where id = ${agent}`);
  await change(png);
  expect(await readUsed()).toBe(before + png.length);
  await change("");
  expect(await readUsed()).toBe(before);
  await change(png);
  await asOwner((tx) => tx`delete from public.agents where id = ${agent}`);
  expect(await readUsed()).toBe(share + "{}".length);
});

test("a full team adds none of them and lengthens none, but for a source's settings", async () => {
  const ids = new Map<string, string>();
  for (const one of counted) {
    const [row] = await asOwner(
      (tx) =>
        tx`insert into public.${tx(one.table)} ${tx({ ...one.row(), [one.column]: one.value(10) })} returning id`,
    );
    ids.set(one.table, row?.id);
  }
  await limitTo(await readUsed());
  for (const { table, column, value, row } of counted) {
    const add = asOwner((tx) => tx`insert into public.${tx(table)} ${tx({ ...row(), [column]: value(1) })}`);
    expect(await refusal(add), table).toBe("PT402");
    const lengthen = asOwner(
      (tx) =>
        tx`update public.${tx(table)} set ${tx({ [column]: value(99) })} where id = ${ids.get(table) ?? ""}`,
    );
    expect(await refusal(lengthen), table).toBe(table === "sources" ? undefined : "PT402");
  }
  const avatar = asOwner((tx) => tx`update public.agents set avatar = ${png} where id = ${agent}`);
  expect(await refusal(avatar)).toBe("PT402");
});

test("a team has at most a thousand roles, keys and apps", async () => {
  const [role] = await sql<
    { id: string }[]
  >`select id from public.roles where team_id is null and codename = 'viewer'`;
  const adds: Record<string, (tx: TransactionSql, from: number, to: number) => Promise<unknown>> = {
    roles: (tx, from, to) => tx`
      insert into public.roles (team_id, name, codename, permissions)
      select ${team.id}, 'Role', 'role-' || n, '{team.read}' from generate_series(${from}::int, ${to}::int) n`,
    api_keys: (tx, from, to) => tx`
      insert into public.api_keys (team_id, name, role_id, prefix, secret_hash)
      select ${team.id}, 'Key', ${role?.id ?? ""}, left(md5(${team.id} || n), 8), sha256(convert_to(${team.id} || n, 'UTF8'))
        from generate_series(${from}::int, ${to}::int) n`,
    apps: (tx, from, to) => tx`
      insert into public.apps (team_id, type, name, agent_id)
      select ${team.id}, 'slack', 'App', ${agent} from generate_series(${from}::int, ${to}::int) n`,
  };
  for (const [table, add] of Object.entries(adds)) {
    expect(await refusal(asOwner((tx) => add(tx, 1, 1000))), table).toBeUndefined();
    await expect(
      asOwner((tx) => add(tx, 1001, 1001)),
      table,
    ).rejects.toMatchObject({
      code: "23514",
      constraint_name: `${table}_few`,
    });
  }
});

test("a knowledge base has at most 200 sources", async () => {
  const knowledge = randomUUID();
  await sql`insert into public.knowledges (id, team_id, name) values (${knowledge}, ${team.id}, 'Knowledge')`;
  const link = (many: number) =>
    asOwner(
      (tx) => tx`
        with made as (insert into public.sources (team_id, type, name)
                      select ${team.id}, 'qa', 'S' from generate_series(1, ${many}::int) returning id)
        insert into public.knowledge_sources (team_id, knowledge_id, source_id) select ${team.id}, ${knowledge}, id from made`,
    );
  await expect(link(201)).rejects.toMatchObject({
    code: "23514",
    constraint_name: "knowledge_sources_few",
  });
  expect(await refusal(link(200))).toBeUndefined();
  expect(await refusal(link(1))).toBe("23514");
});

test("what members write of chats past the API is limited in ten minutes and in a day", async () => {
  const start = (many: number) =>
    asOwner(
      (tx) => tx`
        insert into public.chats (agent_id, channel)
        select ${agent}, 'web' from generate_series(1, ${many}::int)`,
    );
  // More than twice the limit, since ten minutes may end meanwhile.
  expect(await refusal(start(1201))).toBe("PT429");
  expect(await refusal(start(600))).toBeUndefined();
  /** Today and tomorrow, which may begin meanwhile. The ten minutes are over. */
  const noteChats = async (chats: number) => {
    await sql`delete from private.rate_limits where key like ${`direct:%${team.owners[0]}%`}`;
    await sql`
      insert into private.rate_limits (key, window_start, hits)
      select ${`direct:chats:${team.owners[0]}:day`}, to_timestamp((floor(extract(epoch from now()) / 86400) + d) * 86400), ${chats}
        from generate_series(0, 1) d`;
  };
  await noteChats(1999);
  expect(await refusal(start(1))).toBeUndefined();
  await noteChats(2000);
  expect(await refusal(start(1))).toBe("PT429");
});

/** What no count has to limit, and why. */
const unlimited: Record<string, string> = {
  vectors: "platform admins alone add them",
};
const limiting = [
  "count_row_bytes",
  "count_document_bytes",
  "count_invitation",
  "limit_team_rows",
  "limit_direct_writes",
  "limit_agent_knowledges",
  "limit_knowledge_sources",
];

test("no table takes any number of rows from a client", async () => {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_catalog.pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and exists (select from unnest(array['anon', 'authenticated']) role where has_any_column_privilege(role, c.oid, 'insert'))
       and not exists (
         select from pg_catalog.pg_trigger t join pg_catalog.pg_proc p on p.oid = t.tgfoid
          where t.tgrelid = c.oid and t.tgtype & 4 > 0 and p.proname = any (${limiting}))
     order by 1`;
  const advice = "a trigger of sql/82_counted_rows.sql counts or limits what clients add";
  expect(
    tables.map(({ name }) => name),
    advice,
  ).toEqual(Object.keys(unlimited));
});
