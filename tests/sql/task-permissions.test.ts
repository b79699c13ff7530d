// Who may queue and stop work: each function that acts with the owner's rights, for every kind of caller.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Actor, claimsOf, holding } from "../support/actors.ts";
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

const permissions = {
  index_source: "sources",
  load_documents: "sources",
  sync_source: "sources",
  stop_indexing: "sources",
  forget_indexes: "sources",
  index_document: "sources",
  index_knowledge: "knowledges",
} as const;
type Name = keyof typeof permissions;
const names = Object.keys(permissions) as Name[];

const subjectOf = (name: Name) => {
  if (name === "index_document") return world.document;
  return name === "index_knowledge" ? world.knowledge : world.source;
};

const ask = (actor: Actor, name: Name) =>
  asCaller(sql, claimsOf(actor, world), (tx) => tx.unsafe(`select public.${name}('${subjectOf(name)}')`));

const askers: Actor[] = [
  "owner",
  "editor",
  "viewer",
  "custom role",
  "API key",
  "answering agent",
  "invited",
  "removed",
  "banned",
  "revoked API key",
  "outsider",
  "platform admin",
  "platform admin at work",
];

test.each(names)("%s", async (name) => {
  const mayAsk = holding(`${permissions[name]}.write`);
  const maySee = holding(`${permissions[name]}.read`);
  for (const actor of askers) {
    const expected = mayAsk.includes(actor) ? undefined : maySee.includes(actor) ? "42501" : "PT404";
    expect([actor, await refusal(ask(actor, name))]).toEqual([actor, expected]);
  }
  const tasks = await sql`select team_id from public.tasks where team_id <> ${world.team}`;
  expect(tasks).toEqual([]);
});

test.each(names)("a visitor may not call %s", async (name) => {
  expect(await refusal(ask("visitor", name))).toBe("42501");
});
