// Passages that left a knowledge base, removed in slices against concurrent events: a deletion, a worker's plan, a second worker.
import type { Sql } from "postgres";
import { expect } from "vitest";
import { type ManyRows, makeManyRows } from "../support/many-rows.ts";
import { openTrack, type Race, type Side, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();
const rounds = 18;
/** Passages: more than go at once, in a few documents. */
const many = 1020;

interface Round extends ManyRows {
  team: SmallTeam;
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  return await Promise.all(
    teams.map(async (team) => ({
      team,
      ...(await makeManyRows(sql, { team: team.id, person: team.owners[0], many })),
    })),
  );
}
const clear = (sql: Sql, { team, source }: Round) =>
  sql.begin(async (tx) => {
    await tx`select set_config('role', 'authenticated', true),
                    set_config('request.jwt.claims', ${JSON.stringify(user(team.owners[0]))}, true)`;
    await tx`select public.forget_indexes(${source})`;
  });
/** Leaves few enough for a deletion to remove them at once. */
async function clearInPart(sql: Sql, round: Round): Promise<void> {
  await clear(sql, round);
  for (let slice = 0; slice < 3; slice++)
    await sql`select private.remove_cleared(300, array[${round.source}::uuid])`;
}

const slicing = ({ source }: Round): Side => ({
  claims: service,
  work: (tx) => tx`select private.remove_cleared(300, array[${source}::uuid])`,
});
async function expectNothingLeft(sql: Sql, { knowledge, source }: Round): Promise<void> {
  for (let more = true; more; ) {
    const [row] = await sql<{ more: boolean }[]>`
      select private.remove_detached(600) as more`;
    more =
      (row?.more ?? false) ||
      (
        await sql`select 1 from private.roots where id in (${knowledge}, ${source}) and detached_at is not null`
      ).length > 0;
  }
  for (const table of ["chunks", "document_indexes"])
    expect(
      await sql`select 1 from ${sql(`public.${table}`)} where knowledge_id = ${knowledge}`,
      table,
    ).toHaveLength(0);
  expect(await sql`select 1 from private.clearings where source_id = ${source}`).toHaveLength(0);
}

for (const [what, table, key] of [
  ["source", "sources", "source"],
  ["knowledge base", "knowledges", "knowledge"],
] as const)
  testRace(`a ${what} that is deleted while its cleared passages are removed leaves none`, track, {
    rounds,
    prepare,
    begin: clearInPart,
    sides: (round) => [
      {
        claims: user(round.team.owners[1]),
        work: async (tx) =>
          (await tx`delete from ${tx(`public.${table}`)} where id = ${round[key]} returning 1`).length,
      },
      slicing(round),
    ],
    check: async (sql, round, [deleted, sliced]) => {
      expect(deleted).toEqual({ value: 1 });
      expect(sliced).toHaveProperty("value");
      await expectNothingLeft(sql, round);
    },
  } satisfies Race<Round>);

testRace("two workers that remove what was cleared do not hinder each other", track, {
  rounds,
  prepare,
  begin: clear,
  sides: (round) => [slicing(round), slicing(round)],
  check: async (sql, round, outcomes) => {
    for (const outcome of outcomes) expect(outcome).toHaveProperty("value");
    await expectNothingLeft(sql, round);
  },
} satisfies Race<Round>);

testRace("an index that is planned while its source is cleared does not survive", track, {
  rounds,
  prepare,
  begin: async (sql, round) => {
    await clear(sql, round);
    await sql`delete from public.document_indexes where knowledge_id = ${round.knowledge}`;
    await sql`delete from public.chunks where knowledge_id = ${round.knowledge}`;
  },
  sides: (round) => [
    {
      claims: service,
      work: (tx) => tx`
        insert into public.document_indexes (team_id, knowledge_id, document_id)
        select d.team_id, ${round.knowledge}, d.id from public.documents d where d.source_id = ${round.source} order by d.id limit 1`,
    },
    slicing(round),
  ],
  check: async (sql, round, outcomes) => {
    for (const outcome of outcomes) expect(outcome).toHaveProperty("value");
    await expectNothingLeft(sql, round);
  },
} satisfies Race<Round>);

testRace("a source that is unlinked while it is cleared is empty", track, {
  rounds,
  prepare,
  sides: (round) => [
    {
      claims: user(round.team.owners[0]),
      work: (tx) => tx`select public.forget_indexes(${round.source})`,
    },
    {
      claims: user(round.team.owners[1]),
      work: (tx) => tx`delete from public.knowledge_sources where source_id = ${round.source}`,
    },
  ],
  check: async (sql, round, outcomes) => {
    for (const outcome of outcomes) expect(outcome).toHaveProperty("value");
    await expectNothingLeft(sql, round);
  },
} satisfies Race<Round>);
