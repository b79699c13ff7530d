// Migrations: each runs once and in order, and a released one never changes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fingerprint, migrate, readMigrations } from "../../supabase/local/migrate.ts";
import { isPrepared } from "../../supabase/local/preparation.ts";
import { readReleases, requireReleased } from "../../supabase/local/releases.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;
const dir = mkdtempSync(join(tmpdir(), "parley-migrations-"));
beforeAll(async () => {
  database = await startTestPostgres({ bare: true });
  sql = database.connect("postgres");
});
afterAll(async () => {
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
});

const steps = {
  "20260101000000_first.sql": "create table public.steps (n int); insert into public.steps values (1);",
  "20260102000000_second.sql": "insert into public.steps values (2); -- needs the first",
};

async function files(name: string, contents: Record<string, string>) {
  const folder = join(dir, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(contents)) writeFileSync(join(folder, file), text);
  return readMigrations(folder);
}

describe("migrations", () => {
  it("run once each, in order, recorded as the supabase CLI records them", async () => {
    const first = await files("first", { ...steps, "notes.md": "not a migration" });
    expect(first.map(({ version, name }) => `${version}_${name}`)).toEqual([
      "20260101000000_first",
      "20260102000000_second",
    ]);
    expect(await migrate(sql, first)).toBe(2);
    expect(await migrate(sql, first)).toBe(0);
    expect(await sql`select n from public.steps order by n`).toEqual([{ n: 1 }, { n: 2 }]);
    const rows =
      await sql`select version, name, statements from supabase_migrations.schema_migrations order by 1`;
    expect(rows[0]).toEqual({ version: "20260101000000", name: "first", statements: [first[0]?.sql] });
  });

  it("that fail leave nothing behind and are named", async () => {
    const broken = await files("broken", {
      ...steps,
      "20260103000000_broken.sql": "insert into public.steps values (3); select nothing_like_it();",
    });
    await expect(migrate(sql, broken)).rejects.toThrow(
      /^The migration 20260103000000_broken\.sql failed \(.*\); .*\.$/,
    );
    expect(await sql`select n from public.steps order by n`).toEqual([{ n: 1 }, { n: 2 }]);
    const rows = await sql`select 1 from supabase_migrations.schema_migrations`;
    expect(rows).toHaveLength(2);
  });

  it("are committed with their record or not at all", async () => {
    const version = "20260104000000";
    const unrecordable = await files("unrecordable", {
      ...steps,
      [`${version}_unrecordable.sql`]: `
        create table public.orphan (n int);
        alter table supabase_migrations.schema_migrations add constraint closed check (version <> '${version}');`,
    });
    await expect(migrate(sql, unrecordable)).rejects.toThrow(/failed/);
    const [row] = await sql`select to_regclass('public.orphan') as orphan`;
    expect(row?.orphan).toBeNull();
  });

  it("of a newer Parley are not reverted", async () => {
    await expect(migrate(sql, [])).rejects.toThrow(/^The database was written by a newer Parley .*\.$/);
  });

  it("are refused where the database has run others under their numbers", async () => {
    const changed = await files("changed", { ...steps, "20260102000000_second.sql": "select 1;" });
    await expect(migrate(sql, changed)).rejects.toThrow(
      /^The database has run another migration 20260102000000_second\.sql than the one here, .*\.$/,
    );
  });

  it("are recognised where the supabase CLI ran them, which records them split into statements", async () => {
    const pushed = await files("pushed", steps);
    const statements = ["insert into public.steps values (2)", "-- needs the first"];
    await sql`
      update supabase_migrations.schema_migrations set statements = ${statements} where version = '20260102000000'`;
    expect(await migrate(sql, pushed)).toBe(0);
  });

  it.each(["2026_short.sql", "add_colors.sql", "20260101000000.sql"])(
    "named %s are refused",
    async (name) => {
      await expect(files(`named-${name}`, { ...steps, [name]: "select 1" })).rejects.toThrow(
        /is not named like a migration: <14 digits>_<name>\.sql\.$/,
      );
    },
  );

  it("with duplicate numbers are refused", async () => {
    await expect(files("twins", { ...steps, "20260102000000_other.sql": "" })).rejects.toThrow(
      "Two migrations have the number 20260102000000",
    );
  });

  it("have a fingerprint that any change alters", async () => {
    const one = { version: "1", name: "a", sql: "select 1" };
    expect(fingerprint([one])).toBe(fingerprint([{ ...one }]));
    expect(fingerprint([one])).not.toBe(fingerprint([{ ...one, sql: "select 2" }]));
    expect(fingerprint([one])).not.toBe(fingerprint([one, { ...one, version: "2" }]));
  });

  it("are not skipped on a database without a record of them", async () => {
    expect(await isPrepared(database.url("postgres"), database.url("authenticator"))).toBe(false);
  });
});

describe("released migrations", () => {
  it("are unchanged since their release", async () => {
    const releases = await readReleases();
    expect(Object.keys(releases)).toContain("20261121000000");
    requireReleased(await readMigrations("supabase/migrations"), releases);
  });

  it("are refused when changed, when missing, and when a new one would run before them", async () => {
    const releases = await readReleases();
    const ours = await readMigrations("supabase/migrations");
    const changed = ours.map((one) => ({ ...one, sql: one.sql.replace("natural_order", "other_order") }));
    expect(() => requireReleased(changed, releases)).toThrow(
      /^The migration supabase\/migrations\/20261121000000_first_release\.sql is not as release 1\.0\.0 brought it: .*\.$/,
    );
    expect(() => requireReleased(ours.slice(1), releases)).toThrow(
      /20261121000000_first_release\.sql of release 1\.0\.0 is missing: .*\.$/,
    );
    const early = { version: "20261120000000", name: "early", sql: "" };
    expect(() => requireReleased([early, ...ours], releases)).toThrow(
      /^The migration 20261120000000_early\.sql is numbered before 20261121000000, .*\.$/,
    );
  });
});
