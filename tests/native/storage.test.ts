// Races about the last bytes that a team may store.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect } from "vitest";
import { openTrack, type Race, rowsOf, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  source: string;
  file: string;
}

const limit = 1_000_000;
/** Two of them are more than the limit. */
const size = 600_000;

const prepare = async (sql: Sql, count: number): Promise<Round[]> => {
  await sql`update private.operator_limits set team_storage = ${limit}`;
  const rounds = (await makeSmallTeams(sql, count)).map((team) => ({
    team,
    source: randomUUID(),
    file: randomUUID(),
  }));
  for (const { team, source } of rounds)
    await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team.id}, 'file', 'Source')`;
  // Only files and documents are counted below. The sources were added up, since a limit is set.
  await sql`delete from private.storage_changes`;
  await sql`update private.team_storage set bytes = 0`;
  return rounds;
};

const addFile = (tx: Sql | TransactionSql, team: string, id: string, bytes: number) => tx`
  insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
  values (${id}, ${team}, 'file.txt', 'document', 'text/plain', ${bytes}, ${`teams/${team}/${id}`}, ${"0".repeat(64)}) returning 1`;

const sizeOf = async (sql: Sql, team: string): Promise<number> => {
  const [row] = await sql<{ bytes: number }[]>`
    select ((select coalesce(sum(f.size), 0) from public.files f where f.team_id = ${team})
          + (select coalesce(sum(octet_length(d.content)), 0) from public.documents d where d.team_id = ${team}))::int as bytes`;
  return row?.bytes ?? 0;
};

const readCount = async (sql: Sql, team: string): Promise<number> => {
  const [row] = await sql<{ bytes: number }[]>`
    select ((select coalesce(sum(s.bytes), 0) from private.team_storage s where s.team_id = ${team})
          + (select coalesce(sum(c.bytes), 0) from private.storage_changes c where c.team_id = ${team}))::int as bytes`;
  return row?.bytes ?? 0;
};

/** Reads the sum as it is, and locks nothing. It waits before the commit, because two rarely read within the same millisecond. */
const unlock = (sql: Sql) =>
  sql.unsafe(`
    create or replace function private.sum_storage(team uuid) returns bigint language plpgsql volatile set search_path = '' as $$
    declare
      total constant bigint := coalesce((select s.bytes from private.team_storage s where s.team_id = team), 0)
                             + coalesce((select sum(c.bytes) from private.storage_changes c where c.team_id = team), 0);
    begin
      perform pg_sleep(.05);
      return total;
    end
    $$`);

const oneOfTwo: Race<Round>["check"] = async (sql, { team }, outcomes) => {
  expect(outcomes.map(rowsOf).sort()).toEqual([0, 1]);
  expect(outcomes).toContainEqual({ refused: "PT402" });
  expect(await sizeOf(sql, team.id)).toBe(size);
};

testRace("the last bytes are taken by one of two uploads", track, {
  prepare,
  sides: ({ team, file }) => [
    { claims: { role: "none" }, work: (tx) => addFile(tx, team.id, randomUUID(), size) },
    { claims: { role: "none" }, work: (tx) => addFile(tx, team.id, file, size) },
  ],
  check: oneOfTwo,
  unlock,
});

testRace("the last bytes are taken by an upload or a document", track, {
  prepare,
  sides: ({ team, source }) => [
    { claims: { role: "none" }, work: (tx) => addFile(tx, team.id, randomUUID(), size) },
    {
      claims: user(team.owners[0]),
      work: (tx) => tx`
        insert into public.documents (team_id, source_id, external_id, type, title, content)
        values (${team.id}, ${source}, ${randomUUID()}, 'text', 'Title', ${"x".repeat(size)}) returning 1`,
    },
  ],
  check: oneOfTwo,
  unlock,
});

testRace("an upload and a deletion are both counted, while sums are made", track, {
  prepare,
  begin: (sql, { team, file }) => addFile(sql, team.id, file, size),
  sides: ({ team, file }) => [
    {
      claims: user(team.owners[0]),
      work: (tx) => tx`delete from public.files where id = ${file} returning 1`,
    },
    {
      claims: { role: "none" },
      work: async (tx) => {
        await tx`select private.sum_storage_of_teams(1000)`;
        return await addFile(tx, team.id, randomUUID(), 1000);
      },
    },
  ],
  check: async (sql, { team }, outcomes) => {
    expect(outcomes.map(rowsOf)).toEqual([1, 1]);
    expect([await sizeOf(sql, team.id), await readCount(sql, team.id)]).toEqual([1000, 1000]);
  },
});
