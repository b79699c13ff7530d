// Races about stored bytes: a file is never registered for bytes that are being deleted.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { describe, expect } from "vitest";
import { isRefused, type Outcome, openTrack, rowsOf, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();

interface StoredObject {
  team: SmallTeam;
  id: string;
  path: string;
}

const register = ({ team, id, path }: StoredObject): Side => ({
  claims: service,
  work: (tx) => tx`insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
    values (${id}, ${team.id}, 'File', 'document', 'text/plain', 1, ${path}, ${"0".repeat(64)}) returning 1`,
});

const prepare = async (sql: Sql, count: number): Promise<StoredObject[]> => {
  const teams = await makeSmallTeams(sql, count);
  return teams.map((team) => {
    const id = randomUUID();
    return { team, id, path: `teams/${team.id}/${id}` };
  });
};

/** Bytes uploaded long ago without a row. */
async function storeUnregistered(sql: Sql, { path }: StoredObject) {
  await sql`insert into storage.buckets (id, name) values ('files', 'files') on conflict do nothing`;
  await sql`insert into storage.objects (bucket_id, name, created_at)
            values ('files', ${path}, now() - interval '2 days')`;
}

const prepareRegistered = async (sql: Sql, count: number) => {
  const objects = await prepare(sql, count);
  const rows = objects.map(({ team, id, path }) => ({ team: team.id, id, path }));
  await sql`insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
            select id, team, 'File', 'document', 'text/plain', 1, path, repeat('0', 64)
              from jsonb_to_recordset(${sql.json(rows)}) as f (id uuid, team uuid, path text)`;
  return objects;
};

/** Either a row exists, or the bytes are being deleted. */
async function readFate(sql: Sql, { path }: StoredObject) {
  const [fate] = await sql`
    select exists (select 1 from public.files where path = ${path}) as "isRegistered",
           exists (select 1 from private.unwanted_objects where path = ${path}) as "isUnwanted"`;
  return fate;
}

describe("a file", () => {
  testRace("that is registered twice has one row", track, {
    prepare,
    sides: (round) => [register(round), register({ ...round, id: randomUUID() })],
    check: async (sql, { path }, outcomes) => {
      expect(outcomes.map(rowsOf).sort()).toEqual([0, 1]);
      expect(outcomes.filter(isRefused).map(({ refused }) => refused)).toEqual(["23505"]);
      expect((await sql`select 1 from public.files where path = ${path}`).length).toBe(1);
    },
    unlock: async (sql) => {
      await sql`alter table public.files drop constraint files_path_key`;
      await takeOut(sql, "private.refuse_unwanted_object()", "v.path = new.path and", "false and");
    },
  });

  testRace("that is deleted while it is registered again stays deleted", track, {
    prepare: prepareRegistered,
    sides: (round) => [
      {
        claims: user(round.team.owners[0]),
        work: (tx) => tx`delete from public.files where id = ${round.id} returning 1`,
      },
      register(round),
    ],
    check: async (sql, round, [deleted, registered]: [Outcome, Outcome]) => {
      expect([rowsOf(deleted), rowsOf(registered)]).toEqual([1, 0]);
      expect(await readFate(sql, round)).toEqual({ isRegistered: false, isUnwanted: true });
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.refuse_unwanted_object()",
        "insert into private.unwanted_objects (path) values (new.path) on conflict do nothing;",
        "perform 1 where not exists (select 1 from private.unwanted_objects u where u.path = new.path);",
      ),
  });

  testRace("that is registered late keeps its bytes, or is refused", track, {
    prepare,
    begin: storeUnregistered,
    sides: (round) => [
      register(round),
      { claims: service, work: (tx) => tx`select private.disown_unregistered_objects()` },
    ],
    check: async (sql, round, [registered]) => {
      const isRegistered = rowsOf(registered) === 1;
      expect(await readFate(sql, round)).toEqual({ isRegistered, isUnwanted: !isRegistered });
      await sql`delete from storage.objects where bucket_id = 'files' and name = ${round.path}`;
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.disown_unregistered_objects()",
        "delete from private.unwanted_objects u using public.file_versions v where v.path = u.path;",
      ),
  });
});

testRace("unwanted bytes are claimed by one worker", track, {
  prepare,
  begin: async (sql, { path }) => {
    await sql`delete from private.unwanted_objects`;
    await sql`insert into private.unwanted_objects (path) values (${path})`;
  },
  sides: () => {
    const claim = () =>
      ({ claims: service, work: (tx) => tx`select private.claim_unwanted_objects()` }) satisfies Side;
    return [claim(), claim()];
  },
  check: async (_sql, _round, outcomes) => expect(outcomes.map(rowsOf).sort()).toEqual([0, 1]),
  unlock: (sql) => takeOut(sql, "private.claim_unwanted_objects(text[])", " for update skip locked"),
});
