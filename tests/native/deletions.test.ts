// Undoing deletions against concurrent events: a message, a second person, the purge, a lost connection.
import { randomUUID } from "node:crypto";
import type { Sql, TransactionSql } from "postgres";
import { expect, test } from "vitest";
import { openTrack, type Race, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, type SmallTeam, service, user } from "./teams.ts";

const track = openTrack();

interface Round {
  team: SmallTeam;
  agent: string;
  chat: string;
  /** Created by the races that need one. */
  knowledge: string;
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  const made = teams.map((team) => ({
    team,
    agent: randomUUID(),
    chat: randomUUID(),
    knowledge: randomUUID(),
  }));
  const rows = made.map(({ team, agent, chat }) => ({ team: team.id, agent, chat }));
  await sql.begin(async (tx) => {
    await tx`insert into public.agents (id, team_id, name)
             select r.agent, r.team, 'Agent' from jsonb_to_recordset(${tx.json(rows)}) as r (agent uuid, team uuid)`;
    await tx`insert into public.chats (id, team_id, agent_id)
             select r.chat, r.team, r.agent from jsonb_to_recordset(${tx.json(rows)}) as r (chat uuid, team uuid, agent uuid)`;
  });
  return made;
}

async function deleteAgent(tx: TransactionSql, { team, agent }: Round): Promise<unknown> {
  await tx`select private.keep_deleted('agents', ${team.id}, ${agent})`;
  return await tx`delete from public.agents where id = ${agent} returning 1`;
}
const restore = (tx: TransactionSql, { team, agent }: Round) =>
  tx`select private.restore_deleted('agents', ${team.id}, ${agent})`;
const removing = (round: Round): Side => ({
  claims: user(round.team.owners[0]),
  work: (tx) => deleteAgent(tx, round),
});
const restoring = (round: Round, who: 0 | 1): Side => ({
  claims: user(round.team.owners[who]),
  work: (tx) => restore(tx, round),
});
/** Runs work as an owner of the round's team. */
const byOwner = (sql: Sql, { team }: Round, work: (tx: TransactionSql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`select set_config('role', 'authenticated', true),
                    set_config('request.jwt.claims', ${JSON.stringify(user(team.owners[0]))}, true)`;
    await work(tx);
  });
const count = async (sql: Sql, table: string, column: string, id: string) =>
  (await sql`select 1 from ${sql(table)} where ${sql(column)} = ${id}`).length;

testRace("a message that is written while its agent is deleted is refused, or comes back with it", track, {
  prepare,
  sides: (round) => [
    removing(round),
    {
      claims: service,
      work: (tx) =>
        tx`insert into public.messages (chat_id, role, content) values (${round.chat}, 'user', 'Hello') returning 1`,
    },
  ],
  check: async (sql, round, [removed, written]) => {
    expect(removed).toHaveProperty("value");
    expect(await count(sql, "public.messages", "chat_id", round.chat)).toBe(0);
    await byOwner(sql, round, (tx) => restore(tx, round));
    expect(await count(sql, "public.messages", "chat_id", round.chat)).toBe("value" in written ? 1 : 0);
  },
  unlock: (sql) => takeOut(sql, "private.keep_rows(uuid,uuid,uuid,regclass,text,integer)", " for update"),
} satisfies Race<Round>);

testRace("the second of two concurrent restores is refused", track, {
  prepare,
  begin: (sql, round) => byOwner(sql, round, (tx) => deleteAgent(tx, round)),
  sides: (round) => [restoring(round, 0), restoring(round, 1)],
  check: async (sql, round, outcomes) => {
    expect(outcomes.filter((outcome) => "value" in outcome)).toHaveLength(1);
    expect(outcomes).toContainEqual({ refused: "PT409" });
    expect(await count(sql, "public.chats", "id", round.chat)).toBe(1);
  },
} satisfies Race<Round>);

testRace("a restore at the deadline restores everything, or nothing", track, {
  prepare,
  begin: async (sql, round) => {
    await byOwner(sql, round, (tx) => deleteAgent(tx, round));
    await sql`update private.deletions set expires_at = clock_timestamp() + interval '2 ms' where row_id = ${round.agent}`;
  },
  sides: (round) => [
    restoring(round, 0),
    { claims: service, work: (tx) => tx`select private.purge_deletions(1000)` },
  ],
  check: async (sql, round, [restored]) => {
    const is = "value" in restored ? 1 : 0;
    if (!is) expect(restored).toEqual({ refused: "PT404" });
    expect(await count(sql, "public.agents", "id", round.agent)).toBe(is);
    expect(await count(sql, "public.chats", "id", round.chat)).toBe(is);
  },
} satisfies Race<Round>);

testRace(
  "of two deletions that refer to each other, undone at once, the second puts back their link",
  track,
  {
    prepare,
    begin: async (sql, round) => {
      const { team, agent, knowledge } = round;
      await sql.begin(async (tx) => {
        const [space] =
          await tx`insert into public.vectors (name, model, dimensions) values ('Space', ${knowledge}, 4) returning id`;
        await tx`insert into public.knowledges (id, team_id, name, vector_id) values (${knowledge}, ${team.id}, 'Knowledge', ${space?.id})`;
        await tx`insert into public.agent_knowledges (team_id, agent_id, knowledge_id) values (${team.id}, ${agent}, ${knowledge})`;
      });
      await byOwner(sql, round, (tx) => deleteAgent(tx, round));
      await byOwner(sql, round, async (tx) => {
        await tx`select private.keep_deleted('knowledges', ${team.id}, ${knowledge})`;
        await tx`delete from public.knowledges where id = ${knowledge}`;
      });
    },
    sides: (round) => [
      restoring(round, 0),
      {
        claims: user(round.team.owners[1]),
        work: (tx) => tx`select private.restore_deleted('knowledges', ${round.team.id}, ${round.knowledge})`,
      },
    ],
    check: async (sql, { team, agent, knowledge }, outcomes) => {
      expect(outcomes.every((outcome) => "value" in outcome)).toBe(true);
      expect(await count(sql, "public.agent_knowledges", "agent_id", agent)).toBe(1);
      expect(await count(sql, "public.knowledges", "id", knowledge)).toBe(1);
      expect(await count(sql, "private.deletions", "team_id", team.id)).toBe(0);
    },
    unlock: (sql) => takeOut(sql, "private.restore_deleted(text,uuid,uuid)", " order by d.id for update"),
  } satisfies Race<Round>,
);

test("a deletion with a lost connection leaves everything unchanged", async () => {
  const { sql, database } = track();
  const [round] = await prepare(sql, 1);
  if (!round) throw new Error("A round was to be made");
  const lost = database.connect("postgres", { max: 1 });
  const cut = byOwner(lost, round, async (tx) => {
    await deleteAgent(tx, round);
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await sql`select pg_terminate_backend(${own?.pid ?? 0})`;
    // Never resolves: the driver would write the rollback to a closed socket, where the error cannot be caught.
    await new Promise(() => {});
  });
  await expect(cut).rejects.toThrow();
  expect(await count(sql, "public.chats", "id", round.chat)).toBe(1);
  expect(await count(sql, "private.deletions", "row_id", round.agent)).toBe(0);
});
