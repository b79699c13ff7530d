// Proves that the migrations, replayed on an empty database, produce the schema of sql/.
import { readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSchema } from "../../supabase/local/schema.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { type Catalog, readCatalog, readRows } from "./catalog.ts";

let migrated: TestPostgres;
let declared: TestPostgres;
let fromMigrations: { catalog: Catalog; rows: string[] };
let fromSources: { catalog: Catalog; rows: string[] };

async function read(sql: Sql) {
  return { catalog: await readCatalog(sql), rows: await readRows(sql) };
}

/** Drops all of our objects and recreates them from sql/, on the same base as the migrations. */
async function rebuild(sql: Sql) {
  await sql.unsafe("drop schema public, private, extensions cascade");
  await sql.unsafe(
    "create schema public authorization pg_database_owner; grant usage on schema public to public",
  );
  await sql.unsafe(readFileSync("supabase/local/postgres/init.sql", "utf8"));
  for (const { name, text } of readSchema())
    await sql.unsafe(text).catch((error: Error) => {
      throw new Error(`sql/${name}: ${error.message}`);
    });
}

beforeAll(async () => {
  migrated = await startTestPostgres();
  fromMigrations = await read(migrated.connect("postgres", { max: 1 }));
  declared = await startTestPostgres();
  const sql = declared.connect("postgres", { max: 1, connection: { search_path: "public, extensions" } });
  await rebuild(sql);
  fromSources = await read(sql);
});

afterAll(async () => {
  await migrated?.stop();
  await declared?.stop();
});

describe("replaying supabase/migrations produces the schema of sql/ (if not: write a migration)", () => {
  test.each([
    "schemas",
    "extensions",
    "relations",
    "columns",
    "sequences",
    "constraints",
    "indexes",
    "policies",
    "functions",
    "triggers",
    "types",
  ] as const)("%s are equal", (kind) => {
    expect(fromMigrations.catalog[kind]).toEqual(fromSources.catalog[kind]);
  });

  test("seeded rows are equal", () => {
    expect(fromMigrations.rows.filter((line) => line.startsWith("roles ")).length).toBe(4);
    expect(fromMigrations.rows).toEqual(fromSources.rows);
  });

  test("the lists are not empty", () => {
    const { types: _none, ...kinds } = fromMigrations.catalog;
    for (const lines of Object.values(kinds)) expect(lines.length).toBeGreaterThan(0);
  });
});
