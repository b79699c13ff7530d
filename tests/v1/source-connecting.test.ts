// Trying a source's settings before they are kept, and syncing it by hand: who may, what is refused, what follows. The
// services' own protocols are tests/unit/connectors.test.ts's.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newMember, newPerson, newTeam, type Person, type Team } from "../support/api.ts";

let team: Team;
let viewer: Person;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  viewer = await newMember(team, "viewer");
  agentId = (await team.owner.post(`${team.path}/agents`, { name: "Asked" })).body.id;
});

test("settings are tried and nothing is kept", async () => {
  const settings = { type: "agentChat", config: { agentId } };
  const tried = await team.owner.post(`${team.path}/sources/test`, settings);
  expect(tried).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
  expect((await team.owner.get(`${team.path}/sources`)).body.total).toBe(0);
  expect((await viewer.post(`${team.path}/sources/test`, settings)).status).toBe(403);
  expect((await (await newPerson()).post(`${team.path}/sources/test`, settings)).status).toBe(404);
  expect((await team.owner.post(`${team.path}/sources/test`, { id: randomUUID() })).status).toBe(404);
  expect((await team.owner.post(`${team.path}/sources/test`, {})).status).toBe(400);
});

test("no place inside our own network is tried", async () => {
  const credentials = { email: "a@example.com", apiToken: "abc" };
  for (const site of [
    "https://127.0.0.1",
    "https://169.254.169.254",
    "https://[::1]",
    "http://localhost:54321",
  ]) {
    const tried = await team.owner.post(`${team.path}/sources/test`, {
      type: "jira",
      config: { site },
      credentials,
    });
    expect(tried, site).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  }
});

test("a source is synced by a task", async () => {
  const { body: source } = await team.owner.post(`${team.path}/sources`, {
    type: "agentChat",
    name: "Chats",
    config: { agentId },
  });
  const synced = await team.owner.post(`${team.path}/sources/${source.id}/sync`);
  expect(synced).toMatchObject({ status: 202, body: { taskId: expect.any(String) } });
  const { body: tasks } = await team.owner.get(`${team.path}/tasks?taskId=${synced.body.taskId}`);
  expect(tasks.data).toMatchObject([{ type: "sync", sourceId: source.id }]);
  expect((await viewer.post(`${team.path}/sources/${source.id}/sync`)).status).toBe(403);
  expect((await team.owner.post(`${team.path}/sources/${randomUUID()}/sync`)).status).toBe(404);
});
