-- Versions of agents: each saved state with its author. Visitors get the agent's own row, which equals the version published last. A
-- version without published_at is a draft.

create table public.agent_versions (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  agent_id uuid not null,
  -- Counts an agent's versions from 1.
  number int not null check (number > 0),
  -- In the API's shape of an agent, its knowledgeIds included.
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  -- The number of the version that this one restores.
  restored_from int,
  created_by uuid references public.users (id) on delete set null,
  published_at timestamptz,
  published_by uuid references public.users (id) on delete set null,
  -- The number of tests known to fail when somebody chose to publish anyway; null when no test was failing.
  published_despite int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- True when it was saved although its team's storage was full: private.add_agent_version() limits those.
  is_beyond_limit boolean not null default false,
  primary key (id),
  unique (team_id, id),
  unique (agent_id, number),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade
);
create index agent_versions_team_agent_idx on public.agent_versions (team_id, agent_id, number);
create index agent_versions_live_idx on public.agent_versions (agent_id, published_at, number) where published_at is not null;
create index agent_versions_beyond_limit_idx on public.agent_versions (agent_id, number) where is_beyond_limit;
create index agent_versions_created_by_idx on public.agent_versions (created_by);
create index agent_versions_published_by_idx on public.agent_versions (published_by);
create trigger touch_agent_versions before update on public.agent_versions
  for each row execute function private.touch_updated_at();

revoke all on public.agent_versions from public, anon, authenticated;
grant select on public.agent_versions to authenticated;
grant select, insert, update, delete on public.agent_versions to service_role;
alter table public.agent_versions enable row level security;
create policy "members read the versions of their team's agents" on public.agent_versions for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));

-- An agent's settings in the form that a version stores. Null when the agent is deleted.
create function private.agent_settings(agent uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
           'name', a.name, 'description', a.description, 'instructions', a.instructions, 'greeting', a.greeting,
           'suggestedPrompts', to_jsonb(a.suggested_prompts), 'model', a.model, 'temperature', round(a.temperature::numeric, 4),
           'visibility', a.visibility, 'allowedOrigins', to_jsonb(a.allowed_origins),
           'retrieval', jsonb_build_object('topK', a.retrieval_top_k, 'minScore', round(a.retrieval_min_score::numeric, 4),
                                           'mode', a.retrieval_mode),
           'unsupportedClaims', a.unsupported_claims,
           'knowledgeIds', coalesce((select jsonb_agg(ak.knowledge_id order by ak.knowledge_id)
                                       from public.agent_knowledges ak where ak.agent_id = a.id), '[]'))
    from public.agents a where a.id = agent
$$;
revoke all on function private.agent_settings(uuid) from public;
grant execute on function private.agent_settings(uuid) to service_role;

-- A version's settings without the knowledge bases that were deleted since.
create function private.usable_settings(team uuid, settings jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select settings || jsonb_build_object('knowledgeIds', coalesce((
    select jsonb_agg(k.id order by k.id) from public.knowledges k
     where k.team_id = team and k.id in (
       select named.id::uuid from jsonb_array_elements_text(settings -> 'knowledgeIds') as named (id))), '[]'))
$$;
revoke all on function private.usable_settings(uuid, jsonb) from public;
grant execute on function private.usable_settings(uuid, jsonb) to service_role;

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
-- other. Nobody can delete a version, so a program that saves in a loop must not fill the disk of an installation without a limit of storage:
-- PT429 after 5,000 of an author or an API key in a day.
create function private.add_agent_version(agent uuid, settings jsonb, author uuid, is_published boolean, restored int default null) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  team constant uuid := (select a.team_id from public.agents a where a.id = agent);
  is_beyond constant boolean := private.admits_beyond_limit(team, agent, private.agent_version_bytes(settings), author);
  saver constant uuid := coalesce(author, private.api_key_id());
  -- Not of a new agent, which can be deleted, and comes by the thousand in an import.
  wait constant int := case when saver is not null and exists (select from public.agent_versions v where v.agent_id = agent)
                            then private.take_hit('versions:' || saver, 5000, 86400) else 0 end;
  added uuid;
begin
  if wait > 0 then
    raise exception 'too many versions of agents were saved'
      using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
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
create function private.keep_agent_version(agent uuid, author uuid, restored int default null) returns uuid
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
revoke all on function private.keep_agent_version(uuid, uuid, int) from public;
grant execute on function private.keep_agent_version(uuid, uuid, int) to service_role;

-- Every save of an agent, from PostgREST and /v1 alike, leaves one version per transaction: the trigger runs after all writes. Security
-- definer: clients write no versions.
-- Who may: callers the policies let write the agent or its links, by a trigger. Checks: the agent of the written row.
create function private.version_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'agents' then
    perform private.keep_agent_version(new.id, coalesce(private.user_id(), case when tg_op = 'INSERT' then new.created_by end));
  else
    perform private.keep_agent_version(coalesce(new.agent_id, old.agent_id), private.user_id());
  end if;
  return null;
end
$$;
revoke all on function private.version_agent() from public;
create constraint trigger version_agent after insert or update on public.agents
  deferrable initially deferred for each row execute function private.version_agent();
create constraint trigger version_agent after insert or delete on public.agent_knowledges
  deferrable initially deferred for each row execute function private.version_agent();

-- Security definer: no client writes the changes.
-- Who may: whoever saves or deletes agents, by a trigger. Checks: the versions of the statement.
create function private.count_agent_versions() returns trigger
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
revoke all on function private.count_agent_versions() from public;
create trigger count_new_agent_versions after insert on public.agent_versions
  referencing new table as added for each statement execute function private.count_agent_versions();
create trigger count_deleted_agent_versions after delete on public.agent_versions
  referencing old table as gone for each statement execute function private.count_agent_versions();
