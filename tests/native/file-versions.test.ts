// Races about a file's versions: none is lost, the later is current, and no old text counts as the new one.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { describe, expect } from "vitest";
import { storeTexts } from "../../edge-functions/indexing/steps/read.ts";
import { lockInOrder } from "../../edge-functions/indexing/steps/scope.ts";
import { openTrack, rowsOf, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();
const old = "0".repeat(64);
const newer = "1".repeat(64);

interface StoredFile {
  team: SmallTeam;
  id: string;
  document: string;
  paths: string[];
}

/** A file at a team's source, whose document is queued for parsing. */
const prepare = async (sql: Sql, count: number): Promise<StoredFile[]> => {
  const teams = await makeSmallTeams(sql, count);
  const files = teams.map((team) => {
    const paths = Array.from({ length: 2 }, () => `teams/${team.id}/${randomUUID()}`);
    return { team, id: randomUUID(), document: randomUUID(), paths };
  });
  const rows = files.map(({ team, id, document }) => ({ team: team.id, id, document }));
  await sql`insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
            select id, team, 'File', 'document', 'text/plain', 1, 'teams/' || team || '/' || id, ${old}
              from jsonb_to_recordset(${sql.json(rows)}) as f (id uuid, team uuid)`;
  await sql`
    with source as (
      insert into public.sources (team_id, type, name, config)
      select team, 'file', 'Files', jsonb_build_object('fileIds', jsonb_build_array(id))
        from jsonb_to_recordset(${sql.json(rows)}) as f (id uuid, team uuid)
      returning id, team_id, config)
    insert into public.documents (id, team_id, source_id, external_id, type, title)
    select f.document, f.team, s.id, f.id::text, 'file', 'File'
      from source s
      join jsonb_to_recordset(${sql.json(rows)}) as f (id uuid, team uuid, document uuid) on s.config -> 'fileIds' ? f.id::text`;
  return files;
};

const replaceBy = ({ team, id, paths }: StoredFile, which: 0 | 1): Side => ({
  claims: service,
  work: (tx) => tx`
    select private.replace_file(${team.id}, ${id}, null, ${`Edition ${which}`}, 'document', 'text/plain', 1,
                                ${paths[which] ?? ""}, ${newer}) as number`,
});

describe("a file", () => {
  testRace("that is replaced twice at once has both versions, and the later is the current one", track, {
    prepare,
    sides: (round) => [replaceBy(round, 0), replaceBy(round, 1)],
    check: async (sql, { id, paths }, outcomes) => {
      expect(outcomes.map(rowsOf)).toEqual([1, 1]);
      const versions = await sql`
        select v.number, v.path, v.path = f.path and v.number = f.version as "isCurrent"
          from public.file_versions v join public.files f on f.id = v.file_id where f.id = ${id} order by v.number`;
      expect(versions.map(({ number, isCurrent }) => [number, isCurrent])).toEqual([
        [1, false],
        [2, false],
        [3, true],
      ]);
      expect(
        versions
          .slice(1)
          .map(({ path }) => path)
          .sort(),
      ).toEqual([...paths].sort());
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.replace_file(uuid, uuid, uuid, text, text, text, bigint, text, text, int)",
        "set version = f.version + 1",
        "set version = 2",
      ),
  });

  testRace("that is replaced while its old text is stored is read again", track, {
    prepare,
    sides: (round) => [
      {
        claims: service,
        work: async (tx) => {
          const read = {
            id: round.document,
            content: "Old.",
            structure: { spans: [], warnings: [] },
            note: null,
            language: null,
            revision: old,
          };
          await lockInOrder(tx, [round.document]);
          await storeTexts(tx, [read]);
          return [];
        },
      },
      replaceBy(round, 0),
    ],
    check: async (sql, { document }, [, replaced]) => {
      expect(rowsOf(replaced)).toBe(1);
      const [row] = await sql`select content, content_hash from public.documents where id = ${document}`;
      expect(row).toEqual({ content: "Old.", content_hash: null });
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.replace_file(uuid, uuid, uuid, text, text, text, bigint, text, text, int)",
        "set content_hash = null, error = null",
        "set error = null",
      ),
  });

  testRace("that is deleted while it is replaced leaves no bytes that are never deleted", track, {
    prepare,
    sides: (round) => [
      {
        claims: user(round.team.owners[0]),
        work: (tx) => tx`delete from public.files where id = ${round.id} returning 1`,
      },
      replaceBy(round, 0),
    ],
    check: async (sql, { id, paths, team }, [deleted, replaced]) => {
      expect(rowsOf(deleted)).toBe(1);
      expect(await sql`select 1 from public.file_versions where file_id = ${id}`).toEqual([]);
      const [answer] = (replaced as { value: { number: number | null }[] }).value;
      const unwanted = await sql`
        select path from private.unwanted_objects where path = any (${[`teams/${team.id}/${id}`, ...paths]})`;
      expect(unwanted.length).toBe(answer?.number ? 2 : 1);
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.disown_file_version()",
        "select old.path where not exists",
        "select old.path where false and not exists",
      ),
  });
});
