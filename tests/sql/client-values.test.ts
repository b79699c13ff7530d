// Values that clients may not store in columns that the platform acts on, though each is valid by type.
import { createHash, randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectorTypes } from "../../edge-functions/indexing/connectors/registry.ts";
import { type Actor, claimsOf } from "../support/actors.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { asCaller, refusal } from "./acting.ts";
import { places } from "./hostile-rows.ts";
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

const as = <T>(actor: Actor, work: (tx: TransactionSql) => Promise<T>) =>
  asCaller(sql, claimsOf(actor, world), work);

describe("a document", () => {
  const add = (tx: TransactionSql, type: string, externalId: string) => tx<{ contentHash: string }[]>`
    insert into public.documents (team_id, source_id, external_id, type, title, content)
    values (${world.team}, ${world.source}, ${externalId}, ${type}, 'By hand', 'What it says.')
    returning content_hash as "contentHash"`;

  test.each(connectorTypes)("of type %s is created by its connector only", async (type) => {
    expect(await refusal(as("editor", (tx) => add(tx, type, world.chats.viewer)))).toBe("23514");
  });

  test("does not change to or from a connector's type", async () => {
    const externalId = randomUUID();
    await as("editor", (tx) => add(tx, "text", externalId));
    const becomes = as(
      "editor",
      (tx) => tx`update public.documents set type = 'agentChat' where external_id = ${externalId}`,
    );
    expect(await refusal(becomes)).toBe("23514");
    const other = as(
      "editor",
      (tx) => tx`update public.documents set external_id = ${world.file} where id = ${world.document}`,
    );
    expect(await refusal(other)).toBe("23514");
    const rewritten = as(
      "editor",
      (tx) => tx`update public.documents set content = 'Other' where id = ${world.document}`,
    );
    expect(await refusal(rewritten)).toBe("23514");
    const [row] = await sql`select external_id, content from public.documents where id = ${world.document}`;
    expect(row).toEqual({ external_id: world.document, content: null });
  });

  test("has the hash of its text, whatever a client sends", async () => {
    const [row] = await as("editor", (tx) => add(tx, "text", randomUUID()));
    expect(row?.contentHash).toBe(createHash("sha256").update("What it says.").digest("hex"));
    const said = as(
      "editor",
      (tx) => tx`update public.documents set content_hash = ${"0".repeat(64)} where id = ${world.document}`,
    );
    expect(await refusal(said)).toBe("42501");
  });
});

test("a document has at most /v1's maximum length", async () => {
  const add = (length: number) =>
    as(
      "editor",
      (tx) => tx`
        insert into public.documents (team_id, source_id, external_id, type, title, content)
        values (${world.team}, ${world.source}, ${randomUUID()}, 'text', 'Long', ${"x".repeat(length)})`,
    );
  expect(await refusal(add(1_000_001))).toBe("23514");
  expect(await refusal(add(1_000_000))).toBeUndefined();
});

test("a document does not take the id of what its source is read from", async () => {
  const [chats] = await sql<{ id: string }[]>`
    insert into public.sources (team_id, type, name, config)
    values (${world.team}, 'agentChat', 'Chats', ${sql.json({ agentId: world.agent })}) returning id`;
  const taken: [source: string | undefined, id: string][] = [
    [world.qaSource, world.qaEntry],
    [world.source, world.file],
    [chats?.id, world.chats.viewer],
  ];
  await sql`delete from public.documents where external_id = ${world.qaEntry}`;
  for (const [source = "", id] of taken) {
    const add = (externalId: string) =>
      as(
        "editor",
        (tx) => tx`
          insert into public.documents (team_id, source_id, external_id, type, title, content)
          values (${world.team}, ${source}, ${externalId}, 'text', 'Other', 'Other')`,
      );
    expect([id, await refusal(add(id))]).toEqual([id, "23505"]);
    const own = randomUUID();
    await add(own);
    const rename = as(
      "editor",
      (tx) => tx`update public.documents set external_id = ${id} where external_id = ${own}`,
    );
    expect([id, await refusal(rename)]).toEqual([id, "23505"]);
  }
  // Its document comes back with the next change.
  await as("editor", (tx) => tx`update public.qa_entries set answer = 'Later' where id = ${world.qaEntry}`);
  const [document] = await sql`select type from public.documents where external_id = ${world.qaEntry}`;
  expect(document?.type).toBe("qa");
});

test("an agent has at most /v1's maximum of knowledge bases", async () => {
  const link = (many: number) =>
    as("editor", async (tx) => {
      const added = await tx`
        insert into public.knowledges (team_id, name) select ${world.team}, 'K' || n from generate_series(1, ${many}::int) n returning id`;
      await tx`
        insert into public.agent_knowledges (team_id, agent_id, knowledge_id)
        select ${world.team}, ${world.publicAgent}, unnest(${added.map(({ id }) => id)}::uuid[])`;
    });
  await sql`delete from public.agent_knowledges where agent_id = ${world.publicAgent}`;
  expect(await refusal(link(51))).toBe("23514");
  expect(await refusal(link(50))).toBeUndefined();
  expect(await refusal(link(1))).toBe("23514");
});

const lists = [
  "roles.permissions",
  "agents.suggested_prompts",
  "agents.allowed_origins",
  "apps.channels",
  "agent_tests.facts",
];
test.each(lists)("%s is a list of texts, numbered from 1", async (key) => {
  const [table = "", column = ""] = key.split(".");
  const place = places[table];
  if (!place) throw new Error(`No row of ${table}`);
  const [fitting = ""] = place.changes(world)[column] as string[];
  const store = (literal: string) =>
    as(
      "owner",
      (tx) => tx`
        update ${tx(`public.${table}`)} t set ${tx(column)} = ${literal}::text::text[] where ${tx.unsafe(place.there(world))}`,
    );
  expect(await refusal(store(`{{"${fitting}"},{"${fitting}"}}`))).toMatch(/^(23514|0A000)$/);
  expect(await refusal(store(`[5:5]={"${fitting}"}`))).toBe("23514");
  expect(await refusal(store(`{"${fitting}"}`))).toBeUndefined();
});

test("a chat in Slack is created by the platform only", async () => {
  for (const actor of ["owner", "visitor through an app"] as const) {
    const begin = as(
      actor,
      (tx) => tx`insert into public.chats (agent_id, channel) values (${world.publicAgent}, 'slack')`,
    );
    expect([actor, await refusal(begin)]).toEqual([actor, "23514"]);
  }
});

test("a chat in the playground is started by the agent's team only", async () => {
  const begin = (actor: Actor) =>
    refusal(
      as(
        actor,
        (tx) => tx`insert into public.chats (agent_id, channel) values (${world.publicAgent}, 'playground')`,
      ),
    );
  expect(await begin("outsider")).toBe("42501");
  expect(await begin("visitor")).toBe("42501");
  expect(await begin("viewer")).toBeUndefined();
});

test("a question has at most /v1's maximum length", async () => {
  const ask = (length: number) =>
    as(
      "viewer",
      (tx) =>
        tx`insert into public.messages (chat_id, content) values (${world.chats.viewer}, ${"x".repeat(length)})`,
    );
  expect(await refusal(ask(20_001))).toBe("23514");
  expect(await refusal(ask(20_000))).toBeUndefined();
});

test("a team's codename cannot be another team's id", async () => {
  const rename = as(
    "owner",
    (tx) => tx`update public.teams set codename = ${world.otherTeam} where id = ${world.team}`,
  );
  expect(await refusal(rename)).toBe("23514");
});

test("lists whose emptiness means everything have no empty entries", async () => {
  const sites = as(
    "owner",
    (tx) => tx`update public.agents set allowed_origins = '{""}' where id = ${world.agent}`,
  );
  expect(await refusal(sites)).toBe("23514");
  const channels = as("owner", (tx) => tx`update public.apps set channels = '{""}' where id = ${world.app}`);
  expect(await refusal(channels)).toBe("23514");
});

test.each([
  ["more than 100 permissions", Array.from({ length: 101 }, () => "team.read"), "23514"],
  ["an empty permission", ["team.read", null], "42501"],
])("a role does not have %s", async (_what, permissions, code) => {
  const grow = as(
    "owner",
    (tx) => tx`update public.roles set permissions = ${permissions}::text[] where id = ${world.spareRole}`,
  );
  expect(await refusal(grow)).toBe(code);
});
