// Users: their own account, their teammates, and what platform admins may change.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anyone,
  as,
  mailTo,
  newAdmin,
  newMember,
  newPerson,
  newTeam,
  type Person,
  type Team,
  uniqueEmail,
} from "../support/api.ts";

let team: Team;
let viewer: Person;
let admin: Person;
let outsider: Person;
beforeAll(async () => {
  team = await newTeam();
  [viewer, admin, outsider] = await Promise.all([newMember(team, "viewer"), newAdmin(), newPerson()]);
});

const notExists = { status: 404, body: { code: "USER_NOT_EXISTS" } };

describe("users", () => {
  test("see themselves and their teammates, and nobody else", async () => {
    const { body } = await viewer.get("/v1/users");
    expect(body).toMatchObject({ page: 1, perPage: 20, total: 2 });
    expect(body.data.map(({ id }: Person) => id).sort()).toEqual([team.owner.id, viewer.id].sort());
    expect((await viewer.get(`/v1/users/${team.owner.id}`)).body).toEqual({
      id: team.owner.id,
      name: "Test Owner",
      email: team.owner.email,
      locale: "en",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await outsider.get(`/v1/users/${viewer.id}`)).toMatchObject(notExists);
    expect((await outsider.get(`/v1/users?ids=${viewer.id}`)).body.total).toBe(0);
    expect((await anyone.get("/v1/users")).status).toBe(401);
  });

  test("are filtered by email, team, role, words and ids", async () => {
    const ids = async (query: Record<string, string>) =>
      (await viewer.get(`/v1/users?${new URLSearchParams(query)}`)).body.data.map(({ id }: Person) => id);
    expect(await ids({ email: viewer.email.toUpperCase() })).toEqual([viewer.id]);
    expect(await ids({ email: viewer.email.slice(1) })).toEqual([]);
    expect((await ids({ teamId: team.id })).sort()).toEqual([team.owner.id, viewer.id].sort());
    expect(await ids({ teamId: team.codename, role: "owner" })).toEqual([team.owner.id]);
    expect(await ids({ role: "viewer" })).toEqual([viewer.id]);
    expect(await ids({ teamId: randomUUID() })).toEqual([]);
    expect(await ids({ search: "test owner" })).toEqual([team.owner.id]);
    expect(await ids({ search: "%" })).toEqual([]);
    expect(await ids({ ids: `${viewer.id},${randomUUID()}` })).toEqual([viewer.id]);
  });

  test("change their own name and language, and no flag", async () => {
    const person = await newPerson();
    const path = `/v1/users/${person.id}`;
    const changed = await person.put(path, { name: "  Grace  ", locale: "fr" });
    expect(changed).toMatchObject({ status: 200, body: { name: "Grace", locale: "fr", isAdmin: false } });
    expect((await person.put(path, { name: "Only the name" })).body).toMatchObject({ locale: "fr" });
    for (const flags of [{ isAdmin: true }, { banned: false }, { isAdmin: true, name: "x" }]) {
      expect(await person.put(path, flags)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    for (const body of [{ email: "a@b.test" }, { id: randomUUID() }, { name: "" }, { locale: "es" }, []]) {
      expect((await person.put(path, body)).status).toBe(400);
    }
    expect((await person.get(path)).body).toMatchObject({
      name: "Only the name",
      isAdmin: false,
      email: person.email,
    });
  });

  test("cannot touch others: 403 for a teammate, 404 for a stranger", async () => {
    for (const [target, status] of [
      [team.owner, 403],
      [outsider, 404],
    ] as const) {
      expect((await viewer.put(`/v1/users/${target.id}`, { name: "Taken" })).status).toBe(status);
      expect((await viewer.delete(`/v1/users/${target.id}`)).status).toBe(status);
      expect((await target.get("/v1/auth/me")).body.name).not.toBe("Taken");
    }
    const newcomer = { name: "x", email: uniqueEmail(), password: "correct-horse-1" };
    expect((await viewer.post("/v1/users", newcomer)).status).toBe(403);
  });

  test("delete their own account, and with it every credential", async () => {
    const person = await newPerson();
    const login = { email: person.email, password: person.password, deviceId: "app" };
    const { body: session } = await anyone.post("/v1/auth/login", login);
    expect((await person.delete(`/v1/users/${person.id}`)).status).toBe(204);
    expect((await person.get("/v1/auth/me")).status).toBe(401);
    expect((await person.get("/v1/teams")).body.data).toEqual([]);
    expect((await anyone.post("/v1/auth/refresh", { token: session.refreshToken })).status).toBe(401);
    expect((await anyone.post("/v1/auth/login", login)).status).toBe(401);
  });

  test("are not API keys", async () => {
    const made = await team.owner.post(`${team.path}/apiKeys`, { name: "k" });
    const key = as(made.body.key);
    expect((await key.get("/v1/users")).body.total).toBe(2);
    for (const answer of [
      await key.get("/v1/auth/me"),
      await key.put(`/v1/users/${viewer.id}`, { name: "x" }),
      await key.delete(`/v1/users/${viewer.id}`),
      await key.post("/v1/teams", { name: "x" }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
  });
});

describe("platform admins", () => {
  test("find any user, create accounts and change them", async () => {
    expect((await admin.get(`/v1/users?ids=${outsider.id}`)).body.total).toBe(1);
    expect(await admin.get(`/v1/users/${randomUUID()}`)).toMatchObject(notExists);
    const email = uniqueEmail();
    const made = await admin.post("/v1/users", {
      name: "New",
      email,
      password: "correct-horse-1",
      locale: "fr",
    });
    expect(made).toMatchObject({ status: 201, body: { email, locale: "fr", isAdmin: false } });
    await mailTo(email);
    const again = await admin.post("/v1/users", { name: "New", email, password: "correct-horse-1" });
    expect(again).toMatchObject({ status: 409, body: { code: "USER_EXISTS" } });
    const changed = await admin.put(`/v1/users/${made.body.id}`, { name: "Newer", isAdmin: true });
    expect(changed.body).toMatchObject({ name: "Newer", locale: "fr", isAdmin: true });
    expect((await admin.delete(`/v1/users/${made.body.id}`)).status).toBe(204);
    expect(await admin.delete(`/v1/users/${made.body.id}`)).toMatchObject(notExists);
  });

  test("ban and unban at once", async () => {
    const person = await newPerson();
    expect((await admin.put(`/v1/users/${person.id}`, { banned: true })).status).toBe(200);
    expect(await person.get("/v1/auth/me")).toMatchObject({ status: 403, body: { code: "USER_BANNED" } });
    expect((await person.post("/v1/teams", { name: "x" })).status).toBe(403);
    expect((await admin.put(`/v1/users/${person.id}`, { banned: false })).status).toBe(200);
    expect((await person.get("/v1/auth/me")).status).toBe(200);
  });

  test("are ordinary members in the teams' own calls", async () => {
    expect((await admin.get(team.path)).status).toBe(404);
    expect((await admin.get(`/v1/teamUsers/${team.id}/users`)).status).toBe(404);
  });
});
