// Ownership and permissions come from the caller, never from the body: every call with a JSON body gets fields of another team and person,
// as unknown names and as values of known ones.
import { beforeAll, expect, test } from "vitest";
import type { Schema } from "../../edge-functions/v1/openapi-examples.ts";
import type { Answer } from "../support/api.ts";
import { waitUntilIndexed } from "../support/content.ts";
import { type Description, type Operation, operationsOf, readDescription } from "../support/description.ts";
import { type Furnished, filledPath, furnishedTeam } from "../support/furnished.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { rowsOf } from "../support/team-rows.ts";

let description: Description;
let own: Furnished;
let foreign: Furnished;
let file: string;

beforeAll(async () => {
  [description, own, foreign] = await Promise.all([readDescription(), furnishedTeam(), furnishedTeam()]);
  const { team, ids } = foreign;
  await team.owner.put(`${team.path}/agents/${ids["agents/"]}`, { visibility: "private" });
  ({
    body: { id: file },
  } = await team.owner.upload(`${team.path}/files/upload`, "theirs.txt", "Theirs."));
  // The queue's own work changes rows too.
  await waitUntilIndexed(team, ids["knowledges/"] ?? "");
});

/** Field names that state ownership or permissions. */
const names = (): Record<string, unknown> => {
  const { team, ids } = foreign;
  const person = team.owner.id;
  return {
    id: ids["agents/"],
    teamId: team.id,
    team_id: team.id,
    ownerId: person,
    owner_id: person,
    userId: person,
    user_id: person,
    createdBy: person,
    created_by: person,
    invitedBy: person,
    visitorId: person,
    apiKeyId: ids["apiKeys/"],
    agentId: ids["agents/"],
    sourceId: ids["sources/"],
    role: "owner",
    roleId: systemRoleIds.owner,
    role_id: systemRoleIds.owner,
    permissions: ["team.delete"],
    isAdmin: true,
    is_admin: true,
    admin: true,
    sub: person,
    status: "accepted",
    banned: false,
  };
};

/** Ids of the foreign team, for calls that take an id. */
const things = (): Record<string, unknown> => {
  const { team, ids } = foreign;
  return {
    teamId: team.id,
    roleId: ids["roles/"],
    agentId: ids["agents/"],
    id: ids["sources/"],
    knowledgeIds: [ids["knowledges/"]],
    sourceIds: [ids["sources/"]],
    fileIds: [file],
    config: { fileIds: [file] },
    isAdmin: true,
  };
};

type Body = Record<string, unknown>;

function fieldsOf({ requestBody }: Operation): { known: Set<string>; example: Body } | undefined {
  const media = requestBody?.content["application/json"];
  if (!media?.schema) return undefined;
  const lookUp = (schema: Schema): Schema =>
    schema.$ref ? (description.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const example: Body =
    typeof media.example === "object" && media.example !== null ? { ...media.example } : {};
  return {
    known: new Set([...Object.keys(lookUp(media.schema).properties ?? {}), ...Object.keys(example)]),
    example,
  };
}

/** Calls without a body of the caller's own, or with another protocol's values. */
const notTried = /^\/v1\/(auth\/|sns\/|mcp|streams\/openai)/;

/** Sends a call's example with changed values, as the owner of another team. */
async function send(method: string, path: string, body: Body): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  return await own.team.owner.call(method.toUpperCase(), filledPath(path, own), JSON.stringify(body), {
    headers,
  });
}

/** Every call with a JSON body, with each of these fields. */
const withEach = (values: Record<string, unknown>, known: boolean) =>
  operationsOf(description)
    .filter(({ path }) => !notTried.test(path))
    .flatMap(({ method, path, operation }) => {
      const fields = fieldsOf(operation);
      if (!fields) return [];
      return Object.entries(values)
        .filter(([name]) => fields.known.has(name) === known)
        .map(([name, value]) => ({ method, path, name, value, example: fields.example }));
    });

test("an unknown field that states ownership or permissions is rejected", async () => {
  const before = await rowsOf(foreign.team);
  const tries = withEach(names(), false);
  expect(tries.length).toBeGreaterThan(500);
  const taken: string[] = [];
  await Promise.all(
    inQueues(tries, async ({ method, path, name, value, example }) => {
      const { status, body, text } = await send(method, path, { ...example, [name]: value });
      // The owner of a team gets 404 in the admin area.
      if (path.startsWith("/v1/admin") && status === 404) return;
      const details: { path: string }[] = body?.details ?? [];
      if (status !== 400 || !details.some((detail) => detail.path === name))
        taken.push(`${method} ${path} ${name}: ${status} ${text.slice(0, 200)}`);
    }),
  );
  expect(taken).toEqual([]);
  expect(await rowsOf(foreign.team)).toBe(before);
});

test("a reference never reaches another team's row, and makes nobody an admin", async () => {
  const before = await rowsOf(foreign.team);
  const references = Object.keys(things());
  const tries = withEach(things(), true);
  expect(new Set(tries.map(({ name }) => name))).toEqual(new Set(references));
  const taken: string[] = [];
  for (const { method, path, name, value, example } of tries) {
    // The example's other references do not exist, and would be rejected themselves.
    const rest = Object.fromEntries(Object.entries(example).filter(([field]) => !references.includes(field)));
    const { status, text } = await send(method, path, { ...rest, ...needsOf(path), [name]: value });
    if (status < 400 || status >= 500)
      taken.push(`${method} ${path} ${name}: ${status} ${text.slice(0, 200)}`);
  }
  expect(taken).toEqual([]);
  expect(await rowsOf(foreign.team)).toBe(before);
  const { owner: person } = own.team;
  expect((await person.get("/v1/auth/me")).body.isAdmin).toBe(false);
});

/** References that a call needs: of the caller's own team. */
const needsOf = (path: string): Body => ({
  ...(path === "/v1/roles" ? { teamId: own.team.id } : {}),
  ...(path.endsWith("/apps") ? { agentId: own.ids["agents/"] } : {}),
  ...(path.endsWith("/sources") ? { config: { fileIds: [] } } : {}),
});

/** Runs a few at once. */
function inQueues<T>(all: T[], work: (one: T) => Promise<void>): Promise<void>[] {
  const queue = [...all];
  return Array.from({ length: 4 }, async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) await work(one);
  });
}
