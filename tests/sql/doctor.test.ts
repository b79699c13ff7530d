// The doctor on a faulty database: each fault is caused, and its sentence read.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Sealing } from "../../edge-functions/_shared/secrets/sealing.ts";
import {
  checkDemoAccounts,
  checkLogin,
  checkMigrations,
  checkRoles,
  checkServer,
  checkStart,
  checkVector,
} from "../../supabase/local/doctor/database.ts";
import {
  checkFiles,
  checkQueue,
  checkSchedule,
  checkStoredSecrets,
  checkTicks,
} from "../../supabase/local/doctor/work.ts";
import { objectFile } from "../../supabase/local/gateway/object-file.ts";
import { makeSmallTeams } from "../native/teams.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;
let owner: string;
let functions: string;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  [owner, functions] = [database.url("postgres"), database.url("authenticator")];
});
afterAll(() => database.stop());

describe("a login", () => {
  test("that works, and one that does not, are reported without the password", async () => {
    expect(await checkLogin("DATABASE_URL", owner)).toMatchObject({ level: "ok" });
    const nobody = new URL(owner);
    nobody.port = "9";
    nobody.password = "very-secret";
    const { level, says } = await checkLogin("DATABASE_URL", nobody.href);
    expect([level, says]).toEqual([
      "error",
      expect.stringMatching(
        /^The database does not let postgres at 127\.0\.0\.1:9 in \(.+\): start it, or correct DATABASE_URL\.$/,
      ),
    ]);
    expect(says).not.toContain("very-secret");
  });

  test("with an invalid address is reported", async () => {
    expect((await checkLogin("DATABASE_URL", "not an address")).says).toMatch(
      /^DATABASE_URL is not an address of/,
    );
  });
});

test("a correct server, and a missing or outdated extension, are reported", async () => {
  expect((await checkServer(owner)).map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
  expect([checkVector("0.8.7").level, checkVector("1.0").level]).toEqual(["ok", "ok"]);
  expect(checkVector(null).says).toMatch(/^The extension vector is not in the database: install/);
  expect(checkVector("0.5.1").says).toMatch(/^pgvector is 0\.5\.1, and Parley needs 0\.7 or later/);
});

describe("migrations", () => {
  const judge = () => checkMigrations(owner, false);
  /** Changes the record, checks, and restores it. */
  async function withRecord(change: string): Promise<string> {
    await sql`create table private.kept as select * from supabase_migrations.schema_migrations`;
    try {
      await sql.unsafe(change);
      const { level, says } = await judge();
      expect(level).toBe("error");
      return says;
    } finally {
      await sql`delete from supabase_migrations.schema_migrations`;
      await sql`insert into supabase_migrations.schema_migrations select * from private.kept`;
      await sql`drop table private.kept`;
    }
  }

  test("that have all run are accepted", async () => {
    expect(await judge()).toEqual({ level: "ok", says: "The database has run every migration." });
  });

  test("that have not run are reported", async () => {
    const says = await withRecord(
      "delete from supabase_migrations.schema_migrations where version = '20261122110302'",
    );
    expect(says).toBe(
      "The database is older than this copy: schedule_history has not run. Run the migrations (npm start).",
    );
  });

  test("of a newer Parley, and a changed one, are reported", async () => {
    expect(
      await withRecord(
        "insert into supabase_migrations.schema_migrations (version) values ('29990101000000')",
      ),
    ).toMatch(/^The database was written by a newer Parley/);
    expect(
      await withRecord(
        "update supabase_migrations.schema_migrations set statements = '{other}' where version = '20261122110302'",
      ),
    ).toMatch(/^The database has run another migration 20261122110302_schedule_history\.sql/);
  });

  test("that the functions' login cannot read are reported", async () => {
    expect(await checkMigrations(functions, true)).toMatchObject({
      level: "notice",
      says: expect.stringMatching(/SUPABASE_DB_URL/),
    });
  });
});

describe("roles", () => {
  test("that are correct are accepted, and the owner as the functions' login is reported", async () => {
    expect(await checkRoles(owner, functions)).toMatchObject([{ level: "ok" }]);
    expect(await checkRoles(owner, owner)).toMatchObject([
      {
        level: "notice",
        says: expect.stringMatching(/^The functions log in as postgres, which row-level security/),
      },
    ]);
  });

  test("that the functions' login cannot become are reported", async () => {
    await sql`revoke anon from authenticator`;
    try {
      expect(await checkRoles(owner, functions)).toMatchObject([
        {
          level: "error",
          says: "The functions' login authenticator cannot become anon: grant anon to authenticator.",
        },
      ]);
    } finally {
      await sql`grant anon to authenticator`;
    }
  });

  test("of a restored database are made by its first start", async () => {
    const none = functions.replace("authenticator", "not_made_yet");
    expect(await checkStart(owner, functions)).toBeUndefined();
    expect(await checkStart(owner, none)).toMatchObject({
      level: "notice",
      says: expect.stringMatching(/^Parley has not started on this database since it was restored/),
    });
    await sql`create table supabase_migrations.prepared (fingerprint text primary key)`;
    await sql`insert into supabase_migrations.prepared values ('of an earlier start')`;
    expect(await checkStart(owner, none)).toBeUndefined();
    await sql`drop table supabase_migrations.prepared`;
  });

  test("whose login is refused are reported", async () => {
    const wrong = functions.replace("/authenticator:", "/nobody:");
    expect(await checkRoles(owner, wrong)).toMatchObject([
      {
        level: "error",
        says: expect.stringMatching(/^The edge functions cannot log in to the database as nobody/),
      },
    ]);
  });
});

test("accounts with published passwords are reported where others can connect", async () => {
  const open = "https://app.example.com";
  expect(await checkDemoAccounts(owner, open)).toMatchObject([{ level: "ok" }]);
  await sql`insert into auth.users (id, email) values (${randomUUID()}, 'admin@parley.test')`;
  expect(await checkDemoAccounts(owner, open)).toMatchObject([
    {
      level: "error",
      says: expect.stringMatching(/^Everybody knows the password of admin@parley\.test, and WEB_URL is open/),
    },
  ]);
  expect(await checkDemoAccounts(owner, "http://127.0.0.1:3000")).toEqual([]);
});

test("stored secrets are reported: sealed with the first key, with an earlier one, with none", async () => {
  const [old, fresh] = ["o".repeat(32), "n".repeat(32)] as const;
  await sql`insert into private.slack_installations (workspace_id, bot_user_id, tokens)
            values ('T1', 'U1', ${new Sealing([old]).seal("tokens", "slack:T1")})`;
  expect(await checkStoredSecrets(functions, [old])).toMatchObject([{ level: "ok" }]);
  expect(await checkStoredSecrets(functions, [fresh, old])).toEqual([
    {
      level: "notice",
      says: "1 stored secrets are sealed with an earlier key: run npm run secrets:rotate before you drop it.",
    },
  ]);
  expect(await checkStoredSecrets(functions, [fresh])).toMatchObject([
    {
      level: "error",
      says: expect.stringMatching(
        /^1 stored secrets open with no key of SECRETS_KEY, private\.slack_installations T1/,
      ),
    },
  ]);
});

test("files without bytes are reported: none, one, in a folder that is not theirs", async () => {
  const storage = mkdtempSync(join(tmpdir(), "parley-doctor-"));
  try {
    const [team] = await makeSmallTeams(sql, 1);
    const paths = [randomUUID(), randomUUID()].map((id) => `teams/${team?.id}/${id}`);
    for (const path of paths) {
      await sql`
        insert into public.files (team_id, name, type, content_type, size, path, sha256)
        values (${team?.id ?? ""}, 'a.txt', 'document', 'text/plain', 1, ${path}, ${"0".repeat(64)})`;
      const file = objectFile(storage, "files", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "a");
    }
    expect(await checkFiles(functions, storage)).toEqual({
      level: "ok",
      says: "The bytes of all 2 files are there.",
    });
    rmSync(objectFile(storage, "files", paths[0] ?? ""));
    expect(await checkFiles(functions, storage)).toEqual({
      level: "error",
      says: expect.stringContaining(`The bytes of 1 of 2 files are not in ${storage}, ${paths[0]} for one: `),
    });
    expect((await checkFiles(functions, join(storage, "of-another"))).says).toContain("of 2 of 2 files");
  } finally {
    rmSync(storage, { recursive: true });
    await sql`delete from public.teams`;
  }
});

test("the queue is reported: empty, waiting long, with dead workers", async () => {
  expect(await checkQueue(functions, true)).toMatchObject([{ level: "ok" }]);
  const [team] = await makeSmallTeams(sql, 1);
  await sql`insert into public.tasks (team_id, type, key, run_after)
            values (${team?.id ?? ""}, 'index', ${randomUUID()}, now() - interval '3 hours')`;
  expect(await checkQueue(functions, true)).toEqual([
    {
      level: "error",
      says: "1 tasks wait, the oldest for 3 hours: look at the indexing function's log, and whether anything calls it.",
    },
  ]);
  expect(await checkQueue(functions, false)).toMatchObject([{ level: "notice" }]);
  await sql`update public.tasks set status = 'running', lease_until = now() - interval '1 hour'`;
  expect(await checkQueue(functions, true)).toMatchObject([
    { level: "error", says: expect.stringMatching(/^1 tasks belong to workers that are gone/) },
  ]);
  await sql`delete from public.tasks`;
});

test("calls of the indexing function are reported: none, recent, long ago", async () => {
  const note = (ago: string) => sql`
    insert into private.rate_limits (key, window_start) values ('sweep:retention', now() - ${ago}::interval)`;
  expect((await checkTicks(functions)).says).toMatch(
    /^The indexing function was not called in the last days/,
  );
  await note("1 hour");
  expect((await checkTicks(functions)).says).toMatch(/^The indexing function was last called 60 minutes ago/);
  await note("1 minute");
  expect(await checkTicks(functions)).toMatchObject({ level: "ok" });
});

test("the schedule is reported: without pg_cron, without jobs, without the vault's secrets, complete", async () => {
  expect(await checkSchedule(owner)).toMatchObject([{ level: "notice" }]);
  await sql.unsafe(`
    create schema cron;
    create schema vault;
    create table cron.job (jobname text, active boolean);
    create table vault.decrypted_secrets (name text)`);
  await sql`insert into cron.job values ('parley-indexing', true), ('parley-slack', false)`;
  expect((await checkSchedule(owner))[0]?.says).toMatch(/^pg_cron has no active job parley-slack:/);
  await sql`update cron.job set active = true`;
  expect((await checkSchedule(owner))[0]?.says).toMatch(/^The vault lacks/);
  await sql`insert into vault.decrypted_secrets values ('parley_functions_url'), ('parley_secret_key')`;
  expect(await checkSchedule(owner)).toMatchObject([{ level: "ok" }]);
});
