// Races about the figures of sources: two transactions that add and delete documents leave the true count.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { openTrack, type Race, rowsOf, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  source: string;
  documents: [string, string];
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  const made: Round[] = teams.map((team) => ({
    team,
    source: randomUUID(),
    documents: [randomUUID(), randomUUID()],
  }));
  for (const { team, source, documents } of made) {
    await sql`insert into public.sources (id, team_id, type, name) values (${source}, ${team.id}, 'file', 'Source')`;
    await sql`insert into public.documents (id, team_id, source_id, external_id, type, title)
              select d.id, ${team.id}, ${source}, d.id, 'text', 'Document' from unnest(${documents}::uuid[]) as d (id)`;
  }
  return made;
}

const removing = ({ team, documents }: Round, which: 0 | 1): Side => ({
  claims: user(team.owners[0]),
  work: (tx) => tx`delete from public.documents where id = ${documents[which]} returning 1`,
});
const adding = ({ team, source }: Round): Side => ({
  claims: user(team.owners[1]),
  work: (tx) => tx`
    insert into public.documents (team_id, source_id, external_id, type, title, content)
    values (${team.id}, ${source}, ${randomUUID()}, 'text', 'Added', 'Text') returning 1`,
});
const counts = async (sql: Sql, { source }: Round) => {
  const [row] = await sql`
    select s.documents_count as told, (select count(*)::int from public.documents d where d.source_id = s.id) as there
      from public.sources s where s.id = ${source}`;
  return [row?.told, row?.there];
};
const lock = "perform 1 from public.sources s where s.id = any (source_ids) order by s.id for no key update;";

testRace("two concurrent deletions of a source's documents are both counted", track, {
  prepare,
  sides: (round) => [removing(round, 0), removing(round, 1)],
  check: async (sql, round, outcomes) => {
    expect(outcomes.map(rowsOf)).toEqual([1, 1]);
    expect(await counts(sql, round)).toEqual([0, 0]);
  },
  unlock: (sql) => takeOut(sql, "private.recount_sources(uuid[])", lock),
} satisfies Race<Round>);

testRace("a document that is added while another is deleted is counted once", track, {
  prepare,
  sides: (round) => [removing(round, 0), adding(round)],
  check: async (sql, round, outcomes) => {
    expect(outcomes.map(rowsOf)).toEqual([1, 1]);
    expect(await counts(sql, round)).toEqual([2, 2]);
  },
  unlock: (sql) => takeOut(sql, "private.recount_sources(uuid[])", lock),
} satisfies Race<Round>);
