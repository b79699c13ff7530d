// Races about the copies of a deleted file's bytes: a deletion has those of all its versions or none, and keeps each of them.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect } from "vitest";
import { openTrack, type Race, rowsOf, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  id: string;
  newer: string;
}

/** Files whose bytes were copied. */
async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  const made = teams.map((team) => ({ team, id: randomUUID(), newer: `teams/${team.id}/${randomUUID()}` }));
  for (const { team, id } of made) {
    await sql`insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
              values (${id}, ${team.id}, 'File', 'document', 'text/plain', 1, ${`teams/${team.id}/${id}`}, ${"0".repeat(64)})`;
    await sql`select private.copies_made(array(select copy from private.note_copies(${team.id}, ${id})))`;
  }
  return made;
}

/** Returns whether it can be undone. */
const removing = ({ team, id }: Round): Side => ({
  claims: user(team.owners[0]),
  work: async (tx) => {
    const [kept] = await tx`select private.keep_deleted('files', ${team.id}, ${id}) as until`;
    await tx`delete from public.files where id = ${id}`;
    return kept?.until !== null;
  },
});
const restore = (sql: Sql, { team, id }: Round) =>
  sql.begin(async (tx: TransactionSql) => {
    await tx`select set_config('role', 'authenticated', true),
                    set_config('request.jwt.claims', ${JSON.stringify(user(team.owners[0]))}, true)`;
    await tx`select private.restore_deleted('files', ${team.id}, ${id})`;
  });
const pathsOf = async (sql: Sql, id: string): Promise<string[]> =>
  (await sql`select distinct path from public.file_versions where file_id = ${id}`).map(({ path }) => path);
const countUnwanted = async (sql: Sql, paths: string[]) =>
  (await sql`select 1 from private.unwanted_objects where path = any (${paths})`).length;

testRace("a file that is replaced during its deletion is restored whole, or deleted for good", track, {
  prepare,
  sides: (round) => [
    removing(round),
    {
      claims: service,
      work: (tx) => tx`
        select private.replace_file(${round.team.id}, ${round.id}, null, 'Newer', 'document', 'text/plain', 1, ${round.newer},
                                    ${"1".repeat(64)}) as number`,
    },
  ],
  check: async (sql, round, [removed, replaced]) => {
    expect(rowsOf(replaced)).toBe(1);
    const [answer] = (replaced as { value: { number: number | null }[] }).value;
    const isReplaced = answer?.number !== null;
    expect(removed).toEqual({ value: !isReplaced });
    const original = `teams/${round.team.id}/${round.id}`;
    expect(await countUnwanted(sql, [original, round.newer])).toBe(isReplaced ? 2 : 1);
    if (isReplaced) return;
    await restore(sql, round);
    const paths = await pathsOf(sql, round.id);
    expect(paths).toHaveLength(1);
    expect(await countUnwanted(sql, paths)).toBe(0);
  },
  unlock: (sql) => takeOut(sql, "private.take_copies(uuid,uuid,uuid)", "if missing then", "if false then"),
} satisfies Race<Round>);

testRace("copies that expire while a deletion claims them belong to the deletion, or it has none", track, {
  prepare,
  begin: (sql, { id }) => sql`
    update private.kept_objects set expires_at = case file_id when ${id} then clock_timestamp() else 'infinity' end`,
  sides: (round) => [
    removing(round),
    { claims: service, work: (tx) => tx`select private.purge_deletions(1000)` },
  ],
  check: async (sql, round, [removed]) => {
    expect(removed).toHaveProperty("value");
    const isKept = (removed as { value: boolean }).value;
    const copies = await sql<
      { path: string }[]
    >`select path from private.kept_objects where file_id = ${round.id}`;
    expect(copies).toHaveLength(isKept ? 1 : 0);
    if (!isKept) return;
    await restore(sql, round);
    expect(await pathsOf(sql, round.id)).toEqual(copies.map(({ path }) => path));
    expect(
      await countUnwanted(
        sql,
        copies.map(({ path }) => path),
      ),
    ).toBe(0);
  },
  unlock: (sql) => takeOut(sql, "private.purge_copies(integer)", " for update skip locked"),
} satisfies Race<Round>);

testRace("the second of two concurrent deletions finds no file, and no copy is left over", track, {
  prepare,
  sides: (round) => [removing(round), removing(round)],
  check: async (sql, round, outcomes) => {
    // Neither is refused: the second has waited for the first.
    expect(outcomes.map((outcome) => "value" in outcome && outcome.value).toSorted()).toEqual([false, true]);
    expect(outcomes.every((outcome) => "value" in outcome)).toBe(true);
    expect(
      await sql`select 1 from private.kept_objects where file_id = ${round.id} and deletion_id is null`,
    ).toEqual([]);
    await restore(sql, round);
    expect(await countUnwanted(sql, await pathsOf(sql, round.id))).toBe(0);
  },
  unlock: (sql) => takeOut(sql, "private.keep_deleted(text,uuid,uuid)", " for update"),
} satisfies Race<Round>);
