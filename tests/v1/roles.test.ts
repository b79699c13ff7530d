// The system's roles, and a team's own within their creator's permissions.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, type Person, type Team } from "../support/api.ts";
import {
  permissions,
  rolePermissions,
  type SystemRole,
  systemRoleIds,
  systemRoles,
} from "../support/permissions.ts";

let team: Team;
const members = {} as Record<SystemRole, Person>;
beforeAll(async () => {
  team = await newTeam();
  members.owner = team.owner;
  for (const role of systemRoles) members[role] ??= await newMember(team, role);
});

const create = (who: Person, held: readonly string[], name = `Role ${randomUUID()}`) =>
  who.post("/v1/roles", { teamId: team.id, name, permissions: held });

describe("the system's roles", () => {
  test.each(systemRoles)("%s: the same for everyone, as in the permission table", async (role) => {
    const { body } = await members.viewer.get(`/v1/roles/${systemRoleIds[role]}`);
    expect(body).toMatchObject({ codename: role, teamId: null, system: true });
    expect([...body.permissions].sort()).toEqual([...rolePermissions[role]].sort());
  });

  test("cannot be changed or deleted", async () => {
    const path = `/v1/roles/${systemRoleIds.viewer}`;
    expect(await team.owner.put(path, { permissions: [...permissions] })).toMatchObject({ status: 403 });
    expect(await team.owner.delete(path)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect((await team.owner.get(path)).body.permissions).toHaveLength(rolePermissions.viewer.length);
  });
});

describe("a team's own role", () => {
  test("is created, read, changed in part, assigned, and deleted when unused", async () => {
    const made = await create(team.owner, ["team.read", "agents.read", "agents.read"], "Relecture légale");
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "Relecture légale",
        codename: "relecture-legale",
        permissions: ["team.read", "agents.read"],
        teamId: team.id,
        system: false,
      },
    });
    const path = `/v1/roles/${made.body.id}`;
    expect((await members.viewer.get(path)).body).toEqual(made.body);
    const changed = await team.owner.put(path, { permissions: ["team.read"] });
    expect(changed.body).toMatchObject({ name: "Relecture légale", permissions: ["team.read"] });

    const member = await newMember(team, made.body.id);
    expect((await member.get(team.path)).body.role).toBe("relecture-legale");
    expect((await member.get(`${team.path}/agents`)).status).toBe(403);
    await team.owner.put(path, { permissions: ["team.read", "agents.read"] });
    expect((await member.get(`${team.path}/agents`)).status).toBe(200);

    expect(await team.owner.delete(path)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    await team.owner.delete(`/v1/teamUsers/${team.id}/users/${member.id}`);
    expect((await team.owner.delete(path)).status).toBe(204);
    expect((await team.owner.delete(path)).status).toBe(404);
    expect((await team.owner.get(path)).status).toBe(404);
  });

  test("has no permission that its creator lacks", async () => {
    expect((await create(members.admin, ["team.read", "team.delete"])).status).toBe(403);
    expect((await create(members.editor, ["team.read"])).status).toBe(403);
    expect((await create(members.viewer, ["team.read"])).status).toBe(403);
    const mine = await create(members.admin, ["team.read"]);
    expect(mine.status).toBe(201);
    const path = `/v1/roles/${mine.body.id}`;
    expect((await members.admin.put(path, { permissions: ["team.delete"] })).status).toBe(403);
    expect((await members.editor.put(path, { name: "x" })).status).toBe(403);
    expect((await members.editor.delete(path)).status).toBe(403);
    // An admin cannot change a role with more permissions than theirs.
    const strong = await create(team.owner, ["team.read", "team.delete"]);
    expect((await members.admin.put(`/v1/roles/${strong.body.id}`, { name: "x" })).status).toBe(403);
    expect((await members.admin.delete(`/v1/roles/${strong.body.id}`)).status).toBe(403);
    expect((await team.owner.get(path)).body.permissions).toEqual(["team.read"]);
  });

  test("is validated", async () => {
    expect((await create(team.owner, ["team.rule"])).status).toBe(400);
    expect((await create(team.owner, ["nonsense"])).status).toBe(400);
    expect((await create(team.owner, ["team.read"], "")).status).toBe(400);
    const codename = `taken-${randomUUID().slice(0, 8)}`;
    const body = { teamId: team.id, name: "x", codename, permissions: [] };
    expect((await team.owner.post("/v1/roles", body)).status).toBe(201);
    expect((await team.owner.post("/v1/roles", body)).status).toBe(409);
    expect((await team.owner.post("/v1/roles", { ...body, system: true })).status).toBe(400);
  });

  test("is hidden from others", async () => {
    const { body: role } = await create(team.owner, ["team.read"]);
    const outsider = await newPerson();
    const path = `/v1/roles/${role.id}`;
    expect((await outsider.get(path)).status).toBe(404);
    expect((await outsider.put(path, { name: "x" })).status).toBe(404);
    expect((await outsider.delete(path)).status).toBe(404);
    expect((await create(outsider, ["team.read"])).status).toBe(404);
    expect((await outsider.get("/v1/roles")).body.total).toBe(4);
    expect((await outsider.get(`/v1/roles?teamId=${team.id}`)).body.total).toBe(4);
    expect((await anyone.get("/v1/roles")).status).toBe(401);
    const listed = await members.viewer.get(`/v1/roles?teamId=${team.codename}&perPage=100`);
    expect(listed.body.data.slice(0, 4).map((one: { codename: string }) => one.codename)).toEqual(
      systemRoles,
    );
    expect(listed.body.data.map((one: { id: string }) => one.id)).toContain(role.id);
  });
});
