// The supervisor's settings, secrets and lock, and the environment of each process.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  authenticatorUrl,
  functionEnv,
  gatewayEnv,
  mailboxEnv,
  modelsEnv,
  postgresEnv,
  webEnv,
} from "../../supabase/local/environments.ts";
import { explainFileError } from "../../supabase/local/fatal.ts";
import { answersSign, pidSpace, showSign } from "../../supabase/local/life-sign.ts";
import { lockDataDir, supervisorOf } from "../../supabase/local/lock.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { readSettings } from "../../supabase/local/settings.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "parley-settings-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("settings", () => {
  it("move every port and address by the offset", () => {
    const settings = readSettings({ PARLEY_PORT_OFFSET: "200", PARLEY_DATA_DIR: dir });
    expect(settings).toMatchObject({
      ports: { web: 3200, sdk: 3201, gateway: 54521, postgres: 54522, mailbox: 54524, models: 54530 },
      webUrl: "http://127.0.0.1:3200",
      supabaseUrl: "http://127.0.0.1:54521",
      smtpUrl: "smtp://127.0.0.1:54525",
      dataDir: dir,
    });
    expect(new Set(Object.values(settings.ports)).size).toBe(Object.keys(settings.ports).length);
  });

  it.each(["-1", "1.5", "many", "11204", "70000"])("reject the offset %s in one sentence", (offset) => {
    expect(() => readSettings({ PARLEY_PORT_OFFSET: offset })).toThrow(/^PARLEY_PORT_OFFSET is .*\.$/);
  });

  it.each([
    ["web", "3666", 6666],
    ["sdk", "7079", 10080],
  ])("reject an offset at which browsers refuse the port of %s", (_name, offset, port) => {
    expect(() => readSettings({ PARLEY_PORT_OFFSET: offset })).toThrow(
      `Port ${port} is one that browsers refuse to open: set PARLEY_PORT_OFFSET to another number.`,
    );
  });

  it("create demo accounts only where nobody else can connect, or on request", () => {
    const demo = (env: NodeJS.ProcessEnv) => readSettings(env).demo;
    expect([demo({}), demo({ WEB_URL: "http://localhost:3000" })]).toEqual([true, true]);
    expect([demo({ WEB_URL: "https://app.example.com" }), demo({ WEB_URL: "http://10.0.0.7" })]).toEqual([
      false,
      false,
    ]);
    expect(demo({ WEB_URL: "https://app.example.com", PARLEY_DEMO: "true" })).toBe(true);
    expect(demo({ PARLEY_DEMO: "false" })).toBe(false);
    expect(() => demo({ PARLEY_DEMO: "perhaps" })).toThrow(/^PARLEY_DEMO is .*\.$/);
  });
});

describe("secrets", () => {
  it("are generated once, readable by their owner only, and differ between installations", async () => {
    const first = await loadSecrets(join(dir, "a"));
    expect(await loadSecrets(join(dir, "a"))).toEqual(first);
    expect(statSync(join(dir, "a/secrets.json")).mode & 0o777).toBe(0o600);
    const other = await loadSecrets(join(dir, "b"));
    const shared = Object.values(first).filter((value) => Object.values(other).includes(value));
    expect(shared).toEqual([]);
  });

  it("sign both keys as Supabase does", async () => {
    const { jwtSecret, anonKey, serviceKey } = await loadSecrets(dir);
    const read = async (key: string) =>
      (await jwtVerify(key, new TextEncoder().encode(jwtSecret), { algorithms: ["HS256"] })).payload;
    expect(await read(anonKey)).toMatchObject({ role: "anon", iss: "supabase-local" });
    expect(await read(serviceKey)).toMatchObject({ role: "service_role", iss: "supabase-local" });
  });

  it.each(["{", "{}", '{"jwtSecret":"short"}'])("damaged as %s are never replaced", async (text) => {
    writeFileSync(join(dir, "secrets.json"), text);
    await expect(loadSecrets(dir)).rejects.toThrow(/is damaged/);
    expect(readFileSync(join(dir, "secrets.json"), "utf8")).toBe(text);
  });
});

describe("a process's environment", () => {
  const contextWith = async (env: NodeJS.ProcessEnv) => ({
    settings: readSettings({ PARLEY_DATA_DIR: dir, ...env }),
    secrets: await loadSecrets(dir),
    env: { ...env, HOME: "/home/someone", PATH: "/bin", AWS_SECRET_ACCESS_KEY: "mine", NODE_OPTIONS: "--x" },
  });

  it("calls the gateway on this machine, whatever address others use", async () => {
    const context = await contextWith({ SUPABASE_URL: "https://api.example.com" });
    for (const env of [functionEnv(context, "v1"), functionEnv(context, "indexing"), webEnv(context)])
      expect(env).toMatchObject({
        SUPABASE_URL: "https://api.example.com",
        SUPABASE_INTERNAL_URL: "http://127.0.0.1:54321",
      });
  });

  it("has no secret that it does not use", async () => {
    const context = await contextWith({});
    const { secrets } = context;
    const holds = (env: Record<string, string>) =>
      Object.entries(secrets)
        .filter(([, value]) => Object.values(env).some((text) => text.includes(value)))
        .map(([name]) => name)
        .sort();
    expect(holds(webEnv(context))).toEqual(["cookieSecret"]);
    expect(holds(mailboxEnv(context))).toEqual([]);
    expect(holds(modelsEnv(context))).toEqual([]);
    expect(holds(postgresEnv(context))).toEqual(["authenticatorPassword", "postgresPassword"]);
    expect(holds(await gatewayEnv(context))).toEqual([
      "anonKey",
      "jwtSecret",
      "postgresPassword",
      "serviceKey",
    ]);
    expect(holds(functionEnv(context, "v1"))).toEqual([
      "anonKey",
      "authenticatorPassword",
      "jwtSecret",
      "secretsKey",
      "serviceKey",
    ]);
    for (const env of [webEnv(context), functionEnv(context, "v1"), mailboxEnv(context)]) {
      expect(env).not.toHaveProperty("AWS_SECRET_ACCESS_KEY");
      expect(env).not.toHaveProperty("NODE_OPTIONS");
    }
  });

  it("has the sender of mails where mails are sent, if one is set", async () => {
    const none = await contextWith({ MAIL_FROM: "" });
    for (const env of [await gatewayEnv(none), functionEnv(none, "v1")])
      expect(env).not.toHaveProperty("MAIL_FROM");
    const own = await contextWith({ MAIL_FROM: "Acme <help@acme.test>" });
    for (const env of [await gatewayEnv(own), functionEnv(own, "v1"), functionEnv(own, "indexing")])
      expect(env).toMatchObject({ MAIL_FROM: "Acme <help@acme.test>" });
  });

  it("calls our own services directly where the machine has a proxy", async () => {
    const proxiesOf = async (env: NodeJS.ProcessEnv) => {
      const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = functionEnv(await contextWith(env), "v1");
      return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
    };
    expect(await proxiesOf({ NO_PROXY: "intra.test" })).toEqual({});
    expect(await proxiesOf({ HTTP_PROXY: "http://p.test:3128", NO_PROXY: "intra.test" })).toEqual({
      HTTP_PROXY: "http://p.test:3128",
      NO_PROXY: "intra.test,127.0.0.1,localhost,::1",
    });
    expect(await proxiesOf({ https_proxy: "http://p.test:3128" })).toEqual({
      HTTPS_PROXY: "http://p.test:3128",
      NO_PROXY: "127.0.0.1,localhost,::1",
    });
  });

  it("has the offline models until the user sets others", async () => {
    expect(functionEnv(await contextWith({}), "v1")).toMatchObject({
      OPENAI_BASE_URL: "http://127.0.0.1:54330/v1",
      OPENAI_MODEL: "offline-extract",
    });
    const own = functionEnv(await contextWith({ OPENAI_API_KEY: "sk-x" }), "v1");
    expect(own).toMatchObject({ OPENAI_API_KEY: "sk-x" });
    expect(own).not.toHaveProperty("OPENAI_BASE_URL");
    expect(webEnv(await contextWith({}))).toMatchObject({ PARLEY_MODELS: "offline" });
    expect(webEnv(await contextWith({ OPENAI_BASE_URL: "http://o/v1" }))).toMatchObject({
      PARLEY_MODELS: "live",
    });
  });

  it("names the functions' role after the database, so that two on one server have one each", async () => {
    const name = async (url: string) =>
      new URL(authenticatorUrl(await contextWith({ DATABASE_URL: url }))).username;
    expect(await name("postgres://me@db.test/first")).not.toBe(await name("postgres://me@db.test/second"));
    expect(await name("postgres://me@db.test")).toBe("authenticator_me");
    const long = await name(`postgres://me@db.test/${"x".repeat(60)}`);
    expect(long).toMatch(/^authenticator_[0-9a-f]{16}$/);
  });

  it("gives functions the authenticator's login on an external Postgres", async () => {
    const context = await contextWith({
      DATABASE_URL: "postgres://root:pw@db.test:6543/app?sslmode=require",
    });
    const url = new URL(authenticatorUrl(context));
    expect(url.username).toBe("authenticator_app");
    expect(url.password).toBe(context.secrets.authenticatorPassword);
    expect(url.host + url.pathname + url.search).toBe("db.test:6543/app?sslmode=require");
  });
});

describe("the lock", () => {
  it("admits one supervisor per folder until it is released", () => {
    const lock = lockDataDir(dir);
    expect(lock.tookOver).toBe(false);
    expect(() => lockDataDir(dir)).toThrow(/^Parley already runs on the data folder .*\.$/);
    lock.release();
    lockDataDir(dir).release();
  });

  it.each([
    ["a process that is gone", JSON.stringify({ pid: 2 ** 22 + 1, started: "1" })],
    ["a number that another process has now", JSON.stringify({ pid: process.pid, started: "1" })],
    ["a torn file", '{"pid"'],
  ])("is not held by %s", (_name, text) => {
    writeFileSync(join(dir, "supervisor.lock"), text);
    const lock = lockDataDir(dir);
    expect(lock.tookOver).toBe(true);
    lock.release();
  });

  describe.skipIf(pidSpace() === "")("of a process in another container", () => {
    const path = () => join(dir, "supervisor.lock");
    const writeForeign = (sign: string) =>
      writeFileSync(path(), JSON.stringify({ pid: 2 ** 22 + 1, started: "1", space: "pid:[1]", sign }));

    it("is held while that process shows its sign, though its pid means nothing here", () => {
      const sign = showSign(join(dir, "other.sign"));
      writeForeign(sign?.name ?? "");
      expect(() => lockDataDir(dir)).toThrow(/^Parley already runs on the data folder /);
      sign?.end();
      const lock = lockDataDir(dir);
      expect(lock.tookOver).toBe(true);
      lock.release();
      expect(readdirSync(dir)).toEqual([]);
    });

    it("is not held once that process was killed, which leaves the sign's file", async () => {
      const listen = `require("node:net").createServer().listen(${JSON.stringify(join(dir, "other.sign"))}, () => process.kill(process.pid, "SIGKILL"))`;
      await once(spawn(process.execPath, ["-e", listen]), "exit");
      writeForeign("other.sign");
      expect(readdirSync(dir).sort()).toEqual(["other.sign", "supervisor.lock"]);
      const lock = lockDataDir(dir);
      expect(lock.tookOver).toBe(true);
      lock.release();
      expect(readdirSync(dir)).toEqual([]);
    });

    it("is not held in a copy of the folder, whose original is in use", () => {
      const lock = lockDataDir(join(dir, "original"));
      const copy = join(dir, "copy");
      execFileSync("cp", ["-a", join(dir, "original"), copy]);
      expect(supervisorOf(join(dir, "original"))).toBe(process.pid);
      expect(supervisorOf(copy)).toBe(undefined);
      lockDataDir(copy).release();
      expect(readdirSync(copy)).toEqual([]);
      lock.release();
    });

    it("is told to them in the same way, from a folder with a long name", () => {
      const long = join(dir, "x".repeat(200));
      const lock = lockDataDir(long);
      const { space, sign } = JSON.parse(readFileSync(join(long, "supervisor.lock"), "utf8"));
      expect(space).toBe(pidSpace());
      expect(answersSign(long, sign)).toBe(true);
      lock.release();
      expect(answersSign(long, sign)).toBe(false);
    });
  });

  it("reports in one sentence that the folder is a file", () => {
    const path = join(dir, "file");
    mkdirSync(dir, { recursive: true });
    writeFileSync(path, "");
    try {
      lockDataDir(path);
      expect.unreachable();
    } catch (error) {
      expect(explainFileError(error, path)).toMatch(/is not a folder: .*\.$/);
    }
  });
});
