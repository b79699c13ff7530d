// A start that cannot succeed gives one sentence that says what to do, and leaves no process running.
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFree, launch, makePlace, type Place } from "../support/local-stack.ts";
import { childrenOf } from "../support/processes.ts";

let place: Place;
beforeAll(async () => {
  place = await makePlace();
});
afterAll(() => place.remove());

async function refusal(only: string, options: { env?: Record<string, string>; pretend?: string } = {}) {
  const stack = launch(place, { only, ...options });
  const code = await stack.ended;
  expect(code).toBe(1);
  expect(childrenOf(stack.pid).size).toBe(0);
  expect(stack.output()).not.toMatch(/^ready /m);
  const sentence = stack.errors().trim();
  expect(sentence).not.toContain("\n");
  expect(sentence).toMatch(/\.$/);
  return sentence;
}

it("a Node that is too old is named", async () => {
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } })`;
  expect(await refusal("mailbox", { pretend: old })).toBe(
    "Parley needs Node 20.19 or newer and this is Node 18.20.4: install a newer one from https://nodejs.org.",
  );
});

it("a full disk is named", async () => {
  const full = `
    import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    fs.statfsSync = () => ({ bavail: 10, bsize: 4096 }); syncBuiltinESMExports();`;
  expect(await refusal("mailbox", { pretend: full })).toMatch(
    /^The disk that holds .* is full: free at least /,
  );
});

it("a port in use is named, with the remedy", async () => {
  const other = createServer().listen(place.port("smtp"), "127.0.0.1");
  try {
    const sentence = await refusal("mailbox");
    expect(sentence).toContain(`Port ${place.port("smtp")} is taken`);
    expect(sentence).toContain("PARLEY_PORT_OFFSET");
  } finally {
    other.close();
  }
});

it("an invalid offset is named", async () => {
  expect(await refusal("mailbox", { env: { PARLEY_PORT_OFFSET: "lots" } })).toMatch(
    /^PARLEY_PORT_OFFSET is "lots"/,
  );
});

it("an unknown process name is refused", async () => {
  expect(await refusal("mailbox,gatewya")).toMatch(/^PARLEY_ONLY names "gatewya"/);
});

it("a data folder that is a file is refused", async () => {
  const path = join(place.dataDir, "file");
  writeFileSync(path, "");
  expect(await refusal("mailbox", { env: { PARLEY_DATA_DIR: path } })).toContain(`${path} is not a folder`);
});

it("damaged secrets are named", async () => {
  const dataDir = join(place.dataDir, "secrets");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "secrets.json"), '{"jwtSecret": "torn');
  expect(await refusal("mailbox", { env: { PARLEY_DATA_DIR: dataDir } })).toMatch(
    /secrets\.json is damaged: /,
  );
});

it("a restore into a new folder that was killed is named, and no empty installation takes its place", async () => {
  const dataDir = join(place.dataDir, "half-restored");
  mkdirSync(join(dataDir, "restoring/storage"), { recursive: true });
  expect(await refusal("mailbox", { env: { PARLEY_DATA_DIR: dataDir } })).toMatch(
    /^A restore into .*half-restored was interrupted .*: run npm run restore -- FILE again, or delete .*\/restoring to start /,
  );
  expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);
});

it.runIf(process.getuid?.() === 0)(
  "another user's folder is refused to root, who leaves no file in it",
  async () => {
    const dataDir = join(place.dataDir, "of-another-user");
    mkdirSync(join(dataDir, "postgres"), { recursive: true });
    writeFileSync(join(dataDir, "postgres/PG_VERSION"), "18\n");
    chownSync(join(dataDir, "postgres/PG_VERSION"), 65_534, 65_534);
    expect(await refusal("postgres,gateway", { env: { PARLEY_DATA_DIR: dataDir } })).toMatch(
      /^The database folder .* belongs to another user than root \(id 65534\): run this as that user, /,
    );
    expect(readdirSync(dataDir)).toEqual(["postgres"]);
  },
);

it("a damaged database is named, and every other process ends", async () => {
  const dataDir = join(place.dataDir, "damaged");
  mkdirSync(join(dataDir, "postgres/global"), { recursive: true });
  writeFileSync(join(dataDir, "postgres/PG_VERSION"), "18\n");
  writeFileSync(join(dataDir, "postgres/global/pg_control"), "nothing of Postgres");
  const sentence = await refusal("postgres,gateway,mailbox", { env: { PARLEY_DATA_DIR: dataDir } });
  expect(sentence).toMatch(/^The database folder .* is damaged/);
  for (const name of ["postgres", "gateway", "mailbox", "smtp"] as const) {
    expect(await isFree(place.port(name))).toBe(true);
  }
});

it("an unreachable external Postgres is named", async () => {
  const env = { DATABASE_URL: "postgres://someone:secret-word@127.0.0.1:9/none" };
  const sentence = await refusal("mailbox", { env });
  expect(sentence).toContain("DATABASE_URL");
  expect(sentence).not.toContain("secret-word");
});
