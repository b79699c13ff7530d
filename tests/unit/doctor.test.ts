// The doctor on faulty machines, settings and services: each fault is caused, and its sentence read.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { readEnv } from "../../edge-functions/_shared/env.ts";
import { examine } from "../../supabase/local/doctor/doctor.ts";
import { reasonOf } from "../../supabase/local/doctor/finding.ts";
import { checkFolder, checkNode, checkPorts } from "../../supabase/local/doctor/machine.ts";
import {
  checkFunctions,
  checkMail,
  checkModels,
  checkStorage,
  checkWeb,
} from "../../supabase/local/doctor/services.ts";
import { checkSettings } from "../../supabase/local/doctor/settings.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { basePorts, readSettings } from "../../supabase/local/settings.ts";

const dir = mkdtempSync(join(tmpdir(), "parley-doctor-"));
const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done)))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A server that answers each path from the table, else 404. */
async function serve(answers: Record<string, number>): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = answers[`${request.method} ${request.url}`] ?? 404;
    response.end("{}");
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const nowhere = "http://127.0.0.1:9";
const variables = {
  DATABASE_URL: "postgres://functions:very-secret@db.example.com/postgres",
  SUPABASE_URL: nowhere,
  SUPABASE_ANON_KEY: "anon",
  SUPABASE_SERVICE_ROLE_KEY: "service",
  WEB_URL: "https://app.example.com",
  SECRETS_KEY: "k".repeat(32),
  SMTP_URL: "smtps://mail.example.com:465",
};
const envWith = (changes: Record<string, string>) => readEnv({ ...variables, ...changes });

test("a folder whose database is elsewhere is reported without DATABASE_URL, and gets no database", async () => {
  const folder = join(dir, "of-an-external-database");
  mkdirSync(folder);
  await loadSecrets(folder);
  const findings: string[] = [];
  for await (const { says } of examine({ PARLEY_DATA_DIR: folder })) findings.push(says);
  expect(findings).toContain(
    `There is no database in ${folder}: set DATABASE_URL as Parley is started with.`,
  );
  expect(readdirSync(folder)).toEqual(["secrets.json"]);
});

describe("the machine", () => {
  test("an outdated Node is reported", () => {
    expect(checkNode().level).toBe("ok");
    expect([checkNode("20.19.0").level, checkNode("24.0.0").level]).toEqual(["ok", "ok"]);
    expect(checkNode("20.18.3").says).toBe(
      "Node is 20.18.3, and Parley needs 20.19 or later: install a newer Node.",
    );
  });

  test("a folder that is none, and a full or nearly full disk, are reported", () => {
    const file = join(dir, "file");
    writeFileSync(file, "");
    expect(checkFolder(join(file, "data"))[0]?.says).toMatch(/file is not a folder: move that file away/);
    expect(checkFolder(join(dir, "not/yet/there"))).toMatchObject([{ level: "ok" }]);
    expect(checkFolder(dir, 100)).toMatchObject([
      { level: "error", says: expect.stringMatching(/^100 MB are free/) },
    ]);
    expect(checkFolder(dir, 500)).toMatchObject([{ level: "notice" }]);
  });

  test("a folder of files that cannot be written is reported", () => {
    const files = join(dir, "with-files/storage/ab");
    mkdirSync(files, { recursive: true });
    const folder = join(dir, "with-files");
    expect(checkFolder(folder, 5000)).toMatchObject([{ level: "ok" }]);
    expect(checkFolder(folder, 5000, (path) => path !== files)).toMatchObject([
      { level: "error", says: expect.stringMatching(/storage\/ab cannot be written: give this user/) },
    ]);
  });

  test("a port that only a connection occupies is not reported", async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const connection = connect((server.address() as AddressInfo).port, "127.0.0.1");
    await once(connection, "connect");
    const localPort = connection.localPort ?? 0;
    const settings = { ...readSettings({}), ports: { ...basePorts, web: localPort } };
    const findings = await checkPorts(settings);
    connection.resetAndDestroy();
    expect(findings.filter(({ says }) => says.startsWith(`Port ${localPort},`))).toEqual([]);
  });

  test("a port in use is reported", async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    // Whichever port it is, a part of the stack is moved there.
    const settings = { ...readSettings({}), ports: { ...basePorts, web: port, gateway: port } };
    const taken = (await checkPorts(settings)).filter(({ says }) => says.startsWith(`Port ${port},`));
    expect(taken.map(({ says }) => says)).toEqual([
      expect.stringMatching(/^Port \d+, which is for web, is taken by another program: stop that program/),
      expect.stringMatching(/^Port \d+, which is for gateway, is taken/),
    ]);
  });
});

describe("settings", () => {
  const says = (changes: Record<string, string>, isHosted = true) =>
    checkSettings({ ...variables, ...changes }, isHosted)
      .findings.filter(({ level }) => level !== "ok")
      .map((finding) => `${finding.level}: ${finding.says}`);

  test("that are valid are accepted", () => {
    expect(says({ TRUSTED_PROXIES: "10.0.0.1" })).toEqual([]);
  });

  test("that are missing or malformed are named, without their values", () => {
    const { findings, env } = checkSettings({ ...variables, SECRETS_KEY: "short", WEB_URL: "" }, true);
    expect(env).toBeUndefined();
    expect(findings[0]?.says).toMatch(
      /^These settings are missing or malformed: WEB_URL, SECRETS_KEY\. .* No function starts without them\.$/,
    );
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ WEB_URL: "https://example.com/parley" }, /^error: WEB_URL has a path, \/parley/],
    [{ WEB_URL: "http://127.0.0.1:3000" }, /^error: WEB_URL names this machine/],
    [{ WEB_URL: "http://app.example.com" }, /^error: WEB_URL is not https/],
    [{ SLACK_CLIENT_ID: "1" }, /^error: Slack has some of its settings/],
    [{ SMTP_URL: "" }, /^error: SMTP_URL is not set/],
    [{ SMTP_URL: "smtp://mail.example.com:587" }, /^notice: SMTP_URL names port 587/],
    [{ OPENAI_MODEL: "offline-extract" }, /^notice: The offline model answers/],
    [{ TRUSTED_PROXIES: "" }, /^notice: TRUSTED_PROXIES is empty/],
  ])("%j", (wrong, sentence) => {
    expect(says({ TRUSTED_PROXIES: "10.0.0.1", ...wrong })).toEqual([expect.stringMatching(sentence)]);
  });
});

describe("services", () => {
  test("functions that answer, and one that does not, are reported", async () => {
    const url = await serve({
      "GET /functions/v1/v1/health/public": 200,
      "GET /functions/v1/indexing/health/live": 503,
      "GET /functions/v1/slack/health": 200,
    });
    const findings = await checkFunctions(envWith({ SUPABASE_URL: url }));
    expect(findings.map(({ level }) => level)).toEqual(["ok", "error", "ok"]);
    expect(findings[1]?.says).toBe(
      `The function indexing does not answer at ${url} (it answered 503): start or deploy it, or correct SUPABASE_URL.`,
    );
  });

  test.each<[number, RegExp]>([
    [200, /^Storage answers, and has the bucket files/],
    [401, /^Storage refuses the service's key/],
    [404, /^Storage has no bucket files/],
    [500, /^Storage does not answer at .* \(it answered 500\)/],
  ])("storage that answers %s", async (status, sentence) => {
    const url = await serve({ "GET /storage/v1/bucket/files": status });
    expect((await checkStorage(envWith({ SUPABASE_URL: url }))).says).toMatch(sentence);
  });

  test("a web server that is down, has another URL, or agrees is reported", async () => {
    expect((await checkWeb(envWith({ WEB_URL: nowhere }))).says).toMatch(
      /^The web server does not answer at WEB_URL/,
    );
    const other = await serve({ "GET /health": 200, "POST /v1/health/public": 403 });
    expect((await checkWeb(envWith({ WEB_URL: other }))).says).toMatch(/was started with another WEB_URL/);
    const same = await serve({ "GET /health": 200, "POST /v1/health/public": 405 });
    expect(await checkWeb(envWith({ WEB_URL: same }))).toMatchObject({ level: "ok" });
  });

  test("a model that rejects the key, which is not shown, and one that is down are reported", async () => {
    const url = await serve({ "POST /embeddings": 401, "POST /chat/completions": 401 });
    const OPENAI_API_KEY = "sk-very-secret";
    const refused = await checkModels(envWith({ OPENAI_BASE_URL: url, OPENAI_API_KEY }));
    expect(refused.map(({ says }) => says)).toEqual([
      expect.stringMatching(
        /^The model text-embedding-3-small \(OPENAI_EMBEDDING_MODEL\) .* refuses the key/,
      ),
      expect.stringMatching(/^The model gpt-4\.1-mini \(OPENAI_MODEL\) .* refuses the key/),
    ]);
    const away = await checkModels(envWith({ OPENAI_BASE_URL: nowhere, OPENAI_API_KEY }));
    expect(away.map(({ says }) => says).join()).toMatch(/cannot be reached/);
    expect(JSON.stringify([refused, away])).not.toContain("very-secret");
  });

  test("a mail server that is down is reported", async () => {
    const [finding] = await checkMail(envWith({ SMTP_URL: "smtp://user:very-secret@127.0.0.1:9" }));
    expect(finding?.says).toMatch(
      /^The mail server at 127\.0\.0\.1:9 cannot be used \(.+\): correct SMTP_URL\.$/,
    );
    expect(finding?.says).not.toContain("very-secret");
  });

  test("a reason shows no URL with a password", () => {
    expect(reasonOf(new Error("bad postgres://user:very-secret@host/db here"))).toBe("bad … here");
  });
});

test("the command reports the fault and exits with 1", async () => {
  const data = mkdtempSync(join(dir, "damaged-"));
  writeFileSync(join(data, "secrets.json"), "{}");
  const environment = { PATH: process.env.PATH, HOME: dir, PARLEY_DATA_DIR: data };
  const run = await new Promise<{ code: unknown; output: string }>((done) =>
    execFile(
      process.execPath,
      ["--import", "tsx", "supabase/local/doctor/main.ts"],
      { env: environment },
      (problem, output) => done({ code: problem?.code, output }),
    ),
  );
  expect(run.code).toBe(1);
  expect(run.output).toMatch(
    /One thing is wrong:\n- The file .*secrets\.json is damaged: put it back from a backup/,
  );
});
