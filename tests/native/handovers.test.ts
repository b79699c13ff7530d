// Races about a handover: two requests, two answers, an answer and the end.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { type Outcome, openTrack, type Side, takeOut, testRace } from "./racing.ts";
import { makeSmallTeams, service } from "./teams.ts";

const track = openTrack();

interface Round {
  team: string;
  chat: string;
  handover: string;
}

async function prepare(sql: Sql, count: number): Promise<Round[]> {
  const teams = await makeSmallTeams(sql, count);
  const rounds = teams.map(({ id }) => ({ team: id, chat: randomUUID(), handover: randomUUID() }));
  for (const { team, chat, handover } of rounds) {
    const agent = randomUUID();
    await sql`insert into public.agents (id, team_id, name) values (${agent}, ${team}, 'Agent')`;
    await sql`insert into public.chats (id, team_id, agent_id) values (${chat}, ${team}, ${agent})`;
    await sql`insert into public.handovers (id, team_id, chat_id, email, consent_version)
              values (${handover}, ${team}, ${chat}, 'visitor@race.test', '1')`;
  }
  return rounds;
}

const answering = ({ handover }: Round, words: string): Side => ({
  claims: service,
  work: async (tx) => (await tx`select private.answer_handover(${handover}, ${words}, 'Ada') as id`)[0]?.id,
});
const closing = ({ handover }: Round): Side => ({
  claims: service,
  work: (tx) =>
    tx`update public.handovers set status = 'closed', closed_at = clock_timestamp() where id = ${handover} and status <> 'closed'`,
});
const isAnswered = (outcome: Outcome) => "value" in outcome && outcome.value !== null;
async function read(sql: Sql, { chat, handover }: Round) {
  const [row] = await sql<{ status: string; messages: number; mails: number }[]>`
    select h.status, (select count(*)::int from public.messages m where m.chat_id = ${chat}) as messages,
           (select count(*)::int from private.handover_deliveries d where d.handover_id = h.id) as mails
      from public.handovers h where h.id = ${handover}`;
  return row;
}

testRace("two colleagues who answer at once have both answers in the chat, each mailed once", track, {
  prepare,
  sides: (round) => [answering(round, "One"), answering(round, "Two")],
  check: async (sql, round, outcomes) => {
    expect(outcomes.map(isAnswered)).toEqual([true, true]);
    expect(await read(sql, round)).toEqual({ status: "answered", messages: 2, mails: 2 });
  },
});

testRace("a handover that is answered and closed at once is closed, and not answered afterwards", track, {
  prepare,
  sides: (round) => [answering(round, "One"), closing(round)],
  check: async (sql, round, [answered], order) => {
    if (order === "second holds") expect(isAnswered(answered)).toBe(false);
    const count = Number(isAnswered(answered));
    expect(await read(sql, round)).toEqual({ status: "closed", messages: count, mails: count });
  },
  unlock: (sql) => takeOut(sql, "private.answer_handover(uuid,text,text)", " for update"),
});
