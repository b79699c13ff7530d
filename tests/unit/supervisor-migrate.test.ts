import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fingerprint, migrate, readMigrations } from "../../supabase/local/migrate.ts";
import { isPrepared } from "../../supabase/local/preparation.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";

let database: TestPostgres;
let sql: Sql;
const dir = mkdtempSync(join(tmpdir(), "parley-migrations-"));
beforeAll(async () => {
  database = await startTestPostgres({ bare: true });
  sql = database.connect("postgres");
}, 90_000);
afterAll(async () => {
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function files(name: string, contents: Record<string, string>) {
  const folder = join(dir, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(contents)) writeFileSync(join(folder, file), text);
  return readMigrations(folder);
}

describe("migrations", () => {
  it("run once each, in order, recorded as the supabase CLI records them", async () => {
    const first = await files("first", {
      "20260102000000_second.sql": "insert into public.steps values (2); -- needs the first",
      "20260101000000_first.sql": "create table public.steps (n int); insert into public.steps values (1);",
      "notes.md": "not a migration",
    });
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

  it("that fail leave nothing behind and say which one it was", async () => {
    const broken = await files("broken", {
      "20260101000000_first.sql": "",
      "20260102000000_second.sql": "",
      "20260103000000_broken.sql": "insert into public.steps values (3); select nothing_like_it();",
    });
    await expect(migrate(sql, broken)).rejects.toThrow(
      /^The migration 20260103000000_broken\.sql failed \(.*\); .*\.$/,
    );
    expect(await sql`select n from public.steps order by n`).toEqual([{ n: 1 }, { n: 2 }]);
    const rows = await sql`select 1 from supabase_migrations.schema_migrations`;
    expect(rows).toHaveLength(2);
  });

  it("are kept together with their record or not at all", async () => {
    const version = "20260104000000";
    const unrecordable = await files("unrecordable", {
      "20260101000000_first.sql": "",
      "20260102000000_second.sql": "",
      [`${version}_unrecordable.sql`]: `
        create table public.orphan (n int);
        alter table supabase_migrations.schema_migrations add constraint closed check (version <> '${version}');`,
    });
    await expect(migrate(sql, unrecordable)).rejects.toThrow(/failed/);
    const [row] = await sql`select to_regclass('public.orphan') as orphan`;
    expect(row?.orphan).toBeNull();
  });

  it("of a newer Parley are not run backwards", async () => {
    await expect(migrate(sql, [])).rejects.toThrow(/^The database was written by a newer Parley .*\.$/);
  });

  it("have a fingerprint that any change changes", async () => {
    const one = { version: "1", name: "a", sql: "select 1" };
    expect(fingerprint([one])).toBe(fingerprint([{ ...one }]));
    expect(fingerprint([one])).not.toBe(fingerprint([{ ...one, sql: "select 2" }]));
    expect(fingerprint([one])).not.toBe(fingerprint([one, { ...one, version: "2" }]));
  });

  it("are not taken for done on a database that knows nothing of it", async () => {
    expect(await isPrepared(database.url("postgres"), "password")).toBe(false);
  });
});
