// Races about how many rows a parent may have: two inserts of the last one, of which one is refused.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect } from "vitest";
import { openTrack, type Race, rowsOf, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  /** Agents or sources with one row less than they may have. */
  parents: [string, string];
}

/** In which one side holds its rows until the other waits or is done, so that few rounds are enough. */
const rounds = 6;

/** @param fill creates the parents and their rows */
const prepare =
  (fill: (sql: TransactionSql, round: Round) => Promise<unknown>) => async (sql: Sql, count: number) => {
    const made = (await makeSmallTeams(sql, count)).map(
      (team): Round => ({ team, parents: [randomUUID(), randomUUID()] }),
    );
    for (const round of made) {
      await sql.begin(async (tx) => {
        // Without the triggers, which do more than these rows need.
        await tx`set local session_replication_role = replica`;
        await fill(tx, round);
      });
    }
    return made;
  };

/** Both insert a row for each parent in one statement, in opposite orders. */
const sides =
  (add: (tx: TransactionSql, team: string, parents: string[]) => Promise<unknown>): Race<Round>["sides"] =>
  ({ team, parents }) => [
    { claims: user(team.owners[0]), work: (tx) => add(tx, team.id, parents) },
    { claims: user(team.owners[1]), work: (tx) => add(tx, team.id, [...parents].reverse()) },
  ];

const check: Race<Round>["check"] = async (_sql, _round, outcomes) => {
  expect(outcomes.map(rowsOf).sort()).toEqual([0, 2]);
  expect(outcomes).toContainEqual({ refused: "23514" });
};

const lock = `perform pg_advisory_xact_lock(hashtextextended('agentTests:' || a.agent_id, 0))
     from (select distinct n.agent_id from added n order by n.agent_id) a;`;

testRace("an agent's last free place for a test is taken once", track, {
  rounds,
  prepare: prepare(async (sql, { team, parents }) => {
    await sql`insert into public.agents (id, team_id, name) select p, ${team.id}, 'Agent' from unnest(${parents}::uuid[]) p`;
    await sql`
      insert into public.agent_tests (team_id, agent_id, question, must_refuse)
      select ${team.id}, p, 'Why?', true from unnest(${parents}::uuid[]) p, generate_series(1, 499)`;
  }),
  sides: sides(
    (tx, team, parents) => tx`
      insert into public.agent_tests (team_id, agent_id, question, must_refuse)
      select ${team}, p, 'Why?', true from unnest(${parents}::uuid[]) p returning 1`,
  ),
  check,
  unlock: (sql) => takeOut(sql, "private.limit_agent_tests()", lock),
});

testRace("a source's last free place for a written answer is taken once", track, {
  rounds,
  prepare: prepare(async (sql, { team, parents }) => {
    await sql`
      insert into public.sources (id, team_id, type, name) select p, ${team.id}, 'qa', 'Source' from unnest(${parents}::uuid[]) p`;
    await sql`
      insert into private.roots (id, team_id, kind) select p, ${team.id}, 'sources' from unnest(${parents}::uuid[]) p`;
    await sql`
      insert into public.qa_entries (team_id, source_id, question, answer)
      select ${team.id}, p, 'Why?', 'Because.' from unnest(${parents}::uuid[]) p, generate_series(1, 4999)`;
  }),
  sides: sides(
    (tx, team, parents) => tx`
      insert into public.qa_entries (team_id, source_id, question, answer)
      select ${team}, p, 'Why?', 'Because.' from unnest(${parents}::uuid[]) p returning 1`,
  ),
  check,
});

testRace("a knowledge base's last free place for a source is taken once", track, {
  rounds,
  prepare: prepare(async (sql, { team, parents }) => {
    await sql`
      insert into public.knowledges (id, team_id, name) select p, ${team.id}, 'Knowledge' from unnest(${parents}::uuid[]) p`;
    await sql`
      insert into public.knowledge_sources (team_id, knowledge_id, source_id)
      select ${team.id}, p, gen_random_uuid() from unnest(${parents}::uuid[]) p, generate_series(1, 199)`;
  }),
  sides: sides(
    (tx, team, parents) => tx`
      with made as (insert into public.sources (team_id, type, name) values (${team}, 'qa', 'Source') returning id)
      insert into public.knowledge_sources (team_id, knowledge_id, source_id)
      select ${team}, p, made.id from unnest(${parents}::uuid[]) p, made returning 1`,
  ),
  check,
  unlock: (sql) => takeOut(sql, "private.limit_knowledge_sources()", "for no key update"),
});

testRace("a team's last free place for a role is taken once", track, {
  rounds,
  prepare: prepare(
    async (sql, { team }) => sql`
      insert into public.roles (team_id, name, codename, permissions)
      select ${team.id}, 'Role', 'role-' || n, '{team.read}' from generate_series(1, 999) n`,
  ),
  sides: ({ team }) => {
    const add = (owner: string): Side => ({
      claims: user(owner),
      work: (tx) => tx`
        insert into public.roles (team_id, name, codename, permissions)
        values (${team.id}, 'Role', ${`role-${owner}`}, '{team.read}') returning 1`,
    });
    return [add(team.owners[0]), add(team.owners[1])];
  },
  check: async (_sql, _round, outcomes) => {
    expect(outcomes.map(rowsOf).sort()).toEqual([0, 1]);
    expect(outcomes).toContainEqual({ refused: "23514" });
  },
  unlock: (sql) =>
    takeOut(
      sql,
      "private.limit_team_rows()",
      "perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ':' || team, 0));",
    ),
});
