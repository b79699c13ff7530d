// Two concurrent saves of the same version of an agent: one saves, the other is refused.
import type { Sql, TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { ApiError } from "../../edge-functions/_shared/requests/errors.ts";
import { updateAgent } from "../../edge-functions/v1/agents/queries.ts";
import { type Outcome, openTrack, type Race, rowsOf, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  agent: string;
  knowledges: [string, string];
  version: string;
}

type Change = (round: Round, side: 0 | 1) => { instructions: string } | { knowledgeIds: string[] };

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  const rounds: Round[] = [];
  for (const team of teams) {
    const [agent] = await sql<{ id: string }[]>`
      insert into public.agents (team_id, name) values (${team.id}, 'Agent') returning id`;
    const made = await sql<{ id: string }[]>`
      insert into public.knowledges (team_id, name) values (${team.id}, 'One'), (${team.id}, 'Two') returning id`;
    const [one, other] = made;
    if (!agent || !one || !other) throw new Error("Nothing was made");
    // Saved with its current version; a refusal names another one.
    const version = await sql
      .begin((tx) => updateAgent(tx, team.id, agent.id, {}, "none"))
      .then(String, (error: ApiError) => error.extra.details?.[0]?.params?.version ?? "");
    rounds.push({ team, agent: agent.id, knowledges: [one.id, other.id], version });
  }
  return rounds;
}

const save = (round: Round, side: 0 | 1, change: Change) => async (tx: TransactionSql) => {
  const { team, agent, version } = round;
  try {
    return [await updateAgent(tx, team.id, agent, change(round, side), version)];
  } catch (error) {
    if (error instanceof ApiError && error.code === "CHANGED_MEANWHILE") return [];
    throw error;
  }
};

const race = (change: Change): Race<Round> => ({
  prepare,
  sides: (round) => [
    { claims: user(round.team.owners[0]), work: save(round, 0, change) },
    { claims: user(round.team.owners[1]), work: save(round, 1, change) },
  ],
  check: async (sql: Sql, round: Round, outcomes: [Outcome, Outcome]) => {
    const saved = outcomes.map(rowsOf);
    expect(saved.toSorted()).toEqual([0, 1]);
    const [kept] = await sql<{ instructions: string; knowledges: string[] }[]>`
      select a.instructions, array(select ak.knowledge_id from public.agent_knowledges ak where ak.agent_id = a.id) as knowledges
        from public.agents a where a.id = ${round.agent}`;
    const winner = change(round, saved[0] === 1 ? 0 : 1);
    if ("instructions" in winner) expect(kept?.instructions).toBe(winner.instructions);
    else expect(kept?.knowledges).toEqual(winner.knowledgeIds);
  },
});

describe("two saves of one version", () => {
  testRace(
    "of the instructions",
    track,
    race((_round, side) => ({ instructions: `From ${side}` })),
  );
  testRace(
    "of the knowledge list",
    track,
    race(({ knowledges }, side) => ({ knowledgeIds: [knowledges[side]] })),
  );
});
