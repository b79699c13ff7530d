// What a client learns of another team's rows by naming them: a row of another team is refused like one that does not exist.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Claims, claimsOf } from "../support/actors.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
});
afterAll(() => database.stop());

/** The answer to an outsider, who owns a team of their own. */
async function answer(work: (tx: TransactionSql) => Promise<unknown>): Promise<string> {
  try {
    await asCaller(sql, claimsOf("outsider", world), work);
    return "stored";
  } catch (error) {
    return String(error);
  }
}

type Naming = {
  theirs: () => string[];
  write: (tx: TransactionSql, team: string, ids: string[]) => Promise<unknown>;
};

const namings: Record<string, Naming> = {
  "a document of their source": {
    theirs: () => [world.source, world.document],
    write: (tx, team, [source, externalId]) => tx`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      values (${team}, ${source ?? ""}, ${externalId ?? ""}, 'text', 'Mine', 'Mine')`,
  },
  "a document of their source, to ignore when it exists": {
    theirs: () => [world.source, world.document],
    write: (tx, team, [source, externalId]) => tx`
      insert into public.documents (team_id, source_id, external_id, type, title, content)
      values (${team}, ${source ?? ""}, ${externalId ?? ""}, 'text', 'Mine', 'Mine') on conflict do nothing`,
  },
  "a source of their knowledge base": {
    theirs: () => [world.knowledge, world.source],
    write: (tx, team, [knowledge, source]) => tx`
      insert into public.knowledge_sources (team_id, knowledge_id, source_id)
      values (${team}, ${knowledge ?? ""}, ${source ?? ""})`,
  },
  "a knowledge base of their agent": {
    theirs: () => [world.agent, world.knowledge],
    write: (tx, team, [agent, knowledge]) => tx`
      insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
      values (${team}, ${agent ?? ""}, ${knowledge ?? ""})`,
  },
  "a source of their file": {
    theirs: () => [world.file],
    write: (tx, team, [file]) => tx`
      insert into public.sources (team_id, type, name, config)
      values (${team}, 'file', 'Mine', ${tx.json({ fileIds: [file ?? ""] })})`,
  },
  "a source of their agent's chats": {
    theirs: () => [world.agent],
    write: (tx, team, [agent]) => tx`
      insert into public.sources (team_id, type, name, config)
      values (${team}, 'agentChat', 'Mine', ${tx.json({ agentId: agent ?? "" })})`,
  },
  "a member in their role": {
    theirs: () => [world.customRole],
    write: (tx, team, [role]) => tx`
      insert into public.team_users (team_id, email, role_id) values (${team}, 'mine@parley.test', ${role ?? ""})`,
  },
  "an API key in their role": {
    theirs: () => [world.customRole],
    write: (tx, team, [role]) => tx`
      insert into public.api_keys (team_id, name, role_id, prefix, secret_hash)
      values (${team}, 'Mine', ${role ?? ""}, 'Mine1234', sha256('mine'))`,
  },
  "a chat with their private agent": {
    theirs: () => [world.agent],
    write: (tx, _team, [agent]) => tx`insert into public.chats (agent_id) values (${agent ?? ""})`,
  },
  "a message in their chat": {
    theirs: () => [world.chats.viewer],
    write: (tx, _team, [chat]) =>
      tx`insert into public.messages (chat_id, content) values (${chat ?? ""}, 'Hello')`,
  },
};

test.each(Object.entries(namings))(
  "%s is refused whether it exists or not",
  async (_name, { theirs, write }) => {
    // As a row of the outsider's own team, and of theirs.
    for (const team of [world.otherTeam, world.team]) {
      const said = await answer((tx) => write(tx, team, theirs()));
      expect(said).not.toBe("stored");
      // Each of the ids alone, since a pair tells of the link between two that exist.
      for (const at of theirs().keys()) {
        const missing = theirs().with(at, randomUUID());
        expect(await answer((tx) => write(tx, team, missing))).toBe(said);
      }
    }
  },
);

test("how many invitations their team has sent is not told", async () => {
  const invite = () =>
    answer(
      (tx) => tx`
        insert into public.team_users (team_id, email, role_id)
        values (${world.team}, 'mine@parley.test', ${systemRoleIds.viewer})`,
    );
  const before = await invite();
  await sql`
    insert into private.rate_limits (key, window_start, hits)
    values (${`invitation:team:${world.team}`}, to_timestamp(floor(extract(epoch from now()) / 3600) * 3600), 200)`;
  expect(await invite()).toBe(before);
});

test("an estimated count is refused to clients, an exact one is not", async () => {
  const ask = (as: Claims, prefer: string | null) =>
    refusal(
      asCaller(sql, as, async (tx) => {
        if (prefer !== null)
          await tx`select set_config('request.headers', ${JSON.stringify({ prefer })}, true)`;
        await tx`select private.refuse_estimates()`;
      }),
    );
  for (const as of [claimsOf("outsider", world), claimsOf("visitor", world)]) {
    for (const prefer of ["count=planned", "return=minimal, count=estimated", "Count=Planned"])
      expect(await ask(as, prefer), prefer).toBe("PT400");
    for (const prefer of ["count=exact", "return=representation", "", null])
      expect(await ask(as, prefer)).toBeUndefined();
  }
  expect(await ask({ role: "service_role" }, "count=planned")).toBeUndefined();
});

test("no table's rows are estimated through PostgREST, whatever preference it shows the database", async () => {
  const tables = await sql<{ name: string; column: string }[]>`
    select c.oid::regclass::text as name, min(a.attname) as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
     group by c.oid`;
  expect(tables.length).toBeGreaterThan(30);
  const read = (statement: string, headers: string) =>
    refusal(
      asCaller(sql, claimsOf("outsider", world), async (tx) => {
        await tx`select set_config('request.headers', ${headers}, true)`;
        await tx.unsafe(statement);
      }),
    );
  for (const { name, column } of tables) {
    const rows = `with source as (select ${column} from ${name}) select count(*) from source`;
    // PostgREST shows the last Prefer header and heeds the first.
    expect(await read(`EXPLAIN (FORMAT JSON) ${rows}`, '{"prefer":"count=exact"}'), name).toBe("PT400");
    expect(await read(rows, '{"prefer":"count=exact"}'), name).toBeUndefined();
  }
  expect(await read("explain select id from public.agents", ""), "not PostgREST").toBeUndefined();
});

test("the embedding model of their knowledge base is told only to those who see it", async () => {
  const model = randomUUID();
  await sql`
    insert into private.models (id, team_id, role, provider, base_url, model, dimensions)
    values (${model}, ${world.team}, 'embedding', 'custom', 'https://models.test', 'vectors', 8)`;
  const tell = (actor: "viewer" | "outsider") =>
    asCaller(
      sql,
      claimsOf(actor, world),
      (tx) => tx`select * from private.next_embedding(${world.knowledge})`,
    );
  expect(await tell("viewer")).toEqual([{ model: `connection:${model}`, dimensions: 8 }]);
  expect(await tell("outsider")).toEqual([]);
});
