// A written answer that is deleted while the questions of its gap are asked again: they stay waiting, for the answer may be restored.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type IndexingStand, startIndexingStand } from "../support/indexing-stand.ts";

let stand: IndexingStand;
beforeAll(async () => {
  stand = await startIndexingStand();
  process.env.PARLEY_OUTBOUND_ALLOW = new URL(stand.openai.baseUrl).host;
});
afterAll(() => stand.stop());

it("is not taken for one that does not help", async () => {
  const { sql, team } = stand;
  const [owner] = await sql`
    insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    values (private.uuid_v7(), 'authenticated', 'authenticated', 'owner@parley.test', now(), '{}', '{"name":"Owner"}') returning id`;
  await sql`
    insert into public.team_users (team_id, user_id, email, role_id, status)
    values (${team}, ${owner?.id}, 'owner@parley.test', '00000000-0000-7000-8000-000000000001', 'accepted')`;
  const [source] =
    await sql`insert into public.sources (team_id, type, name) values (${team}, 'qa', 'Answers') returning id`;
  const knowledge = await stand.addKnowledge([source?.id]);
  const [agent] = await sql`insert into public.agents (team_id, name) values (${team}, 'Agent') returning id`;
  await sql`
    insert into public.agent_knowledges (team_id, agent_id, knowledge_id) values (${team}, ${agent?.id}, ${knowledge})`;
  const [entry] = await sql`
    insert into public.qa_entries (team_id, source_id, question, answer)
    values (${team}, ${source?.id}, 'Where is the lamp?', 'The lamp is in the hall.') returning id`;
  await stand.settle();
  const [gap] = await sql`
    insert into public.gaps (team_id, agent_id, reason) values (${team}, ${agent?.id}, 'missing') returning id`;
  for (const question of ["Where is the lamp?", "Where do I find the lamp?"]) {
    const [chat] =
      await sql`insert into public.chats (team_id, agent_id, visitor_id) values (${team}, ${agent?.id}, ${randomUUID()}) returning id`;
    const place = { team_id: team, chat_id: chat?.id };
    await sql`insert into public.messages ${sql({ ...place, content: question })}`;
    await sql`insert into public.messages ${sql({ ...place, role: "assistant", content: "I do not know.", unanswered: true })}`;
  }
  await sql`update public.gap_questions set gap_id = ${gap?.id}, words_hash = message_id::text`;
  // The entry is deleted once the task has counted an answer, before it asks the agent.
  await sql`
    create function private.delete_answers() returns trigger language plpgsql security definer set search_path = '' as
    'begin delete from public.qa_entries; return null; end'`;
  await sql`
    create trigger delete_answers after insert on private.rate_limits
      for each row when (new.key like 'answer:%') execute function private.delete_answers()`;
  const [task] = await sql`select private.ask_gap_again(${gap?.id}, ${entry?.id}, ${owner?.id}, null) as id`;
  await stand.settle();
  expect(await stand.task(task?.id)).toMatchObject({ status: "failed", attempts: 1 });
  expect(await sql`select again from public.gap_questions`).toEqual([
    { again: "waiting" },
    { again: "waiting" },
  ]);
});
