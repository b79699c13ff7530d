// Large deletions against concurrent events: a message, a second deletion, a restore while the rows are removed.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect } from "vitest";
import { openTrack, type Race, type Side, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();
/** Each has more chats than go at once. */
const rounds = 12;
const many = 1010;

interface Round {
  team: SmallTeam;
  agent: string;
  chat: string;
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const made = (await makeSmallTeams(sql, count)).map((team) => ({
    team,
    agent: randomUUID(),
    chat: randomUUID(),
  }));
  for (const { team, agent, chat } of made) {
    await sql`insert into public.agents (id, team_id, name) values (${agent}, ${team.id}, 'Agent')`;
    await sql`insert into public.chats (id, team_id, agent_id, user_id) values (${chat}, ${team.id}, ${agent}, ${team.owners[1]})`;
    await sql`insert into public.chats (team_id, agent_id) select ${team.id}, ${agent} from generate_series(2, ${many}::int)`;
  }
  return made;
}

const removing = ({ team, agent }: Round, who: 0 | 1 = 0): Side => ({
  claims: user(team.owners[who]),
  work: async (tx) => (await tx`delete from public.agents where id = ${agent} returning 1`).length,
});
async function keepAndDelete(tx: TransactionSql, { team, agent }: Round): Promise<void> {
  await tx`select private.keep_deleted('agents', ${team.id}, ${agent})`;
  await tx`delete from public.agents where id = ${agent}`;
}

/** Removes what hangs on the round's agent. */
async function removeRest(sql: Sql, { agent }: Round): Promise<void> {
  for (let more = true; more; ) {
    await sql`select private.remove_detached(600)`;
    more =
      (await sql`select 1 from private.roots where id = ${agent} and detached_at is not null`).length > 0;
  }
}
const count = async (sql: Sql, table: string, column: string, id: string) =>
  (await sql`select 1 from ${sql(table)} where ${sql(column)} = ${id}`).length;
async function expectNothingLeft(sql: Sql, round: Round): Promise<void> {
  await removeRest(sql, round);
  expect(await count(sql, "public.messages", "chat_id", round.chat)).toBe(0);
  expect(await count(sql, "public.chats", "agent_id", round.agent)).toBe(0);
  expect(await count(sql, "private.roots", "id", round.agent)).toBe(0);
}

testRace("a message that is written while its large agent is deleted is not left", track, {
  rounds,
  prepare,
  sides: (round) => [
    removing(round),
    {
      claims: user(round.team.owners[1]),
      work: (tx) =>
        tx`insert into public.messages (chat_id, content) values (${round.chat}, 'Hello') returning 1`,
    },
  ],
  check: async (sql, round, [removed]) => {
    expect(removed).toEqual({ value: 1 });
    await expectNothingLeft(sql, round);
  },
} satisfies Race<Round>);

const addFiles = (sql: Sql | TransactionSql, { id }: SmallTeam, count: number) => sql`
  insert into public.files (team_id, name, type, content_type, size, path, sha256)
  select ${id}, 'a.txt', 'document', 'text/plain', 5, 'teams/' || ${id}::text || '/' || gen_random_uuid(), repeat('a', 64)
    from generate_series(1, ${count}::int) returning 1`;

testRace("a file that is registered while its large team is deleted is not left", track, {
  rounds,
  prepare: async (sql, count) => {
    const teams = await makeSmallTeams(sql, count);
    for (const team of teams) await addFiles(sql, team, many);
    return teams.map((team) => ({ team, agent: team.id, chat: team.id }));
  },
  sides: ({ team }) => [
    {
      claims: user(team.owners[0]),
      work: async (tx) => (await tx`delete from public.teams where id = ${team.id} returning 1`).length,
    },
    { claims: service, work: (tx) => addFiles(tx, team, 1) },
  ],
  check: async (sql, round, [removed]) => {
    expect(removed).toEqual({ value: 1 });
    await removeRest(sql, round);
    expect(await count(sql, "public.files", "team_id", round.team.id)).toBe(0);
    expect(await count(sql, "private.roots", "id", round.team.id)).toBe(0);
  },
} satisfies Race<Round>);

testRace("of two deletions of a large agent one deletes it", track, {
  rounds,
  prepare,
  sides: (round) => [removing(round, 0), removing(round, 1)],
  check: async (sql, round, outcomes) => {
    expect(outcomes.map((outcome) => ("value" in outcome ? outcome.value : outcome)).sort()).toEqual([0, 1]);
    await expectNothingLeft(sql, round);
  },
} satisfies Race<Round>);

testRace("a chat that begins while the last slice is removed is not left", track, {
  rounds,
  prepare,
  begin: async (sql, round) => {
    await sql`delete from public.agents where id = ${round.agent}`;
    await sql`delete from public.chats where agent_id = ${round.agent}`;
  },
  sides: (round) => [
    { claims: service, work: (tx) => tx`select private.remove_detached(600)` },
    // As one would that read the agent before it was deleted.
    {
      claims: service,
      work: (tx) =>
        tx`insert into public.chats (team_id, agent_id) values (${round.team.id}, ${round.agent}) returning 1`,
    },
  ],
  check: async (sql, round, [removed]) => {
    expect(removed).toHaveProperty("value");
    await expectNothingLeft(sql, round);
  },
} satisfies Race<Round>);

testRace("a restore at the deadline restores every chat, or nothing", track, {
  rounds,
  prepare,
  begin: async (sql, round) => {
    await sql.begin(async (tx) => {
      await tx`select set_config('role', 'authenticated', true),
                      set_config('request.jwt.claims', ${JSON.stringify(user(round.team.owners[0]))}, true)`;
      await keepAndDelete(tx, round);
    });
  },
  sides: (round) => [
    {
      claims: user(round.team.owners[1]),
      work: (tx) => tx`select private.restore_deleted('agents', ${round.team.id}, ${round.agent})`,
    },
    {
      claims: { role: "none" },
      work: async (tx) => {
        await tx`update private.deletions set expires_at = clock_timestamp() where row_id = ${round.agent}`;
        await tx`select private.purge_deletions(1000)`;
        await tx`select private.remove_detached(600)`;
      },
    },
  ],
  check: async (sql, round, [restored]) => {
    if ("value" in restored) {
      await sql`select private.remove_detached(600)`;
      expect(await count(sql, "public.agents", "id", round.agent)).toBe(1);
      expect(await count(sql, "public.chats", "agent_id", round.agent)).toBe(many);
    } else {
      expect(restored).toEqual({ refused: "PT404" });
      await sql`select private.purge_deletions(1000)`;
      await expectNothingLeft(sql, round);
    }
  },
} satisfies Race<Round>);
