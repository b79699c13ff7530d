// The installation's own model. While connected, every team without one uses it, so this file runs alone.
import { expect, test } from "vitest";
import { adminToken, handlers, ollama, other, ours, team } from "../support/models-stand.ts";

const call = (token: string, method: string, path: string, body?: unknown) =>
  handlers.call(method, `/v1${path}`, token, body);
const asOwner = (method: string, path: string, body?: unknown) =>
  call(team.owner.token, method, `/teams/${team.id}${path}`, body);
const asAdmin = (method: string, path: string, body?: unknown) =>
  call(adminToken, method, `/admin${path}`, body);

test("the installation's model is found locally, connected by a platform admin, and used by teams without one", async () => {
  expect((await asOwner("POST", "/models", { ...ours(), role: "chat" })).status).toBe(201);
  const found = await asAdmin("GET", "/models/local");
  expect(found.body.data).toEqual([
    {
      provider: "ollama",
      baseUrl: ollama.baseUrl,
      chatModels: ["llama3.2:latest"],
      embeddingModels: ["nomic-embed-text:latest"],
    },
  ]);
  const local = { role: "chat", provider: "ollama", baseUrl: ollama.baseUrl, model: "llama3.2:latest" };
  const made = await asAdmin("POST", "/models", local);
  expect([made.status, made.body]).toMatchObject([201, { ...local, teamId: null, hasKey: false }]);
  const path = `/models/${made.body.id}`;
  expect((await asAdmin("POST", "/models", local)).status).toBe(409);
  expect((await asAdmin("POST", `${path}/test`)).status).toBe(200);
  expect((await asAdmin("PUT", path, { promptPrice: 0 })).body).toMatchObject({ ...local, promptPrice: 0 });
  expect((await asAdmin("GET", path)).body).toMatchObject({ ...local, promptPrice: 0 });
  expect((await asAdmin("GET", "/models")).body).toMatchObject({ data: [local], total: 1 });
  const theirs = await call(other.owner.token, "GET", `/teams/${other.id}/models`);
  expect(theirs.body).toMatchObject({
    inUse: { chat: { model: "llama3.2:latest", from: "installation" } },
    data: [],
  });
  expect(theirs.text).not.toContain(new URL(ollama.baseUrl).host);
  expect((await asOwner("GET", "/models")).body).toMatchObject({ inUse: { chat: { from: "team" } } });
  expect((await call(other.owner.token, "GET", `/teams/${other.id}${path}`)).status).toBe(404);
  expect((await asAdmin("DELETE", path)).status).toBe(204);
  expect((await asAdmin("DELETE", path)).status).toBe(404);
});
