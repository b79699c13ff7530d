// Races about an agent's versions and runs: concurrent saves and tests.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { describe, expect } from "vitest";
import { importTests } from "../../edge-functions/v1/agent-tests/importing.ts";
import { openTrack, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  agent: string;
  knowledges: [string, string];
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  const rounds = teams.map(
    (team): Round => ({ team, agent: randomUUID(), knowledges: [randomUUID(), randomUUID()] }),
  );
  const rows = sql.json(rounds.map(({ team, agent, knowledges }) => ({ team: team.id, agent, knowledges })));
  const each = sql`jsonb_to_recordset(${rows}) as c (team uuid, agent uuid, knowledges uuid[])`;
  await sql`insert into public.agents (id, team_id, name) select agent, team, 'Agent' from ${each}`;
  await sql`insert into public.knowledges (id, team_id, name) select k, team, 'Knowledge' from ${each}, unnest(knowledges) k`;
  await sql`insert into public.agent_tests (team_id, agent_id, question, must_refuse) select team, agent, 'Why?', true from ${each}`;
  return rounds;
}

const versionsOf = (sql: Sql, agent: string) =>
  sql<{ number: number; knowledges: string[] }[]>`
    select number, array(select jsonb_array_elements_text(settings -> 'knowledgeIds') order by 1) as knowledges
      from public.agent_versions where agent_id = ${agent} order by published_at, number`;

describe("an agent", () => {
  testRace(
    "that two people save at once has a version for each, and the live one equals its settings",
    track,
    {
      prepare,
      sides: ({ team, agent, knowledges }) => {
        // As the form saves: the agent first, then what it reads.
        const link = (owner: string, knowledge: string): Side => ({
          claims: user(owner),
          work: async (tx) => {
            if (owner === team.owners[0])
              await tx`update public.agents set name = 'Saved' where id = ${agent}`;
            await tx`
              insert into public.agent_knowledges (team_id, agent_id, knowledge_id) values (${team.id}, ${agent}, ${knowledge})`;
          },
        });
        return [link(team.owners[0], knowledges[0]), link(team.owners[1], knowledges[1])];
      },
      check: async (sql, { agent, knowledges }, outcomes) => {
        expect(outcomes.every((outcome) => "value" in outcome)).toBe(true);
        const versions = await versionsOf(sql, agent);
        expect(versions.map(({ number }) => number)).toEqual([1, 2, 3]);
        expect(versions.at(-1)?.knowledges).toEqual([...knowledges].sort());
      },
      unlock: async (sql) => {
        const lock = "for no key update";
        await takeOut(sql, "private.limit_agent_knowledges()", lock);
        await takeOut(sql, "private.keep_agent_version(uuid,uuid,integer)", lock);
      },
    },
  );

  testRace("has one run at a time, however many are requested", track, {
    prepare,
    sides: ({ agent }) => {
      const ask: Side = {
        claims: service,
        work: (tx) => tx`
          select private.begin_test_run(${agent}, v.id, null, null)
            from public.agent_versions v where v.agent_id = ${agent}`,
      };
      return [ask, ask];
    },
    check: async (sql, { agent }, outcomes) => {
      const refused = outcomes.flatMap((outcome) => ("refused" in outcome ? [outcome.refused] : []));
      expect(refused).toHaveLength(1);
      expect(["23505", "PT409"]).toContain(refused[0]);
      expect(await sql`select 1 from public.agent_test_runs where agent_id = ${agent}`).toHaveLength(1);
    },
    unlock: (sql) => sql`drop index public.agent_test_runs_open_key`,
  });

  testRace("has each question of a file once, however often it is imported at once", track, {
    prepare,
    sides: ({ team, agent }) => {
      const importing: Side = {
        claims: user(team.owners[0]),
        work: (tx) =>
          importTests(tx, { teamId: team.id, agentId: agent }, "question,facts\nWho?,Ann\nWhen?,Today"),
      };
      return [importing, importing];
    },
    check: async (sql, { agent }, outcomes) => {
      expect(outcomes.every((outcome) => "value" in outcome)).toBe(true);
      const rows =
        await sql`select question from public.agent_tests where agent_id = ${agent} order by question`;
      expect(rows.map(({ question }) => question)).toEqual(["When?", "Who?", "Why?"]);
    },
  });

  testRace("that is saved while its tests begin to run is tested as one version or the other", track, {
    prepare,
    sides: ({ team, agent }) => [
      {
        claims: user(team.owners[0]),
        work: (tx) => tx`update public.agents set instructions = 'New' where id = ${agent}`,
      },
      {
        claims: service,
        work: (tx) => tx`
          select private.begin_test_run(${agent}, (
            select v.id from public.agent_versions v
             where v.agent_id = ${agent} and v.published_at is not null order by v.published_at desc limit 1), null, null)`,
      },
    ],
    check: async (sql, { agent }, outcomes) => {
      expect(outcomes.every((outcome) => "value" in outcome)).toBe(true);
      const [run] = await sql`
        select v.number, r.total, live.number as live from public.agent_test_runs r
          join public.agent_versions v on v.id = r.version_id
          left join public.agent_versions live on live.id = r.live_version_id where r.agent_id = ${agent}`;
      // Null when the tested version is live: the save may come after the version was chosen, and before the run begins.
      expect([
        { number: 1, total: 1, live: null },
        { number: 1, total: 1, live: 2 },
        { number: 2, total: 1, live: null },
      ]).toContainEqual(run && { ...run });
    },
  });

  testRace("whose knowledge base is restored while another run begins keeps both", track, {
    prepare: async (sql, count) => {
      const rounds = await prepare(sql, count);
      for (const { team, agent, knowledges } of rounds) {
        await sql`insert into public.agent_knowledges (team_id, agent_id, knowledge_id) values (${team.id}, ${agent}, ${knowledges[0]})`;
        await sql`select private.begin_test_run(${agent}, v.id, null, null) from public.agent_versions v
                   where v.agent_id = ${agent} order by v.number desc limit 1`;
      }
      return rounds;
    },
    begin: async (sql, { team, agent, knowledges }) => {
      await sql.begin(async (tx) => {
        await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${JSON.stringify(user(team.owners[0]))}, true)`;
        await tx`select private.keep_deleted('knowledges', ${team.id}, ${knowledges[0]})`;
        await tx`delete from public.knowledges where id = ${knowledges[0]}`;
      });
      await sql`update public.agent_test_results e set verdict = 'failed' from public.agent_test_runs r
                 where r.agent_id = ${agent} and e.run_id = r.id`;
      await sql`update public.agent_test_runs set status = 'succeeded', finished_at = clock_timestamp() where agent_id = ${agent}`;
    },
    sides: ({ team, agent, knowledges }) => [
      {
        claims: user(team.owners[0]),
        work: (tx) => tx`select private.restore_deleted('knowledges', ${team.id}, ${knowledges[0]})`,
      },
      {
        claims: service,
        work: (tx) => tx`
          select private.begin_test_run(${agent}, v.id, null, null) from public.agent_versions v
           where v.agent_id = ${agent} order by v.number desc limit 1`,
      },
    ],
    check: async (sql, { agent, knowledges }, [restored, begun]) => {
      expect(restored).toHaveProperty("value");
      expect(await sql`select 1 from public.knowledges where id = ${knowledges[0]}`).toHaveLength(1);
      const runs = await sql`
        select r.status, e.verdict from public.agent_test_runs r join public.agent_test_results e on e.run_id = r.id
         where r.agent_id = ${agent} order by r.id`;
      const asked = { status: "queued", verdict: null };
      const isBegun = "value" in begun;
      expect(runs.map((row) => ({ ...row }))).toEqual(
        isBegun ? [{ status: "succeeded", verdict: "undecided" }, asked] : [asked],
      );
    },
    unlock: (sql) =>
      takeOut(
        sql,
        "private.ask_again_since(uuid,uuid[],timestamptz)",
        "perform 1 from public.agents a where a.id = run.agent_id for update;",
      ),
  });
});
