// Files that are added to a knowledge base: a further source takes those for which its own has no room, and none is listed twice.
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;
let db: typeof import("../../edge-functions/_shared/database/db.ts");
let knowledges: typeof import("../../edge-functions/v1/knowledges/queries.ts");

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
  stubSettings({ DATABASE_URL: database.url("authenticator") });
  db = await import("../../edge-functions/_shared/database/db.ts");
  knowledges = await import("../../edge-functions/v1/knowledges/queries.ts");
});
afterAll(async () => {
  await db.closeDatabase();
  vi.unstubAllEnvs();
  await database.stop();
});

async function makeFiles(count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into public.files (team_id, name, type, content_type, size, path, sha256)
    select ${world.team}, n || '.md', 'document', 'text/markdown', 1, 'teams/' || ${world.team} || '/' || private.uuid_v7(), repeat('a', 64)
      from generate_series(1, ${count}::int) as n
    returning id`;
  return rows.map(({ id }) => id);
}

test("a knowledge base of as many files as a source lists takes more, in another source of its own", async () => {
  const files = await makeFiles(5001);
  const [first = "", second = "", third = "", ...others] = files;
  const [full = ""] = (
    await sql<{ id: string }[]>`
      insert into public.sources (team_id, type, name, config)
      values (${world.team}, 'file', 'Files', ${sql.json({ fileIds: [first, ...others] })}) returning id`
  ).map(({ id }) => id);
  const add = (fileIds: string[], sourceIds?: string[]) =>
    db.asCaller({ role: "authenticated", sub: world.people.owner }, (tx) =>
      knowledges.updateKnowledge(tx, world.team, world.otherKnowledge, { sourceIds, fileIds }),
    );
  const countFiles = async () => {
    const rows = await sql<{ files: number }[]>`
      select jsonb_array_length(s.config -> 'fileIds') as files
        from public.knowledge_sources ks join public.sources s on s.id = ks.source_id
       where ks.knowledge_id = ${world.otherKnowledge} order by ks.created_at, s.id`;
    return rows.map((row) => row.files);
  };
  await add([first], [full]);
  expect(await countFiles()).toEqual([4999]);
  await add([first, second, third]);
  expect(await countFiles()).toEqual([4999, 2]);
  await add([third, first]);
  expect(await countFiles()).toEqual([4999, 2]);
});
