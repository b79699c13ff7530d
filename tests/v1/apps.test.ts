// A team's apps, and the calls that connect them to Slack, for which the stack is configured (tests/support/runner/one-stack.mjs). Slack's
// part: tests/faults/slack*.test.ts.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { anyone, type Client, newMember, newTeam, owner, type Team } from "../support/api.ts";
import { newAgent } from "../support/content.ts";
import { findStack } from "../support/stack.ts";

let team: Team;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  agentId = await newAgent(team);
});
const path = (id = "") => `${team.path}/apps${id && `/${id}`}`;
const make = async (values: object = {}) =>
  (await team.owner.post(path(), { name: "App", type: "slack", agentId, ...values })).body;

describe("an app", () => {
  test("is created, read, found, changed and deleted", async () => {
    const { status, body } = await team.owner.post(path(), { name: "  Desk  ", type: "slack", agentId });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      teamId: team.id,
      name: "Desk",
      type: "slack",
      agentId,
      status: "pending",
      workspace: null,
      channels: [],
      audience: "members",
      connectedAt: null,
    });
    expect((await team.owner.get(path(body.id))).body).toEqual(body);
    expect((await team.owner.get(`/v1/integration/slack/${body.id}`)).body).toEqual(body);
    const found = await team.owner.get(`${path()}?name=esk&type=slack`);
    expect(found.body).toMatchObject({ page: 1, perPage: 20, total: 1, data: [body] });
    expect((await team.owner.get(`${path()}?type=carrier-pigeon`)).status).toBe(400);
    const values = { channels: ["C0123ABCD"], audience: "guests" };
    expect((await team.owner.put(path(body.id), values)).body).toMatchObject(values);
    expect((await team.owner.delete(path(body.id))).status).toBe(204);
    expect((await team.owner.delete(path(body.id))).status).toBe(404);
    expect((await team.owner.get(`/v1/integration/slack/${body.id}`)).status).toBe(404);
  });

  test.each([
    ["no name", { name: undefined }],
    ["no type", { type: undefined }],
    ["another type", { type: "pigeon" }],
    ["no agent", { agentId: undefined }],
    ["an agent that is not there", { agentId: randomUUID() }],
    ["a workspace of one's own choice", { workspace: { id: "T1", name: "Mine" } }],
    ["a status of one's own choice", { status: "connected" }],
    ["a channel that is none", { channels: ["#general"] }],
    ["an unknown audience", { audience: "world" }],
  ])("with %s is refused", async (_what, values) => {
    const body = { name: "App", type: "slack", agentId, ...values };
    expect((await team.owner.post(path(), body)).status).toBe(400);
  });

  test("is changed by admins, seen by editors, and hidden from everyone else", async () => {
    const app = await make();
    const [editor, viewer, stranger] = await Promise.all([
      newMember(team, "editor"),
      newMember(team, "viewer"),
      newTeam(),
    ]);
    expect((await editor.get(path(app.id))).status).toBe(200);
    expect((await editor.put(path(app.id), { name: "Mine" })).status).toBe(403);
    expect((await editor.delete(path(app.id))).status).toBe(403);
    expect((await editor.post(`/v1/integration/slack/${agentId}`, {})).status).toBe(403);
    expect((await editor.delete(`/v1/integration/slack/${agentId}`)).status).toBe(403);
    expect((await viewer.get(path())).status).toBe(403);
    expect((await viewer.get(`/v1/integration/slack/${app.id}`)).status).toBe(404);
    expect((await stranger.owner.get(path(app.id))).status).toBe(404);
    expect((await stranger.owner.post(`/v1/integration/slack/${agentId}`, {})).status).toBe(404);
    expect(
      (await stranger.owner.post(`${stranger.path}/apps`, { name: "X", type: "slack", agentId })).status,
    ).toBe(400);
    expect((await team.owner.get(path(app.id))).body.name).toBe("App");
  });

  test("is deleted with its agent, and all of them in one call", async () => {
    const other = await newAgent(team);
    await make({ agentId: other });
    await make({ agentId: other, name: "Second" });
    expect((await team.owner.delete(`/v1/integration/slack/${other}`)).status).toBe(204);
    expect((await team.owner.delete(`/v1/integration/slack/${other}`)).status).toBe(404);
    const app = await make({ agentId: other });
    await team.owner.delete(`${team.path}/agents/${other}`);
    expect((await team.owner.get(path(app.id))).status).toBe(404);
  });
});

/** Where the manifest of docs/slack.md has the functions. */
const hostedUrl = "https://YOUR-PROJECT.supabase.co/functions/v1";

test("connecting asks for what the guide's manifest grants, with a new state each time, for the same app", async () => {
  const agent = await newAgent(team);
  const begun = await team.owner.post(`/v1/integration/slack/${agent}`, {});
  expect(begun.status).toBe(201);
  const url = new URL(begun.body.installUrl);
  const { apiUrl } = await findStack();
  expect(url.pathname).toBe("/oauth/v2/authorize");
  expect(url.searchParams.get("state")).toMatch(/^[\w-]{43}$/);
  const manifest = /^ *```json\n([\s\S]*?)```/m.exec(readFileSync("docs/slack.md", "utf8"))?.[1] ?? "";
  const { scopes, redirect_urls: redirects } = JSON.parse(manifest).oauth_config;
  expect(url.searchParams.get("scope")?.split(",")).toEqual(scopes.bot);
  expect(redirects).toEqual([url.searchParams.get("redirect_uri")?.replace(apiUrl, hostedUrl)]);
  const again = await team.owner.post(`/v1/integration/slack/${agent}`);
  expect(again.body.appId).toBe(begun.body.appId);
  expect(again.body.installUrl).not.toBe(begun.body.installUrl);
  const sql = await owner();
  const kept = await sql`select encode(state_hash, 'hex') as hash from private.slack_states
                          where app_id = ${begun.body.appId}`;
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toContain(url.searchParams.get("state"));
});

describe("an install after Slack's redirect", () => {
  const open = (who: Client, proof: object) => who.post("/v1/integration/slack/installs", proof);
  const confirm = (who: Client, proof: object) => who.post("/v1/integration/slack/installs/confirm", proof);
  const calls = { open, confirm };
  const secret = (letter: string) => letter.repeat(43);

  test.each(Object.entries(calls))("%s answers only for the caller's own ticket", async (_name, call) => {
    expect((await call(team.owner, { ticket: secret("t") })).status).toBe(404);
    expect((await call(team.owner, { ticket: secret("t"), verifier: secret("v") })).status).toBe(404);
    expect((await call(team.owner, { ticket: "short" })).status).toBe(400);
    expect((await call(team.owner, {})).status).toBe(400);
    expect((await call(anyone, { ticket: secret("t") })).status).toBe(401);
  });

  test("connects nothing without a person's confirmation, whoever has the state and the code", async () => {
    const begun = await team.owner.post(`/v1/integration/slack/${await newAgent(team)}`, {});
    const state = new URL(begun.body.installUrl).searchParams.get("state");
    const { apiUrl } = await findStack();
    const back = await fetch(`${apiUrl}/slack/oauth?state=${state}&code=a-code`, { redirect: "manual" });
    const page = new URL(back.headers.get("location") ?? "");
    expect(page.pathname).toBe(`/teams/${team.codename}/apps/${begun.body.appId}/confirm`);
    const proof = { ticket: page.searchParams.get("ticket") ?? "" };
    const stranger = await newTeam();
    for (const call of Object.values(calls)) expect((await call(stranger.owner, proof)).status).toBe(404);
    expect((await team.owner.get(path(begun.body.appId))).body.status).toBe("pending");
  });
});
