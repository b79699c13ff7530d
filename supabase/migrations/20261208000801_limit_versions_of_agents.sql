-- Takes a database with data from the schema before to that of sql/: limit versions of agents.

create or replace function private.add_agent_version(agent uuid, settings jsonb, author uuid, is_published boolean, restored int default null) returns uuid
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
