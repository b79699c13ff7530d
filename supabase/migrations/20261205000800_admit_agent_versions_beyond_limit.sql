-- Takes a database with data from the schema before to that of sql/: admit agent versions beyond limit.

-- What a team stores, with the changes that are not added up yet.
create function private.storage_used(team uuid) returns bigint
language sql stable set search_path = '' as $$
  select greatest(0, coalesce((select s.bytes from private.team_storage s where s.team_id = storage_used.team), 0)
                     + coalesce((select sum(c.bytes) from private.storage_changes c where c.team_id = storage_used.team), 0))::bigint
$$;
revoke all on function private.storage_used(uuid) from public;
grant execute on function private.storage_used(uuid) to service_role;

-- What a team stores and may store; without a limit the latter is null. No row for others. Security definer: no client reads the sums.
-- Who may: those who read or add the team's files. Checks: files.read or files.write in that team.
create or replace function private.storage_of(team uuid) returns table (used bigint, most bigint)
language sql stable security definer set search_path = '' as $$
  select private.storage_used(storage_of.team), l.team_storage
    from private.operator_limits l
   where storage_of.team = any ((select private.teams_with('files.read') || private.teams_with('files.write'))::uuid[])
$$;

alter table public.agent_versions add column is_beyond_limit boolean not null default false;
create index agent_versions_beyond_limit_idx on public.agent_versions (agent_id, number) where is_beyond_limit;

-- What a version counts as in its team's storage (45_storage.sql): one short change of many agents stores the settings of each again. They are
-- never changed.
create function private.agent_version_bytes(settings jsonb) returns bigint
language sql immutable parallel safe set search_path = '' as $$ select 1024 + octet_length(settings::text) $$;
revoke all on function private.agent_version_bytes(jsonb) from public;
grant execute on function private.agent_version_bytes(jsonb) to service_role;

-- True when the next version of an agent is stored although the team's storage is full, so that a team can always change, unpublish and fix
-- its agents: 60 an hour for each author. Not for a new agent. Makes room among those that were stored so: the live one and the latest stay.
create function private.admits_beyond_limit(team uuid, agent uuid, bytes bigint, author uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  if coalesce(private.storage_used(team) + bytes <= (select l.team_storage from private.operator_limits l), true)
     or not exists (select from public.agent_versions v where v.agent_id = agent) then
    return false;
  end if;
  if private.take_hit('beyond:' || coalesce(author, private.api_key_id(), team), 60, 3600) > 0 then
    return false;
  end if;
  delete from public.agent_versions v
   where v.agent_id = agent and v.is_beyond_limit
     and v.number < (select max(o.number) from public.agent_versions o where o.agent_id = agent and o.is_beyond_limit)
     and v.id is distinct from (select l.id from public.agent_versions l
                                 where l.agent_id = agent and l.published_at is not null
                                 order by l.published_at desc, l.number desc limit 1);
  return true;
end
$$;
revoke all on function private.admits_beyond_limit(uuid, uuid, bigint, uuid) from public;
grant execute on function private.admits_beyond_limit(uuid, uuid, bigint, uuid) to service_role;

-- Stores settings as an agent's next version, which is live when it is published. Requires the agent's lock: numbers are given one after the
-- other.
create function private.add_agent_version(agent uuid, settings jsonb, author uuid, is_published boolean, restored int default null) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  team constant uuid := (select a.team_id from public.agents a where a.id = agent);
  is_beyond constant boolean := private.admits_beyond_limit(team, agent, private.agent_version_bytes(settings), author);
  added uuid;
begin
  if not is_beyond then
    -- What has room now is like any other.
    update public.agent_versions v set is_beyond_limit = false where v.agent_id = agent and v.is_beyond_limit;
  end if;
  insert into public.agent_versions
         (team_id, agent_id, number, settings, restored_from, created_by, published_at, published_by, is_beyond_limit)
  select team, agent, coalesce(max(v.number), 0) + 1, add_agent_version.settings, restored, author,
         case when is_published then clock_timestamp() end, case when is_published then author end, is_beyond
    from public.agent_versions v where v.agent_id = agent
  returning id into added;
  return added;
end
$$;
revoke all on function private.add_agent_version(uuid, jsonb, uuid, boolean, int) from public;
grant execute on function private.add_agent_version(uuid, jsonb, uuid, boolean, int) to service_role;

-- Stores an agent's settings as its next version, unless they equal the version published last. Returns null when nothing changed.
create or replace function private.keep_agent_version(agent uuid, author uuid, restored int default null) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  team uuid;
  now_set jsonb;
  live jsonb;
begin
  select a.team_id into team from public.agents a where a.id = agent for no key update;
  now_set := private.agent_settings(agent);
  if now_set is null then
    return null;
  end if;
  select v.settings into live from public.agent_versions v
   where v.agent_id = agent and v.published_at is not null order by v.published_at desc, v.number desc limit 1;
  if live is not null and restored is null and private.usable_settings(team, live) = now_set then
    return null;
  end if;
  return private.add_agent_version(agent, now_set, author, true, restored);
end
$$;

-- Security definer: no client writes the changes.
-- Who may: whoever saves or deletes agents, by a trigger. Checks: the versions of the statement.
create or replace function private.count_agent_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes, not n.is_beyond_limit)
       from (select a.team_id, a.is_beyond_limit, sum(private.agent_version_bytes(a.settings))::bigint as bytes
               from added a group by a.team_id, a.is_beyond_limit) n;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select g.team_id, sum(private.agent_version_bytes(g.settings))::bigint as bytes from gone g group by g.team_id) n;
  end if;
  return null;
end
$$;
