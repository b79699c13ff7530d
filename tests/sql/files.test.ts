// A file's path: exactly teams/{team}/{uuid}, whoever writes the row, and no client writes it.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPostgres, type TestPostgres } from "../support/postgres.ts";
import fc from "../support/property-cases.ts";
import { fileRow } from "./content-rows.ts";
import { makeWorld, type World } from "./world.ts";

let database: TestPostgres;
let sql: Sql;
let world: World;

beforeAll(async () => {
  database = await startTestPostgres();
  sql = database.connect("postgres", { max: 1 });
  world = await makeWorld(sql);
});

afterAll(() => database.stop());

const insert = (path: string) => {
  const id = randomUUID();
  return sql`insert into public.files ${sql({ ...fileRow(world, id), path })}`;
};

describe("a file's path", () => {
  const hostile: Record<string, (team: string, other: string) => string> = {
    "climbs to another service": (team) =>
      `teams/${team}/../../../../../../rest/v1/agents?select=instructions`,
    "climbs to another team": (team, other) => `teams/${team}/../${other}/${randomUUID()}`,
    "climbs, encoded": (team, other) => `teams/${team}/%2e%2e/${other}/${randomUUID()}`,
    "names another team": (_team, other) => `teams/${other}/${randomUUID()}`,
    "has more behind it": (team) => `teams/${team}/${randomUUID()}/x`,
    "has a query": (team) => `teams/${team}/${randomUUID()}?download=1`,
    "has a line more": (team) => `teams/${team}/${randomUUID()}\n`,
    "has no file": (team) => `teams/${team}/`,
    "is in capitals": (team) => `teams/${team}/${randomUUID().toUpperCase()}`,
  };

  test.each(Object.entries(hostile))("that %s is rejected, even from the service", async (_what, path) => {
    await expect(insert(path(world.team, world.otherTeam))).rejects.toMatchObject({ code: "23514" });
    // In the record of its removal, too.
    const note = path(world.team, world.otherTeam);
    const noted = sql`insert into private.unwanted_objects (path) values (${note})`;
    if (!/^teams\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(note))
      await expect(noted).rejects.toMatchObject({ code: "23514" });
  });

  test("is a valid key: any other text is rejected", async () => {
    const pieces = fc.constantFrom(
      "teams",
      "/",
      "..",
      "%2e",
      "?",
      "#",
      "\\",
      world.team,
      randomUUID(),
      " ",
      "\n",
      "é",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), async (parts) => {
        const [row] = await sql`select private.is_object_key(${parts.join("")}) as answer`;
        const isKey = /^teams\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(parts.join(""));
        expect(row?.answer).toBe(isKey);
      }),
      { numRuns: 200 },
    );
  });

  test("that is valid is stored", async () => {
    await insert(`teams/${world.team}/${randomUUID()}`);
  });
});

describe("the clean-up", () => {
  test("marks only objects of teams, whatever else is in the bucket", async () => {
    const [strange, right] = [`teams/${world.team}/../x`, `teams/${world.team}/${randomUUID()}`];
    for (const name of [strange, right])
      await sql`insert into storage.objects (bucket_id, name, created_at)
                values ('files', ${name}, now() - interval '2 days')`;
    await sql`select private.disown_unregistered_objects()`;
    const noted = await sql<{ path: string }[]>`select path from private.unwanted_objects`;
    expect(noted.map(({ path }) => path)).toContain(right);
    expect(noted.map(({ path }) => path)).not.toContain(strange);
  });

  test("claims bytes again that arrive at a signed URL after their file was deleted", async () => {
    const path = `teams/${world.team}/${randomUUID()}`;
    const claim = async () => {
      const rows = await sql<{ path: string }[]>`select private.claim_unwanted_objects() as path`;
      return rows.map((row) => row.path);
    };
    await insert(path);
    await sql`delete from public.files where path = ${path}`;
    expect(await claim()).toContain(path);
    await sql`select private.unwanted_objects_removed(array[${path}])`;
    expect(await claim()).not.toContain(path);
    // As long as the URL is valid.
    const [record] = await sql`select run_after >= removed_at + interval '2 hours' as lasts
                                 from private.unwanted_objects where path = ${path}`;
    expect(record?.lasts).toBe(true);
    await sql`insert into storage.objects (bucket_id, name) values ('files', ${path})`;
    expect(await claim()).toContain(path);
  });

  test("does not claim the same objects together again that storage could not delete together", async () => {
    await sql`delete from private.unwanted_objects`;
    await sql`insert into private.unwanted_objects (path)
              select 'teams/' || ${world.team}::text || '/' || gen_random_uuid() from generate_series(1, 20)`;
    await sql`select private.claim_unwanted_objects()`;
    const [waits] = await sql`
      select min(run_after) >= now() as a_minute, max(run_after) - min(run_after) > interval '5 seconds' as apart
        from (select run_after - interval '59 seconds' as run_after from private.unwanted_objects) w`;
    expect(waits).toEqual({ a_minute: true, apart: true });
  });
});
