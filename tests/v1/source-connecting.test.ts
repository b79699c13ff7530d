// Testing a source's settings before saving, and syncing by hand: permissions, refusals, results. The services' own protocols are in
// tests/unit/connectors.test.ts.
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { anyone, newMember, newPerson, newTeam, type Person, type Team } from "../support/api.ts";
import { until } from "../support/content.ts";
import { startConfluenceFake } from "../support/fakes/confluence.ts";
import { startGithubFake, threadOf } from "../support/fakes/github.ts";
import { folderType, startGoogleDriveFake } from "../support/fakes/google-drive.ts";
import { notionId, startNotionFake } from "../support/fakes/notion.ts";
import { pageOf, startWebsiteFake } from "../support/fakes/website.ts";
import { findStack } from "../support/stack.ts";

/** The port that the stack may call: tests/support/runner/one-stack.mjs. */
const servicePort = 54341 + Number(process.env.PARLEY_PORT_OFFSET ?? 0);

let team: Team;
let viewer: Person;
let agentId: string;
beforeAll(async () => {
  team = await newTeam();
  viewer = await newMember(team, "viewer");
  agentId = (await team.owner.post(`${team.path}/agents`, { name: "Asked" })).body.id;
});

test("settings are tested and nothing is stored", async () => {
  const settings = { type: "agentChat", config: { agentId } };
  const tried = await team.owner.post(`${team.path}/sources/test`, settings);
  expect(tried).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
  expect((await team.owner.get(`${team.path}/sources`)).body.total).toBe(0);
  expect((await viewer.post(`${team.path}/sources/test`, settings)).status).toBe(403);
  expect((await (await newPerson()).post(`${team.path}/sources/test`, settings)).status).toBe(404);
  expect((await team.owner.post(`${team.path}/sources/test`, { id: randomUUID() })).status).toBe(404);
  expect((await team.owner.post(`${team.path}/sources/test`, {})).status).toBe(400);
});

test("no address inside our own network is tested", async () => {
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

test("source types are public, with their fields", async () => {
  const { status, body } = await anyone.get("/v1/sourceTypes");
  expect(status).toBe(200);
  const jira = body.data.find(({ type }: { type: string }) => type === "jira");
  expect(jira).toMatchObject({ login: "required", addresses: ["site"] });
  expect(jira.credentials).toMatchObject([{ name: "email" }, { name: "apiToken", control: "secret" }]);
});

test("a website is tested as a tree of pages, synced, and lists what it skipped; no internal address is called", async () => {
  const site = await startWebsiteFake(servicePort);
  try {
    site.pages = {
      "/": pageOf("Home", "Welcome.", ["/docs/a", "/docs/b", "/none"]),
      "/docs/a": pageOf("A", "Wash it cold."),
      "/docs/b": pageOf("B", "Dry it flat."),
    };
    const settings = { type: "website", config: { startUrl: site.url } };
    const { body: preview } = await team.owner.post(`${team.path}/sources/test`, settings);
    expect(preview.data).toMatchObject([
      { kind: "pages", name: "/", count: 1 },
      { kind: "pages", name: "/docs/", count: 2 },
      { kind: "skipped", name: "/none", problem: expect.stringContaining("(404)") },
    ]);
    const { body: source } = await team.owner.post(`${team.path}/sources`, { ...settings, name: "Handbook" });
    expect(source).toMatchObject({
      hasCredentials: false,
      config: { startUrl: `${site.url}/`, maxDepth: 8, respectRobots: true },
    });
    await until(
      () => team.owner.get(`${team.path}/sources/${source.id}`),
      ({ body }) => body.documentsCount === 3 && body.syncedAt !== null,
    );
    const skipped = await viewer.get(`${team.path}/sources/${source.id}/skipped`);
    expect(skipped.body).toMatchObject({
      total: 1,
      data: [{ address: `${site.url}/none`, problem: expect.stringContaining("nothing at this address") }],
    });
    expect((await (await newPerson()).get(`${team.path}/sources/${source.id}/skipped`)).status).toBe(404);
    for (const startUrl of [
      "https://127.0.0.1/",
      "https://169.254.169.254/latest",
      "http://localhost:54321/",
    ])
      expect(
        await team.owner.post(`${team.path}/sources/test`, { type: "website", config: { startUrl } }),
        startUrl,
      ).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  } finally {
    await site.close();
  }
});

test("GitHub is tested with a preview; a bad token and a missing repository get their sentences", async () => {
  const github = await startGithubFake(servicePort);
  try {
    github.repositories["acme/handbook"] = {
      branch: "main",
      files: { "README.md": "Hello.", "docs/a.rst": "A", "app.ts": "" },
      issues: [threadOf(1, "Bug", "It breaks.", "2026-03-01T10:00:00Z")],
      discussions: [],
    };
    const tryOut = (repositories: string[], accessToken = github.accessToken) =>
      team.owner.post(`${team.path}/sources/test`, {
        type: "github",
        config: { repositories, apiUrl: github.url },
        credentials: { accessToken },
      });
    expect((await tryOut(["acme/handbook", "acme/none"])).body.data).toMatchObject([
      { kind: "files", name: "acme/handbook", count: 2 },
      { kind: "issues", name: "acme/handbook", count: 1 },
      { kind: "files", name: "acme/none", problem: expect.stringContaining("no repository acme/none") },
      { kind: "issues", name: "acme/none", problem: expect.stringContaining("no repository acme/none") },
    ]);
    const refused = await tryOut(["acme/handbook"], "wrong");
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("GitHub does not accept these credentials");
    expect(JSON.stringify(refused.body)).toContain('"credentials"');
  } finally {
    await github.close();
  }
});

test("stored credentials are not sent to an address that was set after them", async () => {
  const github = await startGithubFake(servicePort);
  try {
    const { supabaseUrl, anonKey } = await findStack();
    const repositories = ["acme/handbook"];
    // Past /v1, which stores the default address.
    const added = await fetch(`${supabaseUrl}/rest/v1/sources?select=id`, {
      method: "POST",
      headers: {
        apikey: anonKey,
        authorization: `Bearer ${team.owner.token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      body: JSON.stringify({ team_id: team.id, type: "github", name: "Code", config: { repositories } }),
    });
    const [{ id }] = await added.json();
    const accessToken = "ghp_entered_for_github_com";
    const stored = await team.owner.put(`${team.path}/sources/${id}`, { credentials: { accessToken } });
    expect(stored.body).toMatchObject({ hasCredentials: true });
    const config = { repositories, apiUrl: github.url };
    const fields = { status: 400, body: { details: [{ path: "credentials.accessToken" }] } };
    expect(await team.owner.post(`${team.path}/sources/test`, { id, config })).toMatchObject(fields);
    const move = (more: object) => team.owner.put(`${team.path}/sources/${id}`, { config, ...more });
    expect(await move({})).toMatchObject({ status: 400, body: { details: [{ path: "credentials" }] } });
    expect(await move({ credentials: {} })).toMatchObject(fields);
    expect(github.headers).toEqual([]);
  } finally {
    await github.close();
  }
});

test("Notion is tested with a preview; a connection without pages says so", async () => {
  const notion = await startNotionFake(servicePort);
  try {
    const tryOut = (accessToken = notion.accessToken) =>
      team.owner.post(`${team.path}/sources/test`, {
        type: "notion",
        config: { apiUrl: notion.url },
        credentials: { accessToken },
      });
    const none = expect.stringContaining("give this connection access to any page");
    expect((await tryOut()).body.data).toMatchObject([
      { kind: "pages", count: 0, problem: none },
      { kind: "databases", count: 0, problem: none },
    ]);
    notion.pages = [1, 2, 3].map((n) => ({ id: notionId(n), title: `${n}`, edited: "2026-03-01T10:00:00Z" }));
    expect((await tryOut()).body.data).toMatchObject([
      { kind: "pages", count: 3 },
      { kind: "databases", count: 0 },
    ]);
    const refused = await tryOut("wrong");
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("Notion does not accept these credentials");
  } finally {
    await notion.close();
  }
});

test("Confluence is tested space by space; a hidden space and a bad token get their sentences", async () => {
  const confluence = await startConfluenceFake(servicePort);
  try {
    confluence.spaces = [{ id: "10", key: "DOCS", name: "Docs" }];
    const changed = "2026-03-01T10:00:00.000Z";
    confluence.pages = ["1", "2", "3"].map((id) => ({
      id,
      title: id,
      space: "10",
      changed,
      storage: "<p>x</p>",
    }));
    const tryOut = (spaces: string[], apiToken = confluence.apiToken) =>
      team.owner.post(`${team.path}/sources/test`, {
        type: "confluence",
        config: { site: confluence.url, spaces, content: ["pages", "attachments"] },
        credentials: { email: confluence.email, apiToken },
      });
    expect((await tryOut(["DOCS", "HR"])).body.data).toMatchObject([
      { kind: "pages", name: "HR", problem: expect.stringContaining("shows no space HR") },
      { kind: "pages", name: "Docs (DOCS)" },
      { kind: "attachments" },
    ]);
    const refused = await tryOut([], "wrong");
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("Confluence does not accept these credentials");
  } finally {
    await confluence.close();
  }
});

test("Google Drive is tested with a key, stored without its token URL; an unshared folder gets its sentence", async () => {
  const drive = await startGoogleDriveFake(servicePort);
  try {
    const modified = "2026-03-01T10:00:00.000Z";
    drive.files = [
      { id: "folder-of-docs", name: "Docs", mimeType: folderType, modified },
      {
        id: "file-of-a",
        name: "a.txt",
        mimeType: "text/plain",
        content: "A.",
        modified,
        parent: "folder-of-docs",
      },
      { id: "file-of-b", name: "b.txt", mimeType: "text/plain", content: "B.", modified },
    ];
    const settings = (folders: string[], key = drive.key) => ({
      type: "googleDrive",
      config: { folders, apiUrl: drive.url },
      credentials: { key },
    });
    const tryOut = (body: object) => team.owner.post(`${team.path}/sources/test`, body);
    expect((await tryOut(settings([]))).body.data).toMatchObject([{ kind: "files", count: 2 }]);
    expect((await tryOut(settings(["folder-of-docs", "folder-of-nobody"]))).body.data).toMatchObject([
      { kind: "files", name: "Docs", count: 1 },
      {
        kind: "files",
        name: "folder-of-nobody",
        problem: expect.stringContaining("shows no folder folder-of-nobody"),
      },
    ]);
    const wrong = await tryOut(settings([], "not a key"));
    expect(wrong).toMatchObject({
      status: 400,
      body: { details: [{ path: "credentials.key", message: expect.stringContaining("whole JSON file") }] },
    });
    drive.isKeyGood = false;
    const refused = await tryOut(settings([], drive.personKey));
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("Google Drive does not accept these credentials");
  } finally {
    await drive.close();
  }
});
