// The admin area: hidden from everyone but platform admins, who manage the rows of every team.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Answer,
  anyone,
  as,
  newAdmin,
  newMember,
  newTeam,
  type Person,
  type Team,
  uniqueEmail,
} from "../support/api.ts";
import { operationsOf, readDescription } from "../support/description.ts";
import { systemRoleIds } from "../support/permissions.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let other: Team;
let admin: Person;
/** An id that does not exist. */
const id = randomUUID();
/** Every call of the admin area. */
let everyCall: { method: string; path: string; example: unknown }[];
beforeAll(async () => {
  const [description, ...made] = await Promise.all([
    readDescription(),
    newTeam("Watched"),
    newTeam("Beside it"),
    newAdmin(),
  ]);
  [team, other, admin] = made;
  everyCall = operationsOf(description)
    .filter(({ path }) => path.startsWith("/v1/admin/"))
    .map(({ method, path, operation }) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, id),
      example: operation.requestBody?.content["application/json"]?.example,
    }));
});

const notFound = { status: 404, body: { code: "NOT_FOUND" } };
const idsIn = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

describe("the admin area", () => {
  test("is hidden from everyone but platform admins", async () => {
    const { serviceKey, token } = await findStack();
    const made = await team.owner.post(`${team.path}/apiKeys`, {
      name: "all",
      roleId: systemRoleIds.owner,
    });
    const callers = {
      anyone,
      owner: team.owner,
      key: as(made.body.key),
      service: as(serviceKey),
      // The claim that the area sets works neither from outside nor without the flag.
      claiming: as(await token({ role: "authenticated", sub: team.owner.id, admin: true })),
    };
    for (const [who, client] of Object.entries(callers)) {
      for (const { method, path } of everyCall) {
        const body = method === "GET" || method === "DELETE" ? null : "{}";
        const headers: Record<string, string> = body === null ? {} : { "Content-Type": "application/json" };
        const answer = await client.call(method, path, body, { headers });
        expect(answer, `${who} ${method} ${path}`).toMatchObject(notFound);
      }
    }
  });

  test("refuses a demoted or banned platform admin at once", async () => {
    const former = await newAdmin();
    expect((await former.get("/v1/admin/teams")).status).toBe(200);
    await admin.put(`/v1/users/${former.id}`, { isAdmin: false });
    expect(await former.get("/v1/admin/teams")).toMatchObject(notFound);
    await admin.put(`/v1/users/${former.id}`, { isAdmin: true, banned: true });
    expect(await former.get("/v1/admin/teams")).toMatchObject(notFound);
    expect((await admin.get(`/v1/users/${former.id}`)).body).toMatchObject({ isAdmin: true, banned: true });
    expect((await team.owner.get("/v1/users")).body.data[0]).not.toHaveProperty("banned");
  });

  test("reports unknown ids and invalid input like every other call", async () => {
    for (const { method, path, example } of everyCall.filter((call) => call.path.includes(id))) {
      const answer = await (method === "PUT" ? admin.put(path, example) : admin.call(method, path));
      expect(answer, `${method} ${path}`).toMatchObject(notFound);
    }
    for (const path of [
      "agents/x",
      "agents?page=0",
      "tasks?lastKey=x",
      "tasks?date=today",
      "sources?type=x",
    ]) {
      expect((await admin.get(`/v1/admin/${path}`)).status, path).toBe(400);
    }
    expect((await admin.post("/v1/admin/agents", { name: "No team" })).status).toBe(400);
    expect((await admin.post("/v1/admin/agents", { name: "x", teamId: "nobody-s-team" })).status).toBe(404);
    expect(await admin.call("PATCH", "/v1/admin/agents")).toMatchObject({ status: 405 });
  });
});

describe("platform admins", () => {
  test("manage agents of every team", async () => {
    const name = `Agent ${randomUUID()}`;
    const made = await admin.post("/v1/admin/agents", { teamId: team.codename, name, visibility: "public" });
    expect(made).toMatchObject({ status: 201, body: { teamId: team.id, name } });
    const beside = await other.owner.post(`${other.path}/agents`, { name });
    const path = `/v1/admin/agents/${made.body.id}`;
    expect(idsIn(await admin.get(`/v1/admin/agents?name=${name}`))).toEqual([beside.body.id, made.body.id]);
    expect((await admin.get(`/v1/admin/agents?name=${name}&perPage=1&page=2`)).body).toMatchObject({
      data: [{ id: made.body.id }],
      page: 2,
      perPage: 1,
      total: 2,
    });
    expect(idsIn(await admin.get(`/v1/admin/agents?teamId=${team.id}`))).toEqual([made.body.id]);
    expect(idsIn(await admin.get(`/v1/admin/agents?teamId=${team.codename}`))).toEqual([made.body.id]);
    expect(idsIn(await admin.get("/v1/admin/agents?teamId=nobody-s-team"))).toEqual([]);
    expect(idsIn(await admin.get(`/v1/admin/agents/public?name=${name}`))).toEqual([made.body.id]);
    expect((await admin.get(path)).body).toEqual(
      (await team.owner.get(`${team.path}/agents/${made.body.id}`)).body,
    );
    const changed = await admin.put(path, { instructions: "Be brief." });
    expect(changed).toMatchObject({ status: 200, body: { name, instructions: "Be brief." } });
    expect((await admin.put(path, { teamId: other.id })).status).toBe(400);
    expect((await admin.delete(path)).status).toBe(204);
    expect(await admin.delete(path)).toMatchObject(notFound);
    expect(await team.owner.get(`${team.path}/agents/${made.body.id}`)).toMatchObject(notFound);
  });

  test("manage knowledge bases of every team, with their records and index", async () => {
    const name = `Knowledge ${randomUUID()}`;
    const made = await admin.post("/v1/admin/knowledges", { teamId: team.id, name });
    expect(made).toMatchObject({ status: 201, body: { teamId: team.id, name } });
    const path = `/v1/admin/knowledges/${made.body.id}`;
    expect(idsIn(await admin.get(`/v1/admin/knowledges?name=${name}`))).toEqual([made.body.id]);
    expect(idsIn(await admin.get(`/v1/admin/knowledges?name=${name}&teamId=${other.id}`))).toEqual([]);
    expect((await admin.get(path)).body).toMatchObject({ id: made.body.id, sourceIds: [] });
    expect(await admin.put(path, { language: "fr" })).toMatchObject({
      status: 200,
      body: { language: "fr" },
    });
    expect(await admin.get(`${path}/records`)).toMatchObject({ status: 200, body: { data: [] } });
    expect(await admin.get(`${path}/records?query=anything`)).toMatchObject({
      status: 200,
      body: { data: [] },
    });
    const indexed = await admin.post(`${path}/index`);
    expect(indexed).toMatchObject({ status: 202, body: { taskId: expect.any(String) } });
    const tasks = await admin.get(
      `/v1/admin/tasks?teamId=${team.id}&taskId=${indexed.body.taskId}&type=index`,
    );
    expect(tasks).toMatchObject({
      status: 200,
      body: { data: [{ knowledgeId: made.body.id }], lastKey: null },
    });
    expect((await admin.get(`/v1/admin/tasks?teamId=${other.id}`)).body.data).toEqual([]);
    expect((await admin.delete(path)).status).toBe(204);
    expect(await admin.get(path)).toMatchObject(notFound);
  });

  test("see the same records as a team's own members", async () => {
    const stack = await findStack();
    const { body: login } = await anyone.post("/v1/auth/login", {
      email: "demo@parley.test",
      password: "demo-parley-1",
    });
    const demo = as(login.accessToken);
    const { body: knowledges } = await demo.get("/v1/teams/demo/knowledges");
    const knowledge = knowledges.data[0].id;
    const query = "query=days%20of%20leave&count=3";
    const theirs = await demo.get(`/v1/teams/demo/knowledges/${knowledge}/records?${query}`);
    expect(theirs.body.data.length, stack.webUrl).toBeGreaterThan(0);
    expect((await admin.get(`/v1/admin/knowledges/${knowledge}/records?${query}`)).body).toEqual(theirs.body);
  });

  test("manage sources of every team", async () => {
    const name = `Source ${randomUUID()}`;
    const made = await admin.post("/v1/admin/sources", { teamId: team.id, type: "file", name });
    expect(made).toMatchObject({
      status: 201,
      body: { teamId: team.id, type: "file", config: { fileIds: [] } },
    });
    const path = `/v1/admin/sources/${made.body.id}`;
    expect(idsIn(await admin.get(`/v1/admin/sources?name=${name}&type=file`))).toEqual([made.body.id]);
    expect(idsIn(await admin.get(`/v1/admin/sources?name=${name}&type=jira`))).toEqual([]);
    expect(await admin.put(path, { name: "Renamed" })).toMatchObject({
      status: 200,
      body: { name: "Renamed" },
    });
    expect((await admin.put(path, { credentials: { token: "x" } })).status).toBe(400);
    expect((await team.owner.get(`${team.path}/sources/${made.body.id}`)).body.name).toBe("Renamed");
    expect((await admin.get(path)).body.name).toBe("Renamed");
    expect((await admin.delete(path)).status).toBe(204);
    expect(await admin.get(path)).toMatchObject(notFound);
  });

  test("manage every team", async () => {
    const name = `Team ${randomUUID()}`;
    const made = await admin.post("/v1/admin/teams", { name });
    expect(made).toMatchObject({ status: 201, body: { name, role: "owner" } });
    expect(idsIn(await admin.get(`/v1/admin/teams?ids=${team.id},${made.body.id}&search=Watched`))).toEqual([
      team.id,
    ]);
    expect((await admin.get(`/v1/admin/teams?search=${made.body.codename}&perPage=1`)).body).toMatchObject({
      data: [{ id: made.body.id }],
      total: 1,
    });
    expect((await admin.get(`/v1/admin/teams/${team.codename}`)).body).toMatchObject({
      id: team.id,
      role: null,
    });
    const renamed = await admin.put(`/v1/admin/teams/${team.id}`, { name: "Watched closely" });
    expect(renamed).toMatchObject({
      status: 200,
      body: { name: "Watched closely", codename: team.codename },
    });
    const doomed = await newTeam();
    expect((await admin.delete(`/v1/admin/teams/${doomed.id}`)).status).toBe(204);
    expect(await admin.delete(`/v1/admin/teams/${doomed.id}`)).toMatchObject(notFound);
    expect(await doomed.owner.get(doomed.path)).toMatchObject(notFound);
    // In the admin area they see every team; in the teams' own calls they are ordinary members.
    expect(await admin.get(team.path)).toMatchObject(notFound);
  });

  test("page through the tasks of every team without a gap", async () => {
    const queued = [];
    for (const one of [team, other]) {
      const { body } = await admin.post("/v1/admin/knowledges", { teamId: one.id, name: "Queued" });
      queued.push((await admin.post(`/v1/admin/knowledges/${body.id}/index`)).body.taskId);
    }
    const seen: string[] = [];
    let lastKey: string | null = null;
    do {
      const query = `perPage=1${lastKey ? `&lastKey=${encodeURIComponent(lastKey)}` : ""}`;
      const { body }: Answer = await admin.get(`/v1/admin/tasks?${query}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      lastKey = body.lastKey;
    } while (lastKey && !queued.every((id) => seen.includes(id)));
    expect(seen).toEqual(expect.arrayContaining(queued));
    expect(new Set(seen).size).toBe(seen.length);
    const today = new Date().toISOString().slice(0, 10);
    const { body } = await admin.get(`/v1/admin/tasks?teamId=${team.id}&date=${today}&perPage=100`);
    expect(body.data.every(({ teamId }: { teamId: string }) => teamId === team.id)).toBe(true);
    expect((await admin.get(`/v1/admin/tasks?teamId=${team.id}&date=2001-01-01`)).body.data).toEqual([]);
  });

  test("manage API keys of every team", async () => {
    const name = `Key ${randomUUID()}`;
    const made = await admin.post("/v1/admin/apiKeys", {
      teamId: team.id,
      name,
      roleId: systemRoleIds.viewer,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { teamId: team.id, key: expect.stringMatching(/^prl_/) },
    });
    const key = as(made.body.key);
    expect((await key.get(`${team.path}/agents`)).status).toBe(200);
    expect((await key.post(`${team.path}/agents`, { name: "x" })).status).toBe(403);
    const path = `/v1/admin/apiKeys/${made.body.id}`;
    const listed = await admin.get(`/v1/admin/apiKeys?name=${name}&teamId=${team.codename}`);
    expect(idsIn(listed)).toEqual([made.body.id]);
    expect(listed.body.data[0]).not.toHaveProperty("key");
    expect((await admin.get(path)).body).toMatchObject({ name, lastUsedAt: expect.any(String) });
    const changed = await admin.put(path, { roleId: systemRoleIds.editor });
    expect(changed).toMatchObject({ status: 200, body: { roleId: systemRoleIds.editor } });
    expect((await key.post(`${team.path}/agents`, { name: "x" })).status).toBe(201);
    expect((await admin.delete(path)).status).toBe(204);
    expect((await key.get(`${team.path}/agents`)).status).toBe(401);
    expect(await admin.get(path)).toMatchObject(notFound);
  });

  test("read, close and reopen support tickets", async () => {
    const email = uniqueEmail("asks");
    const member = await newMember(team, "viewer");
    const body = { email, subject: "Cannot upload", message: `It stops at 80 % (${randomUUID()})` };
    const { body: made } = await member.post("/v1/support/tickets", body);
    const path = `/v1/admin/support/tickets/${made.id}`;
    const found = await admin.get(
      `/v1/admin/support/tickets?search=${encodeURIComponent(email.toUpperCase())}`,
    );
    expect(found.body).toMatchObject({
      data: [{ ...body, id: made.id, status: "open", userId: member.id }],
      total: 1,
    });
    expect(await admin.put(path, { status: "closed" })).toMatchObject({
      status: 200,
      body: { status: "closed" },
    });
    expect(idsIn(await admin.get(`/v1/admin/support/tickets?search=${email}&status=open`))).toEqual([]);
    expect(idsIn(await admin.get(`/v1/admin/support/tickets?search=${email}&status=closed`))).toEqual([
      made.id,
    ]);
    expect((await admin.put(path, { status: "open" })).body.status).toBe("open");
    for (const wrong of [
      { status: "gone" },
      {},
      { subject: "Changed" },
      { status: "open", userId: admin.id },
    ]) {
      expect((await admin.put(path, wrong)).status).toBe(400);
    }
    expect((await admin.get(path)).body).toMatchObject({ ...body, status: "open" });
  });
});

describe("the retention", () => {
  test("is read and set by platform admins, per kind, and may be forever", async () => {
    const path = "/v1/admin/retention";
    const before = (await admin.get(path)).body;
    try {
      const { updatedAt: _, ...rest } = before;
      expect(await admin.put(path, { tasks: 400 })).toMatchObject({
        status: 200,
        body: { ...rest, tasks: 400 },
      });
      expect((await admin.put(path, { tasks: null, slackThreads: 36_500 })).body).toMatchObject({
        tasks: null,
        slackThreads: 36_500,
        replyPassages: before.replyPassages,
      });
      const set = (await admin.get(path)).body;
      for (const wrong of [
        { tasks: 6 },
        { tasks: 36_501 },
        { tasks: 7.5 },
        { tasks: "30" },
        { chats: 30 },
        [],
      ]) {
        expect((await admin.put(path, wrong)).status, JSON.stringify(wrong)).toBe(400);
      }
      expect((await admin.get(path)).body).toEqual(set);
    } finally {
      const { tasks, replyPassages, slackThreads } = before;
      await admin.put(path, { tasks, replyPassages, slackThreads });
    }
  });
});
