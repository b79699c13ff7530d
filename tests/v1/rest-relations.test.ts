// Rows embedded through PostgREST where the foreign key leads to a root, in both directions: the same rows as before there were roots, and
// none that the caller may not see.

import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWorld, type World } from "../sql/world.ts";
import { removeWorlds } from "../sql/world-removal.ts";
import { type Actor, claimsOf } from "../support/actors.ts";
import { findStack, type Stack } from "../support/stack.ts";

let stack: Stack;
let sql: Sql;
let world: World;

beforeAll(async () => {
  stack = await findStack();
  sql = stack.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
});
afterAll(async () => {
  await removeWorlds(sql, [world]);
  await sql.end();
});

type Row = Record<string, unknown>;

async function read(actor: Actor, path: string): Promise<Row[]> {
  const token = await stack.token(claimsOf(actor, world));
  const answer = await fetch(`${stack.supabaseUrl}/rest/v1/${path}`, {
    headers: { apikey: stack.anonKey, authorization: `Bearer ${token}` },
  });
  expect([answer.status, path]).toEqual([200, path]);
  return (await answer.json()) as Row[];
}

const parents = [
  ["chats", "agents", "agent_id"],
  ["chats", "teams", "team_id"],
  ["files", "teams", "team_id"],
  ["documents", "sources", "source_id"],
  ["chunks", "knowledges", "knowledge_id"],
  ["document_indexes", "knowledges", "knowledge_id"],
] as const;

test.each(parents)("%s embed their %s, and those embed them", async (child, parent, column) => {
  const inTeam = `team_id=eq.${world.team}`;
  const rows = await read("owner", `${child}?${inTeam}&select=${column},${parent}(id)`);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row[parent]).toEqual({ id: row[column] });
  const of = parent === "teams" ? `id=eq.${world.team}` : inTeam;
  const owners = await read("owner", `${parent}?${of}&select=id,${child}(${column})`);
  const embedded = owners.flatMap((owner) => owner[child] as Row[]);
  expect(embedded).toHaveLength(rows.length);
  for (const owner of owners) for (const row of owner[child] as Row[]) expect(row[column]).toBe(owner.id);
});

test("a row that the caller may not see is embedded nowhere", async () => {
  // Reads agents, and neither chats nor sources.
  const agents = await read("reader of agents", `agents?id=eq.${world.agent}&select=id,chats(id)`);
  expect(agents).toEqual([{ id: world.agent, chats: [] }]);
  expect(await read("outsider", `documents?team_id=eq.${world.team}&select=id,sources(id)`)).toEqual([]);
});
