// What Postgres lets a client store is read by everybody without a failure: by each GET of the API, by the team's pages, by the worker, by
// an answer, by an export and its import. hostile-rest.test.ts judges what may be stored.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { places } from "../sql/hostile-rows.ts";
import { makeWorld, type World } from "../sql/world.ts";
import { removeWorlds } from "../sql/world-removal.ts";
import { keeps, type WritableColumn } from "../sql/writable-column.ts";
import { writableColumns } from "../sql/writable-columns.ts";
import { claimsOf } from "../support/actors.ts";
import { newPerson, type Team } from "../support/api.ts";
import { until } from "../support/content.ts";
import { operationsOf, readDescription } from "../support/description.ts";
import { filledPath } from "../support/furnished.ts";
import { allHostile } from "../support/hostile-values.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack, type Stack } from "../support/stack.ts";
import { exportTeam, importTeam } from "../support/team-archive.ts";
import { signIn, type WebSession } from "../support/web-forms.ts";

let stack: Stack;
let sql: Sql;
let world: World;
let team: Team;
let web: WebSession;
/** Statuses before anything hostile is stored. */
let before: Map<string, number>;

beforeAll(async () => {
  stack = await findStack();
  sql = stack.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  const reader = await newPerson();
  await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
            values (${world.team}, ${reader.id}, ${reader.email}, ${systemRoleIds.owner}, 'accepted')`;
  await makeReal();
  const [row] = await sql<{ codename: string }[]>`select codename from public.teams where id = ${world.team}`;
  team = { id: world.team, codename: row?.codename ?? "", path: `/v1/teams/${world.team}`, owner: reader };
  web = await signIn(reader);
  before = await readEverything();
});

afterAll(async () => {
  await removeWorlds(sql, [world]);
  await sql.end();
});

/** Replaces what the world makes up, where a platform's own value could not be so. */
async function makeReal(): Promise<void> {
  await sql`delete from private.models where team_id = ${world.team}`;
  await sql`delete from public.document_tables where team_id = ${world.team}`;
  await sql`
    update public.agent_versions v set settings = o.settings from public.agent_versions o
     where v.team_id = ${world.team} and v.settings ->> 'name' is null
       and o.agent_id = ${world.publicAgent} and o.settings ->> 'name' is not null`;
}

/** They decide whose row it is, who reads it, or stand for a secret. */
const notTried =
  /^(vectors|retention|support_tickets|team_users)\.|^roles\.permissions|_id$|^api_keys\.(prefix|secret)|^agents\.visibility|^teams\.codename/;

/** Values of the classes that a column keeps, as JSON. */
function valuesOf({ keeps: kept, alsoKeeps = {}, isArray }: WritableColumn): string[] {
  const all = allHostile.filter(
    ({ kind }) => (keeps[kept] as readonly string[]).includes(kind) || kind in alsoKeeps,
  );
  return all.map(({ json }) => (isArray ? `[${json}]` : json));
}

/** Writes one value, through PostgREST. @returns whether it is stored */
async function write(table: string, name: string, json: string): Promise<boolean> {
  const place = places[table];
  if (!place) throw new Error(`No place to try the columns of ${table} in`);
  const isChange = name in place.changes(world);
  const rest = isChange ? [] : Object.entries(place.newRow(world)).filter(([one]) => one !== name);
  const fields = rest.map(([one, value]) => `${JSON.stringify(one)}:${JSON.stringify(value)}`);
  const there = [...place.there(world).matchAll(/t\.(\w+) = '([^']+)'/g)].map(
    ([, key, id]) => `${key}=eq.${id}`,
  );
  const response = await fetch(
    `${stack.supabaseUrl}/rest/v1/${table}?select=created_at${isChange ? `&${there.join("&")}` : ""}`,
    {
      method: isChange ? "PATCH" : "POST",
      headers: {
        apikey: stack.anonKey,
        authorization: `Bearer ${await stack.token(claimsOf(place.actor, world))}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      body: `{${[...fields, `${JSON.stringify(name)}:${json}`].join()}}`,
    },
  );
  const text = await response.text();
  return response.ok && text !== "[]";
}

/** Stores one value in every column. @returns how many columns have one now */
async function storeEverywhere(round: number): Promise<number> {
  let stored = 0;
  for (const [key, column] of Object.entries(writableColumns)) {
    if (notTried.test(key)) continue;
    const [table = "", name = ""] = key.split(".");
    const values = valuesOf(column);
    // Some of a class are refused. Each round begins with another value.
    const turn = values.map((_, at) => values[(at + round * 7) % values.length] ?? "").slice(0, 4);
    for (const json of turn) {
      if (!(await write(table, name, json))) continue;
      stored += 1;
      break;
    }
  }
  return stored;
}

function pages(): string[] {
  const { agent, publicAgent, knowledge, source, qaSource, document, app, spareRole, apiKey, gap } = world;
  const ofTeam = `
    agents knowledges sources files apps roles apiKeys users chats tasks insights gaps handovers models settings
    handovers/settings playground playground/knowledge agents/create sources/create knowledges/create roles/create
    agents/${agent} agents/${agent}/tests agents/${agent}/versions agents/${agent}/appearance
    knowledges/${knowledge} sources/${source} sources/${qaSource}
    source/${source}/documents source/${source}/documents/${document}
    apps/${app} roles/${spareRole} apiKeys/${apiKey} gaps/${gap}`;
  const others = `/dashboard /teams /account /chats/${agent} /chats/${publicAgent} /widget/${publicAgent}`;
  return [
    ...others.split(" "),
    ...ofTeam
      .trim()
      .split(/\s+/)
      .map((path) => `/teams/${world.team}/${path}`),
  ];
}

/** The status of each GET and page. */
async function readEverything(): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const ids = {
    "teams/": world.team,
    "teamUsers/": world.team,
    "users/": team.owner.id,
    "agents/": world.agent,
    "insights/": world.agent,
    "slack/": world.agent,
    "knowledges/": world.knowledge,
    "sources/": world.source,
    "documents/": world.document,
    "chats/": world.chats.viewer,
    "roles/": world.spareRole,
    "apiKeys/": world.apiKey,
    "apps/": world.app,
    "gaps/": world.gap,
    "tests/": world.agentTest,
    "handovers/": world.handovers.viewer,
  };
  for (const { method, path } of operationsOf(await readDescription())) {
    if (method !== "get") continue;
    statuses.set(path, (await team.owner.get(filledPath(path, { team, ids }))).status);
  }
  for (const path of pages()) statuses.set(path, (await web.get(path)).status);
  return statuses;
}

test.each([0, 1, 2])("reads and answers are as before, round %i", async (round) => {
  expect(await storeEverywhere(round)).toBeGreaterThan(35);
  const after = await readEverything();
  const changed = [...after].filter(([path, status]) => status !== before.get(path));
  expect(changed).toEqual([]);
  const asked = await team.owner.post("/v1/streams", {
    agentId: world.agent,
    messages: [{ role: "user", content: "What does it say?" }],
  });
  expect([asked.status, asked.text]).toEqual([200, expect.not.stringContaining("UNEXPECTED_ERROR")]);
});

test("the worker indexes it, and its export is imported", async () => {
  const started = await team.owner.post(`${team.path}/knowledges/${world.knowledge}/index`, {});
  expect(started.status).toBe(202);
  const ended = await until(
    () =>
      sql<{ status: string; error: string | null }[]>`
        select status, error from public.tasks where id = ${started.body.taskId}`,
    ([task]) => task !== undefined && ["succeeded", "failed", "stopped"].includes(task.status),
  );
  expect([...ended]).toEqual([{ status: "succeeded", error: null }]);
  const copy = await importTeam(await newPerson(), await exportTeam(team));
  expect(copy.id).not.toBe(team.id);
});
