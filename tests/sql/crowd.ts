// Owns many teams with many rows, for tests of plans and times: the shape of a busy installation, not its words.
import type { Sql } from "postgres";
import { systemRoleIds } from "../support/permissions.ts";

export interface Crowd {
  /** One team among the others, and some of its rows. */
  team: string;
  agent: string;
  source: string;
  file: string;
  chat: string;
  owner: string;
  viewer: string;
  apiKey: string;
  /** A platform admin, who is in no team. */
  admin: string;
}

export interface Size {
  teams: number;
  membersPerTeam: number;
  /** Documents, chats and messages; fewer of the rest. */
  rowsPerTeam: number;
}

/** @param sql a connection as the superuser; its triggers and foreign keys are disabled meanwhile. */
export async function makeCrowd(sql: Sql, { teams, membersPerTeam, rowsPerTeam }: Size): Promise<Crowd> {
  const few = Math.ceil(rowsPerTeam / 10);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`create temporary table crowd on commit drop as
             select n, private.uuid_v7() as team, private.uuid_v7() as agent, private.uuid_v7() as source,
                    private.uuid_v7() as file
               from generate_series(1, ${teams}) n`;
    await tx`create temporary table crowd_people on commit drop as
             select c.n, c.team, m, gen_random_uuid() as person from crowd c, generate_series(1, ${membersPerTeam}) m`;
    await tx`insert into public.users (id, name, email)
             select person, 'Person ' || m, person || '@crowd.test' from crowd_people`;
    await tx`insert into public.teams (id, name, codename) select team, 'Team ' || n, 'crowd-' || n from crowd`;
    await tx`insert into public.team_users (team_id, user_id, email, role_id, status)
             select team, person, person || '@crowd.test',
                    (case m when 1 then ${systemRoleIds.owner} else ${systemRoleIds.viewer} end)::uuid, 'accepted'
               from crowd_people`;
    await tx`insert into public.roles (team_id, name, codename)
             select team, 'Role', 'role-' || i from crowd, generate_series(1, 2) i`;
    await tx`insert into public.api_keys (team_id, name, role_id, prefix, secret_hash, created_by, makers)
             select team, 'Key', ${systemRoleIds.editor}, lpad((n * 100 + i)::text, 8, '0'), sha256('x'), person, array[person]
               from crowd_people, generate_series(1, 6) i where m = 1`;
    await tx`insert into public.agents (id, team_id, name)
             select case i when 1 then agent else private.uuid_v7() end, team, 'Agent ' || i
               from crowd, generate_series(1, ${few}) i`;
    await tx`insert into public.sources (id, team_id, type, name)
             select case i when 1 then source else private.uuid_v7() end, team, 'file', 'Source ' || i
               from crowd, generate_series(1, ${few}) i`;
    await tx`insert into public.knowledges (team_id, name) select team, 'Knowledge ' || i from crowd, generate_series(1, ${few}) i`;
    // Their triggers would add these.
    await tx`insert into private.roots (id, team_id, kind)
             select id, team_id, 'agents' from public.agents
             union all select id, team_id, 'sources' from public.sources
             union all select id, team_id, 'knowledges' from public.knowledges
             union all select id, team_id, 'api_keys' from public.api_keys
             union all select id, null, 'users' from public.users
             union all select id, null, 'teams' from public.teams
             on conflict do nothing`;
    await tx`insert into public.knowledge_sources (team_id, knowledge_id, source_id)
             select k.team_id, k.id, c.source from public.knowledges k join crowd c on c.team = k.team_id`;
    await tx`insert into public.files (id, team_id, name, type, content_type, size, path, sha256)
             select case i when 1 then file else private.uuid_v7() end, team, 'file ' || i, 'document', 'text/plain', 1, 'teams/' || team || '/' || gen_random_uuid(), repeat('0', 64)
               from crowd, generate_series(1, ${few}) i`;
    await tx`insert into public.file_versions (team_id, file_id, number, name, type, content_type, size, path, sha256)
             select f.team_id, f.id, i, f.name, f.type, f.content_type, f.size, f.path, f.sha256
               from public.files f join crowd c on c.team = f.team_id, generate_series(1, 10) i`;
    await tx`insert into public.documents (team_id, source_id, external_id, type, title, status)
             select team, source, i::text, 'file', 'Document ' || i, 'ready' from crowd, generate_series(1, ${rowsPerTeam}) i`;
    await tx`insert into public.tasks (team_id, type, key, source_id, status)
             select team, 'index', n || ':' || i, source, 'succeeded' from crowd, generate_series(1, ${few}) i`;
    await tx`insert into public.chats (team_id, agent_id, user_id, title)
             select c.team, c.agent, p.person, 'Chat ' || i
               from crowd c join crowd_people p on p.n = c.n and p.m = 2, generate_series(1, ${rowsPerTeam}) i`;
    await tx`insert into public.apps (team_id, name, agent_id)
             select team, 'App ' || i, agent from crowd, generate_series(1, ${few}) i`;
    await tx`insert into public.messages (team_id, chat_id, user_id, content)
             select ch.team_id, ch.id, ch.user_id, 'Hello' from public.chats ch join crowd c on c.agent = ch.agent_id`;
    await tx`insert into private.message_words (team_id, message_id, words)
             select m.team_id, m.id, private.team_words(m.team_id, m.content) from public.messages m join crowd c on c.team = m.team_id`;
    await tx`insert into public.handovers (team_id, chat_id, language, consent_version, status)
             select ch.team_id, ch.id, 'en', '1', 'closed' from public.chats ch join crowd c on c.agent = ch.agent_id`;
    await tx`insert into public.gaps (team_id, agent_id, reason, questions, people, open_questions)
             select team, agent, 'missing', 5, i, 5 from crowd, generate_series(1, ${few}) i`;
    await tx`insert into public.gap_questions (message_id, question_id, team_id, agent_id, gap_id, cause, asked_at)
             select m.id, m.id, m.team_id, g.agent_id, g.id, 'unanswered', m.created_at
               from (select *, row_number() over (partition by team_id order by id) as n from public.messages) m
               join (select *, row_number() over (partition by team_id order by id) as n from public.gaps) g
                 on g.team_id = m.team_id and g.n = 1 + m.n % ${few}`;
    await tx`insert into public.users (id, name, email, is_admin)
             values (gen_random_uuid(), 'Admin', 'admin@crowd.test', true)`;
    await tx`insert into public.support_tickets (email, subject, message, status)
             select n || '@crowd.test', 'Help', 'Please', case when n % 5 = 0 then 'open' else 'closed' end
               from generate_series(1, ${teams * few}) n`;
    await tx`insert into public.suppressions (email, reason)
             select n || '@bounced.test', 'bounce' from generate_series(1, ${teams * few}) n`;
  });
  // One statement each: PGlite's vacuum and analyze take no list inside a batch.
  await sql`analyze`;
  const [crowd] = await sql<Crowd[]>`
    select t.id as team, a.id as agent, s.id as source, f.file_id as file, c.id as chat, o.user_id as owner, v.user_id as viewer, k.id as "apiKey",
           (select id from public.users where email = 'admin@crowd.test') as admin
      from public.teams t
      join lateral (select * from public.chats where team_id = t.id order by id limit 1) c on true
      join public.agents a on a.id = c.agent_id
      join lateral (select * from public.documents where team_id = t.id order by id limit 1) d on true
      join public.sources s on s.id = d.source_id
      join lateral (select * from public.file_versions where team_id = t.id limit 1) f on true
      join public.team_users o on o.team_id = t.id and o.role_id = ${systemRoleIds.owner}
      join public.team_users v on v.team_id = t.id and v.user_id = c.user_id
      join lateral (select * from public.api_keys where team_id = t.id order by id limit 1) k on true
     where t.codename = ${`crowd-${Math.ceil(teams / 2)}`}`;
  if (!crowd) throw new Error("The crowd has no team in its middle");
  return crowd;
}
