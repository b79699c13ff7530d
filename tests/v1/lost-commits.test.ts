// Calls that store bytes and lose their connection while it commits, so that they cannot know whether it did: what they stored stays.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newTeam, type Team } from "../support/api.ts";
import { until } from "../support/content.ts";
import { type Fuse, startFuse } from "../support/fuse.ts";
import { adoptStackSettings } from "../support/handlers-stand.ts";
import { findStack } from "../support/stack.ts";

let fuse: Fuse;
let team: Team;
let close: () => Promise<void>;
let app: typeof import("../../edge-functions/v1/app.ts").app;

beforeAll(async () => {
  const url = new URL((await findStack()).databaseUrl("authenticator"));
  fuse = await startFuse(Number(url.port));
  url.port = String(fuse.port);
  close = await adoptStackSettings({ DATABASE_URL: url.href });
  ({ app } = await import("../../edge-functions/v1/app.ts"));
});
afterAll(async () => {
  await close();
  await fuse.stop();
});
beforeEach(async () => {
  team = await newTeam();
});

/** Makes a call whose connection breaks with the commit that follows a statement; the database gets both. */
async function callCutAfter(statement: string, path: string, init: RequestInit): Promise<void> {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  fuse.burnAt(statement, true, () => fuse.burnAt("commit", true, fuse.cut));
  const headers = { Authorization: `Bearer ${team.owner.token}`, ...init.headers };
  const answer = await app.request(path, { ...init, headers });
  expect(answer.status).toBe(503);
  logged.mockRestore();
}

function formOf(text: string): FormData {
  const form = new FormData();
  form.set("file", new File([text], "leave.txt"));
  return form;
}

/** The team's only file as a browser opens it, once its version is committed. */
async function readOnlyFile(version: number): Promise<string> {
  const [file] = await until(
    async () => (await team.owner.get(`${team.path}/files`)).body.data,
    (files) => files[0]?.version === version,
  );
  const { url } = (await team.owner.get(`${team.path}/files/${file.id}`)).body;
  return await (await fetch(url)).text();
}

test("an uploaded file keeps its bytes", async () => {
  await callCutAfter("insert into public.files", `${team.path}/files/upload`, {
    method: "POST",
    body: formOf("27 days"),
  });
  expect(await readOnlyFile(1)).toBe("27 days");
});

test("so does the version that replaces it", async () => {
  const { body } = await team.owner.upload(`${team.path}/files/upload`, "leave.txt", "27 days");
  await callCutAfter("private.replace_file", `${team.path}/files/${body.id}/content`, {
    method: "PUT",
    body: formOf("28 days"),
  });
  expect(await readOnlyFile(2)).toBe("28 days");
});

test("a team's import keeps its archive", async () => {
  await team.owner.upload(`${team.path}/files/upload`, "leave.txt", "27 days");
  const { apiUrl } = await findStack();
  const headers = { Authorization: `Bearer ${team.owner.token}` };
  const archive = await (await fetch(`${apiUrl}${team.path}/export`, { headers })).arrayBuffer();
  await callCutAfter("insert into public.team_imports", "/v1/teams/import?name=Copy", {
    method: "POST",
    body: archive,
    headers: { "Content-Type": "application/zip" },
  });
  const teams = await until(
    async () => (await team.owner.get("/v1/teams")).body.data,
    ({ length }) => length === 2,
  );
  const copy = teams.find(({ name }: { name: string }) => name === "Copy");
  team = { ...team, path: `/v1/teams/${copy.id}` };
  await until(
    async () => (await team.owner.get(`${team.path}/import`)).body.report,
    (report) => report !== null,
    30,
  );
  expect(await readOnlyFile(1)).toBe("27 days");
});
