// Removed, demoted and banned members with a token from before: lost rights end with the next request, in the API, PostgREST and storage.
// The calls come from the API's description, so that a new one is included.
import { beforeAll, describe, expect, test } from "vitest";
import { newAdmin, newMember, owner, type Person } from "../support/api.ts";
import { until } from "../support/content.ts";
import { operationsOf, readDescription } from "../support/description.ts";
import { type Furnished, filledPath, furnishedTeam } from "../support/furnished.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

let furnished: Furnished;
let inTeam: { method: string; path: string; body?: string }[];
let tables: string[];
let file: { id: string; path: string };

/** Calls that create or cost something, or that take another form; the others cover their access rules. */
const notTried = /\/(export|upload)$/;

beforeAll(async () => {
  furnished = await furnishedTeam();
  const { team } = furnished;
  inTeam = operationsOf(await readDescription())
    .filter(({ path }) => path.startsWith("/v1/teams/{teamId}") && !notTried.test(path))
    .map(({ method, path, operation }) => {
      const example = operation.requestBody?.content["application/json"]?.example;
      return {
        method: method.toUpperCase(),
        path: filledPath(path, furnished, method === "delete"),
        ...(example === undefined ? {} : { body: JSON.stringify(example) }),
      };
    });
  const sql = await owner();
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.column_privileges
     where table_schema = 'public' and column_name = 'team_id' and grantee = 'authenticated' and privilege_type = 'SELECT'`;
  tables = rows.map(({ name }) => name);
  ({ body: file } = await team.owner.upload(
    `${team.path}/files/upload`,
    "notes.txt",
    "The office opens at nine.",
  ));
});

/** Each call's answer for a team, as "status code". */
async function answers(person: Person, calls: typeof inTeam): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const { method, path, body: sent } of calls) {
    const { status, body } = await person.call(method, path, sent, {
      headers: sent === undefined ? {} : { "Content-Type": "application/json" },
    });
    all.set(`${method} ${path}`, body?.code ? `${status} ${body.code}` : `${status}`);
  }
  return all;
}

/** The team's tables with a row that the caller sees through PostgREST. */
async function tablesSeen(person: Person): Promise<string[]> {
  const { supabaseUrl, anonKey } = await findStack();
  const seen: string[] = [];
  for (const table of tables) {
    const address = `${supabaseUrl}/rest/v1/${table}?select=team_id&team_id=eq.${furnished.team.id}&limit=1`;
    const response = await fetch(address, {
      headers: { apikey: anonKey, Authorization: `Bearer ${person.token}` },
    });
    if (response.ok && ((await response.json()) as unknown[]).length > 0) seen.push(table);
  }
  return seen;
}

/** The storage service's own answers to reading, signing and writing under the team's prefix. */
async function storageAnswers(person: Person): Promise<number[]> {
  const { supabaseUrl, anonKey } = await findStack();
  const headers = {
    apikey: anonKey,
    Authorization: `Bearer ${person.token}`,
    "Content-Type": "application/json",
  };
  const calls: [method: string, at: string, body?: string][] = [
    ["GET", `object/authenticated/files/${file.path}`],
    ["POST", `object/sign/files/${file.path}`, JSON.stringify({ expiresIn: 60 })],
    ["POST", `object/upload/sign/files/${file.path}x`, "{}"],
    ["POST", "object/list/files", JSON.stringify({ prefix: `teams/${furnished.team.id}/` })],
    ["POST", `object/files/${file.path}y`, "bytes"],
    ["DELETE", `object/files/${file.path}`],
  ];
  const statuses: number[] = [];
  for (const [method, at, body] of calls) {
    const response = await fetch(`${supabaseUrl}/storage/v1/${at}`, { method, headers, body });
    const text = await response.text();
    // An empty list is a refusal as well.
    statuses.push(response.ok && text === "[]" ? 404 : response.status);
  }
  return statuses;
}

async function storedObjects(): Promise<number> {
  const sql = await owner();
  const rows = await sql`select 1 from storage.objects where name like ${`teams/${furnished.team.id}/%`}`;
  return rows.length;
}

/** Storage refused everything, and nothing changed. */
async function storageIsShut(person: Person): Promise<void> {
  const before = await storedObjects();
  for (const status of await storageAnswers(person)) expect(status).toBeGreaterThanOrEqual(400);
  expect(await storedObjects()).toBe(before);
}

/** The team is not found; a missing body or query is reported before the lookup. */
const shut = /^(404 NOT_FOUND|400 VALIDATION_FAILED|415 UNSUPPORTED_MEDIA_TYPE)$/;

const linkOf = (person: Person) => person.get(`${furnished.team.path}/files/${file.id}`);
const uploadLinkOf = (person: Person) =>
  person.get(`${furnished.team.path}/files/signedUrl?path=late.txt&contentType=text/plain`);
const member = (person: Person) => `/v1/teamUsers/${furnished.team.id}/users/${person.id}`;

describe("with a token from before", () => {
  test("a removed member sees nothing of the team and changes nothing", async () => {
    const { team, ids } = furnished;
    const person = await newMember(team, "editor");
    const chat = await person.post(`/v1/agents/${ids["agents/"]}/chats`, {});
    await team.owner.put(`${team.path}/agents/${ids["agents/"]}`, { visibility: "private" });
    expect(await tablesSeen(person)).toEqual(
      expect.arrayContaining(["agents", "chats", "files", "team_users"]),
    );
    expect((await linkOf(person)).status).toBe(200);
    const [{ body: link }, { body: later }] = [await uploadLinkOf(person), await uploadLinkOf(person)];
    expect((await fetch(link.url, { method: link.method, headers: link.headers, body: "late" })).ok).toBe(
      true,
    );

    expect((await team.owner.delete(member(person))).status).toBe(204);
    // Storage takes what a URL was signed for; nothing of it stays.
    const sent = await fetch(later.url, { method: later.method, headers: later.headers, body: "too late" });
    expect(sent.status).toBe(200);
    const sql = await owner();
    await until(
      async () => await sql`select 1 from storage.objects where name = ${later.path}`,
      (objects) => objects.length === 0,
    );
    expect(await sql`select 1 from private.signed_uploads where path = ${later.path}`).toEqual([]);
    expect(await sql`select 1 from storage.objects where name = ${link.path}`).toHaveLength(1);
    expect(inTeam.length).toBeGreaterThan(40);
    for (const [call, answer] of await answers(person, inTeam)) {
      expect([call, answer]).toEqual([call, expect.stringMatching(shut)]);
    }
    const reading = inTeam.filter(({ method }) => method === "GET");
    const withoutQuery = reading.filter(({ path }) => !/\/(signedUrl|search)$/.test(path));
    expect(new Set((await answers(person, withoutQuery)).values())).toEqual(new Set(["404 NOT_FOUND"]));
    expect((await person.get(`/v1/agents/${ids["agents/"]}/chats/${chat.body.id}`)).status).toBe(404);
    expect((await person.post(`/v1/chats/${chat.body.id}/messages`, { content: "Still here?" })).status).toBe(
      404,
    );
    expect((await person.get(`/v1/teamUsers/${team.id}/users`)).status).toBe(404);
    expect((await person.get("/v1/teams")).body.total).toBe(0);
    expect(await tablesSeen(person)).toEqual([]);
    await storageIsShut(person);
    expect((await uploadLinkOf(person)).status).toBe(404);
    // An upload to a URL signed before the removal cannot be registered.
    const late = await person.post(`${team.path}/files`, { path: link.path, name: "late.txt" });
    expect(late.status).toBe(404);
  });

  test("a demoted member has the new role's rights only", async () => {
    const { team, ids } = furnished;
    const person = await newMember(team, "admin");
    const agent = `${team.path}/agents/${ids["agents/"]}`;
    expect((await person.put(agent, { description: "Changed by an admin" })).status).toBe(200);
    expect(await tablesSeen(person)).toEqual(expect.arrayContaining(["api_keys", "apps"]));
    expect((await team.owner.put(member(person), { roleId: systemRoleIds.viewer })).status).toBe(200);

    expect((await person.get(agent)).status).toBe(200);
    for (const [path, body] of [
      [agent, { description: "Changed by a viewer" }],
      [team.path, { name: "Taken" }],
      [member(person), { roleId: systemRoleIds.admin }],
    ] as const) {
      expect(await person.put(path, body)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    for (const path of [`${team.path}/apiKeys`, `${team.path}/apps`])
      expect((await person.get(path)).status).toBe(403);
    expect((await uploadLinkOf(person)).status).toBe(403);
    const seen = await tablesSeen(person);
    expect(seen).toContain("agents");
    expect(seen.filter((table) => ["api_keys", "apps"].includes(table))).toEqual([]);
    await storageIsShut(person);

    const { supabaseUrl, anonKey } = await findStack();
    const headers = {
      apikey: anonKey,
      Authorization: `Bearer ${person.token}`,
      "Content-Type": "application/json",
    };
    for (const [method, at, body] of [
      ["PATCH", `agents?id=eq.${ids["agents/"]}`, { description: "Changed by a viewer" }],
      ["PATCH", `team_users?user_id=eq.${person.id}`, { role_id: systemRoleIds.owner }],
      ["DELETE", `agents?id=eq.${ids["agents/"]}`, undefined],
      ["POST", "agents", { team_id: team.id, name: "Made by a viewer" }],
    ] as const) {
      await fetch(`${supabaseUrl}/rest/v1/${at}`, { method, headers, body: JSON.stringify(body) });
    }
    expect((await team.owner.get(agent)).body.description).toBe("Changed by an admin");
    expect((await team.owner.get(member(person))).body.role).toBe("viewer");
    expect((await team.owner.get(`${team.path}/agents?name=viewer`)).body.total).toBe(0);
  });

  test("a banned member is refused everywhere, including their own account", async () => {
    const { team, ids } = furnished;
    const [person, admin] = [await newMember(team, "editor"), await newAdmin()];
    expect((await linkOf(person)).status).toBe(200);
    expect((await admin.put(`/v1/users/${person.id}`, { banned: true })).status).toBe(200);

    for (const [call, answer] of await answers(person, inTeam)) {
      expect([call, answer]).toEqual([call, expect.stringMatching(shut)]);
    }
    expect((await person.get("/v1/teams")).body.total).toBe(0);
    await team.owner.put(`${team.path}/agents/${ids["agents/"]}`, { visibility: "public" });
    expect((await person.post(`/v1/agents/${ids["agents/"]}/chats`, {})).status).toBe(403);
    expect((await person.post("/v1/teams", { name: "Mine" })).status).toBe(403);
    const own = await person.get("/v1/auth/me");
    expect(own).toMatchObject({ status: 403, body: { code: "USER_BANNED" } });
    expect(await tablesSeen(person)).toEqual([]);
    await storageIsShut(person);
  });
});
