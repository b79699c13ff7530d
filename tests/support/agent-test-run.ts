// Owns a run of an agent's tests, as an owner starts one.
import { randomUUID } from "node:crypto";
import type { IndexingStand } from "./indexing-stand.ts";

/** Starts a run of six tests, of a draft against the live version. */
export async function newRun({ sql, team }: IndexingStand): Promise<{ run: string; task: string }> {
  const [owner] = await sql`
    insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    values (private.uuid_v7(), 'authenticated', 'authenticated', ${`${randomUUID()}@parley.test`}, now(), '{}', '{"name":"Owner"}')
    returning id, email`;
  await sql`insert into public.team_users (team_id, user_id, email, role_id, status)
            values (${team}, ${owner?.id}, ${owner?.email}, '00000000-0000-7000-8000-000000000001', 'accepted')`;
  const [agent] = await sql`insert into public.agents (team_id, name) values (${team}, 'Agent') returning id`;
  await sql`insert into public.agent_tests (team_id, agent_id, question, facts)
            select ${team}, ${agent?.id}, 'Question ' || n, array['fact'] from generate_series(1, 6) n`;
  const [draft] = await sql`
    insert into public.agent_versions (team_id, agent_id, number, settings)
    select team_id, agent_id, 2, settings || '{"instructions": "Other."}' from public.agent_versions where agent_id = ${agent?.id}
    returning id`;
  const [begun] =
    await sql`select private.begin_test_run(${agent?.id}, ${draft?.id}, ${owner?.id}, null) as id`;
  const [row] = await sql`select id, task_id from public.agent_test_runs where id = ${begun?.id}`;
  return { run: row?.id, task: row?.task_id };
}
