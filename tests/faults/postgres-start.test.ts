// Failed starts of the embedded Postgres: each ends for good with one sentence that says what to do, and leaves the folder untouched.

import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../supabase/local/postgres/server.ts";
import { copyTemplate } from "../support/postgres.ts";
import { PostgresProcess, reservePostgres } from "../support/postgres-process.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-start-"));
const { offset, port } = await reservePostgres();
/** A complete database, copied and damaged by the tests. */
let whole: string;

beforeAll(async () => {
  ({ folder: whole } = await copyTemplate("bare"));
  const running = await new PostgresProcess(whole, offset).ready();
  await running.connect()`create table kept as select 'here' as word`;
  await running.kill("SIGTERM");
});
afterAll(() => {
  for (const path of [folder, whole]) rmSync(path, { recursive: true, force: true });
});

function copy(name: string): string {
  const dataDir = join(folder, name);
  cpSync(whole, dataDir, { recursive: true });
  return dataDir;
}

/** The sentence with which the process ends, for good. */
async function fails(dataDir: string, env: Record<string, string> = {}, at = offset): Promise<string> {
  const { code, stderr } = await new PostgresProcess(dataDir, at, env).ended;
  expect(code).toBe(64);
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  return stderr;
}

describe("a failed start", () => {
  it("names the port in use", async () => {
    const squatter: Server = createServer().listen(port, "127.0.0.1");
    const sentence = await fails(copy("port"));
    squatter.close();
    expect(sentence).toMatch(new RegExp(`^Port ${port} is taken .* PARLEY_PORT_OFFSET`));
  });

  it("waits for a connection that has the port", async () => {
    const server: Server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(server, "listening");
    // The kernel picks its port, from the range in which ours are.
    const holder = connect((server.address() as AddressInfo).port, "127.0.0.1");
    await once(holder, "connect");
    const port = holder.localPort ?? 0;
    const passwords = { postgres: "a", authenticator: "b" };
    const starting = startPostgres({ dataDir: join(copy("held"), "postgres"), port, passwords });
    const listens = starting.then(() => "listens");
    expect(await Promise.race([listens, sleep(3000, "waits")])).toBe("waits");
    holder.resetAndDestroy();
    const running = await starting;
    expect(running.port).toBe(port);
    await running.stop();
    server.close();
  });

  it("names the running copy that uses the folder, and takes over from a dead one", async () => {
    const dataDir = copy("used");
    const first = await new PostgresProcess(dataDir, offset).ready();
    const sentence = await fails(dataDir, {}, offset + 1);
    expect(sentence).toMatch(new RegExp(`^The database folder .* in use .*process ${first.child.pid}`));
    expect(await first.connect()`select word from kept`).toEqual([{ word: "here" }]);
    await first.kill("SIGKILL");
    expect(existsSync(join(dataDir, "postgres.lock"))).toBe(true);
    const third = await new PostgresProcess(dataDir, offset).ready();
    expect(await third.connect()`select word from kept`).toEqual([{ word: "here" }]);
    await third.kill("SIGTERM");
    expect(readdirSync(dataDir)).toEqual(["postgres"]);
  });

  it("names the version of another version's folder", async () => {
    const dataDir = copy("version");
    writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "16\n");
    expect(await fails(dataDir)).toContain("was made by Postgres 16");
  });

  const damages: [string, (postgres: string) => void][] = [
    [
      "a folder of something else",
      (at) => {
        rmSync(at, { recursive: true });
        mkdirSync(at);
        writeFileSync(join(at, "notes.txt"), "mine");
      },
    ],
    ["no pg_control", (at) => rmSync(join(at, "global", "pg_control"))],
    ["a cut pg_control", (at) => truncateSync(join(at, "global", "pg_control"), 10)],
    ["a pg_control of noise", (at) => writeFileSync(join(at, "global", "pg_control"), Buffer.alloc(8192, 7))],
    [
      "no log",
      (at) => {
        rmSync(join(at, "pg_wal"), { recursive: true });
        mkdirSync(join(at, "pg_wal"));
      },
    ],
    ["no catalogue", (at) => rmSync(join(at, "base"), { recursive: true })],
    [
      "no global catalogue",
      (at) => {
        for (const name of readdirSync(join(at, "global"))) {
          if (name !== "pg_control") rmSync(join(at, "global", name));
        }
      },
    ],
  ];
  it.each(damages)("reports a damaged folder: %s", async (name, damage) => {
    const dataDir = copy(name.replaceAll(" ", "-"));
    damage(join(dataDir, "postgres"));
    const sentence = await fails(dataDir);
    expect(sentence).toContain(`The database folder ${join(dataDir, "postgres")} is damaged (`);
    expect(sentence).toContain("backup");
  });

  it("names missing settings", async () => {
    expect(await fails(copy("settings"), { POSTGRES_PASSWORD: "" })).toContain("POSTGRES_PASSWORD");
    expect(await fails(copy("offset"), { PARLEY_PORT_OFFSET: "99999" })).toContain("PARLEY_PORT_OFFSET");
  });

  it("names a read-only folder", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    expect(await fails(join(file, "below"))).toContain("PARLEY_DATA_DIR");
  });
});
