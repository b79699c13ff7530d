// Every past release's installation, with rows in every table, after the migrations since: nothing is lost.
import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileStorageAdapter } from "../../supabase/local/gateway/file-storage-adapter.ts";
import { migrate, readMigrations, readStanding } from "../../supabase/local/migrate.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { loadRelease, releases, storageOf } from "../support/releases.ts";
import { findLosses, type Snapshot, takeSnapshot } from "../support/upgrade-losses.ts";
import { readCatalog } from "./catalog.ts";

test("there are releases to upgrade from", () => {
  expect(releases).toContain("1.0.0");
});

describe.each(releases)("release %s", (release) => {
  let database: TestPostgres;
  let sql: Sql;
  let before: Snapshot;

  beforeAll(async () => {
    database = await startTestPostgres({ bare: true });
    await loadRelease(database.url("postgres"), release);
    sql = database.connect("postgres", { max: 1 });
    before = await takeSnapshot(sql);
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

  test("every row exists, with its values", async () => {
    expect(await findLosses(sql, before)).toEqual([]);
  });

  test("retention removes nothing before an admin sets it", async () => {
    expect(await sql`select kind from public.retention where days is null order by kind`).toEqual([
      { kind: "handovers" },
      { kind: "replyPassages" },
      { kind: "slackThreads" },
      { kind: "tasks" },
    ]);
    expect(await sql`select * from private.remove_outgrown(1000)`).toEqual([]);
  });

  test("every passage is found by the words of a passage indexed today", async () => {
    const [row] = await sql<{ passages: number; others: number }[]>`
      select count(*)::int as passages, count(*) filter (where w.words is distinct from
             private.chunk_words(k.language, d.title, c.heading, c.content))::int as others
        from public.chunks c join public.documents d on d.id = c.document_id
        join public.knowledges k on k.id = c.knowledge_id
        left join public.chunk_words w on w.chunk_id = c.id`;
    expect(row?.passages).toBeGreaterThan(5);
    expect(row?.others).toBe(0);
  });

  test("its schema is that of a new installation", async () => {
    const fresh = await startTestPostgres();
    try {
      const [upgraded, made] = [
        await readCatalog(sql),
        await readCatalog(fresh.connect("postgres", { max: 1 })),
      ];
      // A dump spells out the owner's implied grants.
      const withoutOwner = (lines: string[]) =>
        lines.map((line) => line.replaceAll(/postgres=\w+\/postgres/g, "").replaceAll(/ +/g, " "));
      for (const kind of Object.keys(made) as (keyof typeof made)[])
        expect(withoutOwner(upgraded[kind])).toEqual(withoutOwner(made[kind]));
    } finally {
      await fresh.stop();
    }
  });

  test("every stored file is unchanged", async () => {
    const storage = new FileStorageAdapter(storageOf(release), async () => true);
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
