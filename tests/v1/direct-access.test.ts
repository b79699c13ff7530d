// Runs every block of docs/direct-access.md as written, and checks that it shows what its reader may see; and what the page says is refused.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember, newTeam, type Person, type Team } from "../support/api.ts";
import { findStack } from "../support/stack.ts";

const run = promisify(execFile);
const page = readFileSync("docs/direct-access.md", "utf8");
const blocks = new Map(
  [...page.matchAll(/^```(?:sh|js) (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => [
    name,
    code,
  ]),
);

let tools: string;
let scripts: string;
let team: Team;
let reader: Person;
let env: Record<string, string>;
const agents = [
  { name: "Closed", visibility: "private" },
  { name: "Open", visibility: "public" },
];

beforeAll(async () => {
  const stack = await findStack();
  [team] = await Promise.all([newTeam(), newTeam()]);
  reader = await newMember(team, "viewer");
  for (const agent of agents) await team.owner.post(`${team.path}/agents`, agent);
  const key = await team.owner.post(`${team.path}/apiKeys`, { name: "Direct" });
  tools = mkdtempSync(join(tmpdir(), "parley-tools-"));
  // Beside the packages, so that the script resolves them as in a reader's own project.
  scripts = resolve("node_modules/.cache/direct-access");
  mkdirSync(scripts, { recursive: true });
  for (const tool of ["curl", "psql"]) {
    symlinkSync(resolve(`tests/support/stand-ins/${tool}.mjs`), join(tools, tool));
  }
  env = {
    // The machine's own curl and psql come first.
    PATH: `${process.env.PATH}:${tools}`,
    HOME: process.env.HOME ?? "",
    SUPABASE_URL: stack.supabaseUrl,
    SUPABASE_ANON_KEY: stack.anonKey,
    EMAIL: reader.email,
    PASSWORD: reader.password,
    PARLEY_API_KEY: key.body.key,
    DATABASE_URL: stack.databaseUrl("authenticator"),
    USER_ID: reader.id,
  };
});
afterAll(() => {
  rmSync(tools, { recursive: true, force: true });
  rmSync(scripts, { recursive: true, force: true });
});

const shell = async (name: string) =>
  (await run("sh", ["-euc", blocks.get(name) ?? "exit 1"], { env })).stdout;

test("every block of the page is run here", () => {
  expect([...blocks.keys()].sort()).toEqual(["api-key", "curl", "psql", "supabase-js"]);
  expect(page.match(/^```\w/gm)).toHaveLength(blocks.size);
});

test("curl reads what the user may see", async () => {
  expect(JSON.parse(await shell("curl"))).toEqual(agents);
});

test("supabase-js reads the same", async () => {
  const script = join(scripts, "read.mjs");
  writeFileSync(script, blocks.get("supabase-js") ?? "");
  const { stdout } = await run(
    "node_modules/.bin/deno",
    ["run", "--quiet", "--no-lock", "--allow-net", "--allow-env", script],
    { env },
  );
  expect(JSON.parse(stdout)).toEqual(agents);
});

test("an API key's token reads its team", async () => {
  expect(JSON.parse(await shell("api-key"))).toEqual(agents);
});

test("psql sees what that user sees", async () => {
  expect((await shell("psql")).trim().split("\n")).toEqual(agents.map(({ name }) => name));
});

test("the stand-ins behave like the tools", async () => {
  env.PATH = `${tools}:${env.PATH}`;
  expect(JSON.parse(await shell("curl"))).toEqual(agents);
  expect((await shell("psql")).trim().split("\n")).toEqual(agents.map(({ name }) => name));
});

test("a change that names no rows is refused", async () => {
  const stack = await findStack();
  const headers = {
    apikey: stack.anonKey,
    Authorization: `Bearer ${team.owner.token}`,
    "Content-Type": "application/json",
  };
  for (const [method, query] of [
    ["PATCH", ""],
    ["DELETE", ""],
    ["DELETE", "?limit=1&order=id"],
  ] as const) {
    const body = method === "PATCH" ? JSON.stringify({ name: "All of them" }) : undefined;
    const answer = await fetch(`${stack.supabaseUrl}/rest/v1/agents${query}`, { method, headers, body });
    expect([method, query, answer.status]).toEqual([method, query, 400]);
    expect(await answer.json()).toMatchObject({ code: "21000" });
  }
  const { data } = (await team.owner.get(`${team.path}/agents`)).body;
  expect(data.map(({ name }: { name: string }) => name).sort()).toEqual(["Closed", "Open"]);
});

test("NUL in a name or a value of a query is refused", async () => {
  const stack = await findStack();
  const headers = { apikey: stack.anonKey, Authorization: `Bearer ${team.owner.token}` };
  for (const query of [
    "%00=eq.1",
    "order=a%00",
    "select=%22a%00%22",
    "select=config->%00",
    "or=(a%00.eq.1)",
    "name=eq.%00",
  ]) {
    const answer = await fetch(`${stack.supabaseUrl}/rest/v1/sources?${query}`, { headers });
    expect([query, answer.status]).toEqual([query, 400]);
    expect(await answer.json()).toMatchObject({ code: "22021" });
  }
});
