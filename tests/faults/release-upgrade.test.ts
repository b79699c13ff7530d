// The product on a past release's data: an upgrade that meets an obstacle, the product afterwards, and the commands of docs/operate.md.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { launch, makePlace, type Place, type RunningStack, start, stop } from "../support/local-stack.ts";
import { makeReleaseFolder, withFolder } from "../support/releases.ts";

const WHOLE = "postgres,gateway,mailbox,models,functions-v1,functions-indexing";
const DATABASE = "postgres,gateway";
const dir = mkdtempSync(join(tmpdir(), "parley-release-"));
let place: Place;
let stack: RunningStack | undefined;

beforeAll(async () => {
  place = await makePlace();
  await makeReleaseFolder("1.0.0", place.dataDir);
});
afterAll(async () => {
  if (stack) await stop(stack);
  place?.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** The guide's commands: its indented lines, except for excerpts of configuration and logs. */
const commands = readFileSync("docs/operate.md", "utf8")
  .split(/\n(?! {4})/)
  .map((block) => block.split("\n").filter((line) => line.startsWith("    ")))
  .filter(([first = ""]) => !/:\s*$|^ {4}\{/.test(first))
  .flatMap((lines) => lines.map((line) => line.trim()));

/** Runs a command of the guide on this test's folders. */
async function follow(command: string): Promise<string> {
  expect(commands).toContain(command);
  const here = command
    // As cron reads its line.
    .replace(/^(\S+ ){5}cd \/path\/to\/parley && (.*)\\%/, "$2%")
    .replaceAll(/\bbackups\//g, join(dir, "backups/"))
    .replaceAll(".parley-restored", join(dir, "restored"))
    .replaceAll(/ \.parley\//g, ` ${place.dataDir}/`);
  const { DATABASE_URL: _none, ...env } = process.env;
  const { stdout } = await promisify(execFile)("sh", ["-c", here], {
    env: { ...env, PARLEY_DATA_DIR: place.dataDir, PARLEY_PORT_OFFSET: String(place.offset) },
  });
  return stdout;
}

async function call(path: string, token = "", body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${place.port("gateway")}/functions/v1/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(token && { Authorization: `Bearer ${token}` }), "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBeLessThan(300);
  return text.startsWith("{") ? JSON.parse(text) : text;
}

async function logIn(): Promise<string> {
  const account = { email: "demo@parley.test", password: "demo-parley-1", deviceId: "app" };
  return (await call("/auth/login", "", account)).accessToken;
}

/** The demo agent's answer to a question that its handbook covers. */
async function ask(token: string): Promise<string> {
  const agent = (await call("/teams/demo/agents?name=handbook", token)).data[0];
  const messages = [{ role: "user", content: "How many days of annual leave do I have?" }];
  const events: string = await call("/streams", token, { agentId: agent.id, messages });
  return JSON.parse(/^event: done\ndata: (.*)$/m.exec(events)?.[1] ?? "{}").content ?? "";
}

test("a failed upgrade names the copy, which is the release's database", async () => {
  const inTheWay =
    "create function private.is_object_key(key text) returns boolean language sql as 'select true'";
  await withFolder(place.dataDir, (_url, sql) => sql.unsafe(inTheWay));
  const failed = launch(place, { only: DATABASE });
  expect(await failed.ended).toBe(1);
  expect(failed.output()).toMatch(/Upgrading the database: \d+ changes/);
  expect(failed.errors().trim()).toMatch(
    /^The migration \d{14}_object_keys\.sql failed \(.*\); nothing of it was kept\. The database as it was before the upgrade is kept in .*postgres-before-upgrade\.$/,
  );
  await follow("mv .parley/postgres .parley/postgres-failed");
  await follow("mv .parley/postgres-before-upgrade .parley/postgres");
  await withFolder(place.dataDir, async (_url, sql) => {
    expect(await sql`select version from supabase_migrations.schema_migrations`).toHaveLength(1);
    await sql.unsafe("drop function private.is_object_key(text)");
  });
});

test("everything works on the release's data", async () => {
  stack = await start(place, { only: WHOLE });
  expect(stack.output()).toMatch(/Upgrading the database: \d+ changes/);
  expect(existsSync(join(place.dataDir, "postgres-before-upgrade"))).toBe(false);
  const token = await logIn();
  expect(await ask(token)).toMatch(/\d+ days/);
  const files = (await call("/teams/demo/files?perPage=100", token)).data;
  expect(files).toHaveLength(6);
  const file = await call(`/teams/demo/files/${files[0].id}`, token);
  const bytes = await (await fetch(file.url)).text();
  expect(bytes.length).toBe(files[0].size);
  const [knowledge] = (await call("/teams/demo/knowledges", token)).data;
  await call(`/teams/demo/knowledges/${knowledge.id}/index`, token, {});
  await eventually(async () => {
    const again = await call(`/teams/demo/knowledges/${knowledge.id}`, token);
    expect(again).toMatchObject({ status: "ready", documentsCount: 6 });
    expect(again.indexedAt > knowledge.indexedAt).toBe(true);
  });
});

test("the guide's backup of a running installation answers as before once restored", async () => {
  expect(await follow("npm run backup -- backups/parley.backup")).toMatch(
    /Backed up \d+ rows of \d+ tables and \d+ files/,
  );
  const nightly = "15 3 * * * cd /path/to/parley && npm run backup -- backups/$(date +\\%F).backup";
  expect(await follow(nightly)).toMatch(/files to .*\/backups\/\d{4}-\d\d-\d\d\.backup\.$/m);
  const answer = await ask(await logIn());
  if (stack) await stop(stack);
  await follow("PARLEY_DATA_DIR=.parley-restored npm run restore -- backups/parley.backup");
  stack = await start({ ...place, dataDir: join(dir, "restored") }, { only: WHOLE });
  expect(stack.output()).not.toContain("Upgrading");
  expect(await ask(await logIn())).toBe(answer);
});

test("every other command of the guide is run by another test", () => {
  expect(commands).toEqual([
    // By tests/unit/doctor.test.ts and tests/sql/doctor.test.ts.
    "npm run doctor",
    "set -a; . ./.env; set +a",
    "SUPABASE_DB_URL=postgres://postgres:…@…:5432/postgres npm run doctor",
    "git pull",
    "npm start",
    "mv .parley/postgres .parley/postgres-failed",
    "mv .parley/postgres-before-upgrade .parley/postgres",
    "npm run backup -- backups/parley.backup",
    "15 3 * * * cd /path/to/parley && npm run backup -- backups/$(date +\\%F).backup",
    "PARLEY_DATA_DIR=.parley-restored npm run restore -- backups/parley.backup",
    "PARLEY_DATA_DIR=.parley-restored npm start",
    // By tests/faults/backup.test.ts.
    "npm run restore -- backups/parley.backup --force",
    // By tests/native/backup.test.ts.
    "createdb parley",
    "DATABASE_URL=postgres://postgres@127.0.0.1:5432/parley PARLEY_DATA_DIR=.parley-native npm run restore -- backups/parley.backup",
    // By tests/v1/team-import.test.ts.
    'curl -fsS -H "Authorization: Bearer $TOKEN" -o team.zip "$FROM/v1/teams/$TEAM/export"',
    'curl -fsS -H "Authorization: Bearer $NEW_TOKEN" -H "Content-Type: application/zip" -X POST -T team.zip "$TO/v1/teams/import"',
    // By tests/unit/tracing.test.ts.
    "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start",
    // By tests/faults/rotation.test.ts.
    "npm run secrets:rotate",
    "npm start",
    "npm run secrets:rotate -- --forget-earlier",
    "SECRETS_KEY=NEW,OLD DATABASE_URL=… npm run secrets:rotate",
  ]);
});
