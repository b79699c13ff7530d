// An installation of every past release, with rows in every table, after the migrations since: nothing is lost.
import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPlainText } from "../../edge-functions/_shared/plain-text.ts";
import { FileStorageAdapter } from "../../supabase/local/gateway/file-storage-adapter.ts";
import { migrate, readMigrations, readStanding } from "../../supabase/local/migrate.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import {
  loadRelease,
  readRowsByKey,
  readTables,
  releases,
  storageOf,
  type Table,
} from "../support/releases.ts";
import { readCatalog } from "./catalog.ts";

type Row = Record<string, unknown>;

/** A path that 1.0.0 took through PostgREST and that no object of a team can have. */
const isStray = ({ path }: Row) => !/^teams\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(String(path));

/** A name that 1.0.0 took through PostgREST and that no list can show. */
const isUnreadable = ({ name }: Row) => !isPlainText(String(name));
/** Settings that no connector could read. */
const isNoConfig = ({ type, config }: Row) =>
  type === "jira" && JSON.stringify(config).includes("not a list");

/** What a migration changes in rows that were there, on purpose: in which, and why. */
const changedOnPurpose: Record<string, { where(old: Row): boolean; why: string }> = {
  "public.team_users.user_id": {
    where: (old) => old.status !== "accepted",
    why: "an invitation is to an address, and names no account before it is accepted",
  },
  "public.files.path": { where: isStray, why: "a row made past the product gets a path of its own" },
  "public.files.updated_at": {
    where: (old) => isStray(old) || isUnreadable(old),
    why: "that is a change",
  },
  "public.files.name": { where: isUnreadable, why: "control characters become spaces" },
  "public.agents.name": { where: isUnreadable, why: "control and hidden characters go" },
  "public.agents.updated_at": { where: isUnreadable, why: "that is a change" },
  "public.sources.config": { where: isNoConfig, why: "settings that no connector reads go" },
};

/** Rows that a migration takes away on purpose. */
const removedOnPurpose: Record<string, { where(old: Row): boolean; why: string }> = {
  "private.unwanted_objects": {
    where: isStray,
    why: "such a note would have storage remove what was never the team's",
  },
};

test("there are releases to upgrade from", () => {
  expect(releases).toContain("1.0.0");
});

describe.each(releases)("release %s", (release) => {
  let database: TestPostgres;
  let sql: Sql;
  let before: { table: Table; rows: Map<string, Row> }[];

  beforeAll(async () => {
    database = await startTestPostgres({ bare: true });
    await loadRelease(database.url("postgres"), release);
    sql = database.connect("postgres", { max: 1 });
    before = [];
    for (const table of await readTables(sql)) before.push({ table, rows: await readRowsByKey(sql, table) });
    await migrate(sql, await readMigrations("supabase/migrations"));
  });
  afterAll(() => database.stop());

  test("the fixture has rows in every table", () => {
    expect(before.filter(({ rows }) => rows.size === 0).map(({ table }) => table.name)).toEqual([]);
    expect(before.length).toBeGreaterThan(50);
  });

  test("every migration has run", async () => {
    expect((await readStanding(sql, await readMigrations("supabase/migrations"))).pending).toEqual([]);
  });

  test("every row is there, with the values that it had", async () => {
    const lost: string[] = [];
    const changed: string[] = [];
    for (const { table, rows } of before) {
      const now = await readRowsByKey(sql, table);
      for (const [key, old] of rows) {
        const row = now.get(key);
        if (!row) {
          if (!removedOnPurpose[table.name]?.where(old)) lost.push(`${table.name} ${key}`);
          continue;
        }
        for (const column of table.columns) {
          const [was, is] = [JSON.stringify(old[column]), JSON.stringify(row[column])];
          if (was === is || changedOnPurpose[`${table.name}.${column}`]?.where(old)) continue;
          changed.push(`${table.name}.${column} of ${key}: ${was} → ${is}`);
        }
      }
    }
    expect({ lost, changed }).toEqual({ lost: [], changed: [] });
  });

  test("nothing is removed by retention before an admin says so", async () => {
    expect(await sql`select kind from public.retention where days is null order by kind`).toEqual([
      { kind: "replyPassages" },
      { kind: "slackThreads" },
      { kind: "tasks" },
    ]);
    expect(await sql`select * from private.remove_outgrown(1000)`).toEqual([]);
  });

  test("its schema is that of a new installation", async () => {
    const fresh = await startTestPostgres();
    try {
      const [upgraded, made] = [
        await readCatalog(sql),
        await readCatalog(fresh.connect("postgres", { max: 1 })),
      ];
      // A dump spells out what the owner may do anyway.
      const withoutOwner = (lines: string[]) =>
        lines.map((line) => line.replaceAll(/postgres=\w+\/postgres/g, "").replaceAll(/ +/g, " "));
      for (const kind of Object.keys(made) as (keyof typeof made)[])
        expect(withoutOwner(upgraded[kind])).toEqual(withoutOwner(made[kind]));
    } finally {
      await fresh.stop();
    }
  });

  test("every stored file reads as it was written", async () => {
    const storage = new FileStorageAdapter(storageOf(release));
    const files = await sql<{ path: string; sha256: string }[]>`
      select f.path, f.sha256 from public.files f
        join storage.objects o on o.bucket_id = 'files' and o.name = f.path order by f.path`;
    expect(files.length).toBeGreaterThan(5);
    for (const { path, sha256 } of files) {
      const { body } = await storage.getObject("files", path);
      const hash = createHash("sha256");
      for await (const piece of body as AsyncIterable<Uint8Array>) hash.update(piece);
      expect(hash.digest("hex"), path).toBe(sha256);
    }
  });
});
