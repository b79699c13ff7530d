// Teams: created, renamed, listed and deleted by those who may.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, owner, type Person, type Team } from "../support/api.ts";
import { operationsOf, readDescription } from "../support/description.ts";
import { type SystemRole, systemRoleIds, systemRoles } from "../support/permissions.ts";
import { signIn } from "../support/web-forms.ts";

let team: Team;
const members = {} as Record<SystemRole, Person>;
beforeAll(async () => {
  team = await newTeam("Équipe du Matin");
  members.owner = team.owner;
  for (const role of systemRoles) members[role] ??= await newMember(team, role);
});

describe("creating a team", () => {
  test("makes the caller its owner and derives a codename from the name", async () => {
    const person = await newPerson();
    const name = `Équipe ${randomUUID().slice(0, 8)}`;
    const { status, body } = await person.post("/v1/teams", { name });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      name,
      codename: name.replace("Équipe ", "equipe-"),
      role: "owner",
      permissions: expect.arrayContaining(["team.delete", "chats.read"]),
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await person.get(`/v1/teams/${body.id}`)).body).toEqual(body);
    expect((await person.get(`/v1/teams/${body.codename}`)).body).toEqual(body);
  });

  test("gives teams of one name different codenames, even at once", async () => {
    const person = await newPerson();
    const name = `Twins ${randomUUID()}`;
    const made = await Promise.all(Array.from({ length: 4 }, () => person.post("/v1/teams", { name })));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(made.map(({ body }) => body.codename)).size).toBe(4);
  });

  test.each(["日本語", "---", "é".repeat(200), `${"a".repeat(49)} b`])(
    "derives a codename for %s",
    async (name) => {
      const { status, body } = await team.owner.post("/v1/teams", { name });
      expect(status).toBe(201);
      expect(body.codename).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/);
    },
  );

  test("rejects a codename that is taken, malformed or looks like an id", async () => {
    expect(await team.owner.post("/v1/teams", { name: "x", codename: team.codename })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    for (const codename of ["", "Upper", "-a", "a-", "a".repeat(65), "ünï", randomUUID()]) {
      expect((await team.owner.post("/v1/teams", { name: "x", codename })).status).toBe(400);
    }
  });

  test("ignores owner, id and role in the body", async () => {
    for (const field of ["id", "role", "createdBy", "ownerId"]) {
      const { status, body } = await team.owner.post("/v1/teams", { name: "x", [field]: randomUUID() });
      expect(status).toBe(400);
      expect(body.details).toEqual([
        { path: field, message: expect.any(String), code: "unknown", params: {} },
      ]);
    }
  });

  test("requires an account", async () => {
    expect(await anyone.post("/v1/teams", { name: "x" })).toMatchObject({
      status: 401,
      body: { code: "NOT_AUTHENTICATED" },
    });
  });
});

describe("a team", () => {
  test.each(systemRoles)("is read by its %s, with their role", async (role) => {
    expect((await members[role].get(team.path)).body).toMatchObject({ id: team.id, role });
    const { body } = await members[role].get(`/v1/teams?ids=${team.id}`);
    expect(body).toMatchObject({ page: 1, perPage: 20, total: 1, data: [{ id: team.id, role }] });
  });

  test.each([
    ["owner", 200],
    ["admin", 200],
    ["editor", 403],
    ["viewer", 403],
  ] as const)("is renamed by its %s: %i", async (role, status) => {
    const name = `Renamed by ${role}`;
    const answer = await members[role].put(team.path, { name });
    expect(answer.status).toBe(status);
    const { body } = await members.owner.get(team.path);
    expect(body.name === name).toBe(status === 200);
    expect(body.codename).toBe(team.codename);
  });

  test("is hidden from others", async () => {
    const outsider = await newPerson();
    for (const answer of [
      await outsider.get(team.path),
      await outsider.get(`/v1/teams/${team.codename}`),
      await outsider.put(team.path, { name: "Mine" }),
      await outsider.delete(team.path),
      await outsider.get(`/v1/teams/${randomUUID()}`),
      await outsider.get("/v1/teams/no-such-team"),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect((await outsider.get(`/v1/teams?ids=${team.id}`)).body.data).toEqual([]);
  });

  test("is deleted by its owner only, with everything in it, once", async () => {
    const doomed = await newTeam();
    const admin = await newMember(doomed, "admin");
    const agent = await doomed.owner.post(`${doomed.path}/agents`, { name: "Agent" });
    expect(await admin.delete(doomed.path)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect((await doomed.owner.get(doomed.path)).status).toBe(200);

    const gone = await doomed.owner.delete(doomed.path);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await doomed.owner.delete(doomed.path)).status).toBe(404);
    expect((await admin.get(doomed.path)).status).toBe(404);
    const sql = await owner();
    expect(await sql`select 1 from public.agents where id = ${agent.body.id}`).toHaveLength(0);
  });

  test("keeps its codename unique when changed", async () => {
    const other = await newTeam();
    expect((await other.owner.put(other.path, { codename: team.codename })).status).toBe(409);
    const codename = `moved-${randomUUID().slice(0, 8)}`;
    expect((await other.owner.put(other.path, { codename })).body).toMatchObject({
      codename,
      name: "Test Team",
    });
    expect((await other.owner.get(`/v1/teams/${codename}`)).status).toBe(200);
    expect((await other.owner.put(other.path, {})).status).toBe(200);
  });
});

test("no team has the name of one of the API's own paths", async () => {
  const own = operationsOf(await readDescription()).flatMap(
    ({ path }) => /^\/v1\/teams\/([^/{}]+)(?:\/|$)/.exec(path)?.[1] ?? [],
  );
  expect([...new Set(own)].sort()).toEqual(["import", "pending-invites"]);
  const person = await newPerson();
  const session = await signIn(person);
  for (const codename of new Set(own)) {
    expect(await person.post("/v1/teams", { name: "x", codename })).toMatchObject({
      status: 409,
      body: { details: [{ path: "codename", code: "slugTaken" }] },
    });
    const { status, body } = await person.post("/v1/teams", { name: codename });
    expect([status, body.codename]).toEqual([201, expect.stringMatching(`^${codename}-[0-9a-f]{6}$`)]);
    expect((await person.put(`/v1/teams/${body.id}`, { codename })).status).toBe(409);
    expect((await session.get(`/teams/${body.codename}/settings`)).status).toBe(200);
  }
});

test("a former codename leads to its team, and to no other", async () => {
  const renamed = await newTeam();
  const editor = await newMember(renamed, "editor");
  const session = await signIn(editor);
  const former = renamed.codename;
  const codename = `moved-${randomUUID().slice(0, 8)}`;
  expect((await renamed.owner.put(renamed.path, { codename })).status).toBe(200);

  // Whoever took it would receive what the editor writes on a page that was open before.
  expect(await editor.post("/v1/teams", { name: "x", codename: former })).toMatchObject({
    status: 409,
    body: { details: [{ path: "codename", code: "slugTaken" }] },
  });
  const other = await newTeam();
  expect((await other.owner.put(other.path, { codename: former })).status).toBe(409);
  expect((await other.owner.get(`/v1/teams/${former}/agents`)).status).toBe(404);

  expect((await editor.get(`/v1/teams/${former}`)).body).toMatchObject({ id: renamed.id, codename });
  expect((await editor.get(`/v1/teams/${former}/agents`)).status).toBe(200);
  expect((await editor.put(`/v1/teams/${former}`, { name: "x" })).status).toBe(403);
  const opened = await session.get(`/teams/${former}/agents?search=a`);
  expect([opened.status, opened.headers.get("location")]).toEqual([
    302,
    `/teams/${codename}/agents?search=a`,
  ]);
  const created = await session.post(
    `/teams/${former}/knowledges/create`,
    new URLSearchParams({ name: "Ours" }),
  );
  expect([created.status, created.headers.get("location")]).toEqual([
    303,
    expect.stringMatching(`^/teams/${codename}/knowledges/`),
  ]);

  // Taken back, or given up for the sixth newer one.
  expect((await renamed.owner.put(renamed.path, { codename: former })).body).toMatchObject({
    codename: former,
  });
  for (let times = 1; times <= 6; times++)
    await renamed.owner.put(renamed.path, { codename: `${codename}-${times}` });
  expect((await other.owner.put(other.path, { codename: former })).status).toBe(200);
});

describe("the list of teams", () => {
  test("is searched, paged and counted", async () => {
    const person = await newPerson();
    for (const name of ["Alpha", "Beta", "Alphabet 100%"]) await person.post("/v1/teams", { name });
    const names = async (query: string) =>
      (await person.get(`/v1/teams?${query}`)).body.data.map((one: { name: string }) => one.name);
    expect(await names("search=alpha")).toEqual(["Alpha", "Alphabet 100%"]);
    expect(await names("search=100%25")).toEqual(["Alphabet 100%"]);
    expect(await names("search=_")).toEqual([]);
    const second = await person.get("/v1/teams?perPage=2&page=2&whatever=1");
    expect(second.body).toMatchObject({ page: 2, perPage: 2, total: 3, data: [{ name: "Beta" }] });
    for (const query of ["page=0", "page=x", "perPage=0", "perPage=101", "page=1e99", "ids=x"]) {
      expect((await person.get(`/v1/teams?${query}`)).status).toBe(400);
    }
  });

  test("has no team that only invites; pending-invites has", async () => {
    const invited = await newPerson();
    const roleId = systemRoleIds.editor;
    await team.owner.post(`/v1/teamUsers/${team.id}/users`, { email: invited.email, roleId });
    expect((await invited.get("/v1/teams")).body.data).toEqual([]);
    const { body } = await invited.get("/v1/teams/pending-invites");
    expect(body).toMatchObject({
      total: 1,
      data: [
        { id: team.id, role: "editor", invitation: { status: "pending", roleId, invitedBy: "Test Owner" } },
      ],
    });
    expect((await invited.get(team.path)).status).toBe(404);
    expect((await invited.get(`/v1/teams/${team.codename}`)).status).toBe(404);
    expect((await invited.put(team.path, { name: "Mine" })).status).toBe(404);
    expect((await invited.delete(team.path)).status).toBe(404);
    expect((await members.viewer.get("/v1/teams/pending-invites")).body.total).toBe(0);
    const { permissions } = (await members.viewer.get(team.path)).body;
    expect(permissions).toContain("agents.read");
    expect(permissions).not.toContain("agents.write");
  });
});
