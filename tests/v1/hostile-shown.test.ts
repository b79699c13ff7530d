// Stored hostile text is shown as text and nothing else, and what the platform does with it stays in its team.
import { beforeAll, describe, expect, test } from "vitest";
import { zipEntries } from "../../edge-functions/indexing/parsers/zip.ts";
import { mailTo, newTeam, type Team, uniqueEmail } from "../support/api.ts";
import { atRest, waitUntilIndexed } from "../support/content.ts";
import { furnishedTeam } from "../support/furnished.ts";
import { type HostileTeam, hostileName, makeHostileTeam, rawMarkup } from "../support/hostile-team.ts";
import { findStack } from "../support/stack.ts";
import { rowsOf } from "../support/team-rows.ts";
import { signIn, type WebSession } from "../support/web-forms.ts";

let team: HostileTeam;
let canary: Team;
let before: string;
let web: WebSession;

beforeAll(async () => {
  ({ team: canary } = await furnishedTeam());
  await atRest(canary);
  before = await rowsOf(canary);
  team = await makeHostileTeam();
  web = await signIn(team.owner);
});

const rawIn = (html: string): string[] => rawMarkup.filter((one) => html.includes(one));

describe("pages", () => {
  test("show it as text, on every page of the team", async () => {
    const wrong: string[] = [];
    let showing = 0;
    const paths = [
      "/dashboard",
      "/teams",
      "/account",
      ...team.pages.map((page) => `/teams/${team.codename}/${page}`),
    ];
    for (const path of [...paths, `/chats/${team.agentId}`, `/widget/${team.agentId}`]) {
      const { status, html, headers } = await web.get(path);
      if (status !== 200) wrong.push(`${path}: ${status}`);
      for (const raw of rawIn(html)) wrong.push(`${path}: ${raw}`);
      if (/href="\s*javascript:/i.test(html)) wrong.push(`${path}: a link that runs`);
      if (!/script-src/.test(headers.get("content-security-policy") ?? "")) wrong.push(`${path}: no policy`);
      if (html.includes("&lt;script&gt;globalThis.hostile")) showing += 1;
    }
    expect(wrong).toEqual([]);
    // Most pages have it in a list, a title or the menu.
    expect(showing).toBeGreaterThan(paths.length / 2);
  });

  test("show it as text to anonymous readers, too", async () => {
    const { webUrl } = await findStack();
    for (const path of [`/chats/${team.agentId}`, `/widget/${team.agentId}`]) {
      const response = await fetch(`${webUrl}${path}`);
      expect([path, response.status, rawIn(await response.text())]).toEqual([path, 200, []]);
    }
  });
});

describe("downloads", () => {
  test("of an export keep file names in their folder and the header on one line", async () => {
    const { apiUrl } = await findStack();
    const response = await fetch(`${apiUrl}${team.path}/export`, {
      headers: { Authorization: `Bearer ${team.owner.token}` },
    });
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="[a-z0-9.-]+"$/);
    const names = (zipEntries(new Uint8Array(await response.arrayBuffer()), 1000) ?? []).map(
      ({ name }) => name,
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => /\.\.|^\/|[\\\p{Cc}<>"]/u.test(name))).toEqual([]);
    expect(names.filter((name) => name.includes(canary.id))).toEqual([]);
  });

  test("of a file have a URL that opens nothing else", async () => {
    const { body } = await team.owner.get(`${team.path}/files/${team.fileId}`);
    const response = await fetch(body.url);
    await response.body?.cancel();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition") ?? "").not.toMatch(/[<>\r\n]/);
    expect(response.headers.get("content-type") ?? "").not.toMatch(/html|svg|script/i);
  });

  test("of insights have no formula in any cell", async () => {
    const { text } = await team.owner.get(
      `${team.path}/insights/chats?dateStart=2026-01-01&dateEnd=2026-12-31&group=month&format=csv`,
    );
    const cells = text.split(/\r?\n/).flatMap((line) => line.split(","));
    expect(cells.length).toBeGreaterThan(20);
    expect(cells.filter((cell) => /^"?[=+@\t\r-]/.test(cell))).toEqual([]);
  });
});

test("a mail shows it as text, with our own headers only", async () => {
  const email = uniqueEmail("invited");
  const { status } = await team.owner.post(`/v1/teamUsers/${team.id}/users`, {
    email,
    roleId: "00000000-0000-7000-8000-000000000004",
  });
  expect(status).toBe(201);
  const mail = await mailTo(email);
  expect(rawIn(mail.html)).toEqual([]);
  // With the space that keeps mail programs from making a link of it.
  expect(mail.html).toContain("globalThis. hostile");
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(Object.keys(mail.headers).map((name) => name.toLowerCase())).not.toContain("bcc");
});

test("indexing it neither reads nor changes another team", async () => {
  const ready = await waitUntilIndexed(team, team.knowledgeId);
  expect(ready.body.status).toBe("ready");
  const { body } = await team.owner.get(
    `${team.path}/knowledges/${team.knowledgeId}/records?query=tea&count=20`,
  );
  const passages: { content: string; title: string }[] = body.data;
  expect(passages.length).toBeGreaterThan(0);
  expect(passages.every(({ title }) => title === `${hostileName}.md`)).toBe(true);
  expect(JSON.stringify(passages)).not.toContain(canary.id);
  await atRest(team);
  expect(await rowsOf(canary)).toBe(before);
});

describe("a typed name", () => {
  const spoiled = [
    "a\u0007b",
    "invoice\u202efdp",
    "a\u200bb",
    "a\r\nBcc: x@evil.test",
    "a\u0000b",
    "\u2066a\u2069",
    "\u3164",
  ];
  const bodies: [path: (team: Team) => string, field: string, rest: Record<string, unknown>][] = [
    [() => "/v1/teams", "name", {}],
    [({ path }) => `${path}/agents`, "name", {}],
    [({ path }) => `${path}/knowledges`, "name", {}],
    [({ path }) => `${path}/sources`, "name", { type: "file" }],
    [({ path }) => `${path}/apiKeys`, "name", {}],
    [() => "/v1/roles", "name", { permissions: [] }],
    [() => "/v1/support/tickets", "subject", { email: "a@parley.test", message: "Hello" }],
  ];

  test.each(bodies)("%s is refused when it would not display as typed", async (pathOf, field, rest) => {
    const own = await newTeam();
    const path = pathOf(own);
    const whole = path === "/v1/roles" ? { ...rest, teamId: own.id } : rest;
    for (const value of spoiled) {
      const { status, body } = await own.owner.post(path, { ...whole, [field]: value });
      expect([value, status, body.details?.[0]?.path]).toEqual([value, 400, field]);
    }
  });

  test("of a file is kept without the characters that would not display", async () => {
    const own = await newTeam();
    const { body } = await own.owner.upload(
      `${own.path}/files/upload`,
      "in\u200bvoice\u202efdp\u0007.md",
      "# A",
    );
    expect(body.name).toBe("invoicefdp .md");
  });
});
