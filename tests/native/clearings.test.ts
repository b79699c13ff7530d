// Passages that left a knowledge base, removed in slices against concurrent events: a deletion, a worker's plan, a second worker.
import type { Sql, TransactionSql } from "postgres";
import { expect } from "vitest";
import { type ManyRows, makeManyRows } from "../support/many-rows.ts";
import { isRefused, type Outcome, openTrack, type Race, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();
const rounds = 12;
/** Passages: more than go at once, in a few documents. */
const many = 1020;

interface Round extends ManyRows {
  team: SmallTeam;
  /** How often a side worked: after a deadlock, once more. */
  attempts: number;
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  return await Promise.all(
    teams.map(async (team) => ({
      team,
      attempts: 0,
      ...(await makeManyRows(sql, { team: team.id, person: team.owners[0], many, messages: 0 })),
    })),
  );
}
const byOwner = (sql: Sql, { team }: Round, work: (tx: TransactionSql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`select set_config('role', 'authenticated', true),
                    set_config('request.jwt.claims', ${JSON.stringify(user(team.owners[0]))}, true)`;
    await work(tx);
  });
const clear = (sql: Sql, round: Round) =>
  byOwner(sql, round, (tx) => tx`select public.forget_indexes(${round.source})`);
/** Clears the source in this knowledge base alone. */
const unlink = (sql: Sql, round: Round) =>
  byOwner(sql, round, (tx) => tx`delete from public.knowledge_sources where source_id = ${round.source}`);
/** Leaves few enough for a deletion to remove them at once. */
const inPart = (empty: typeof clear) => async (sql: Sql, round: Round) => {
  await empty(sql, round);
  for (let slice = 0; slice < 3; slice++)
    await sql`select private.remove_cleared(300, array[${round.source}::uuid])`;
};

/** @returns whether the last slice removed anything */
const slicing = (round: Round, slices = 1): Side => ({
  claims: service,
  work: async (tx) => {
    round.attempts++;
    let isRemoved = false;
    for (let slice = 0; slice < slices; slice++) {
      const [row] = await tx<{ removed: boolean }[]>`
        select private.remove_cleared(300, array[${round.source}::uuid]) as removed`;
      isRemoved = row?.removed ?? false;
    }
    return isRemoved;
  },
});
const hasRemoved = (outcome: Outcome) => !isRefused(outcome) && outcome.value === true;
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

for (const [what, table, key, empty] of [
  ["source", "sources", "source", clear],
  ["knowledge base", "knowledges", "knowledge", unlink],
] as const)
  testRace(`a ${what} that is deleted while its cleared passages are removed leaves none`, track, {
    rounds,
    prepare,
    begin: inPart(empty),
    sides: (round) => [
      {
        claims: user(round.team.owners[1]),
        work: async (tx) => {
          round.attempts++;
          return (await tx`delete from ${tx(`public.${table}`)} where id = ${round[key]} returning 1`).length;
        },
      },
      slicing(round),
    ],
    check: async (sql, round, [deleted, sliced]) => {
      expect(deleted).toEqual({ value: 1 });
      expect(sliced).toHaveProperty("value");
      // A deadlock would refuse the deletion: it does not come through a function of ours that tries again.
      expect(round.attempts).toBe(2);
      await expectNothingLeft(sql, round);
    },
  } satisfies Race<Round>);

testRace("two workers that remove what was cleared do not hinder each other", track, {
  rounds,
  prepare,
  begin: clear,
  sides: (round) => [slicing(round), slicing(round)],
  check: async (sql, round, outcomes, order) => {
    for (const outcome of outcomes) expect(outcome).toHaveProperty("value");
    // The other finds the clearing taken, and turns to the next instead of waiting.
    if (order !== "at once") expect(outcomes.filter(hasRemoved)).toHaveLength(1);
    await expectNothingLeft(sql, round);
  },
  unlock: (sql) => takeOut(sql, "private.remove_cleared(integer,uuid[])", "skip locked"),
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
    // To the end of the walk, which does not see the index yet.
    slicing(round, 3),
  ],
  check: async (sql, round, outcomes) => {
    for (const outcome of outcomes) expect(outcome).toHaveProperty("value");
    await expectNothingLeft(sql, round);
  },
  unlock: (sql) =>
    takeOut(
      sql,
      "private.remove_cleared_slice(private.clearings,integer)",
      "clearing.is_removing then",
      "false then",
    ),
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
