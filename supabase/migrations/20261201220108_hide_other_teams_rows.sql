-- Takes a database with data from the schema before to that of sql/: hide other teams rows.

-- Sets a new chat's owner from the caller's claims, never from the row. A missing agent has no team, which the policies refuse like another
-- team's. Security definer: reads the agent's team.
-- Who may: callers the policies let write, by a trigger. Checks: team and person come from agent and claims, never from the row.
create or replace function private.own_chat() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_client() then
    return new;
  end if;
  new.team_id := (select a.team_id from public.agents a where a.id = new.agent_id);
  new.user_id := private.user_id();
  new.api_key_id := private.api_key_id();
  new.visitor_id := case when new.user_id is null and new.api_key_id is null then private.claim_id('visitor_id') end;
  return new;
end
$$;

-- The same for a message: it belongs to its chat's person, whoever writes. Security definer: reads the chat.
-- Who may: callers the policies let write, by a trigger. Checks: team and person come from the chat, never from the row.
create or replace function private.own_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select c.team_id, c.user_id, c.visitor_id, c.api_key_id
    into new.team_id, new.user_id, new.visitor_id, new.api_key_id
    from public.chats c where c.id = new.chat_id;
  if new.team_id is null and not private.is_client() then
    raise exception 'no such chat' using errcode = 'PT404';
  end if;
  return new;
end
$$;

-- A client that names another team's row is told that it is missing, before a unique key could tell that it exists, or what it is linked
-- to. Security definer: reads rows that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: the named row is of the new row's team; others' teams are left to policies.
create function private.hide_other_teams() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'agent_knowledges' then
    if exists (select from public.knowledges k where k.team_id = new.team_id and k.id = new.knowledge_id) then
      return new;
    end if;
  elsif exists (select from public.sources s where s.team_id = new.team_id and s.id = new.source_id) then
    return new;
  end if;
  if new.team_id = any (private.teams_with(tg_argv[0])) then
    raise exception 'no such row in this team' using errcode = '23503';
  end if;
  return new;
end
$$;
revoke all on function private.hide_other_teams() from public;
create trigger hide_other_teams before insert on public.documents
  for each row when (private.is_client() and not private.is_restoring()) execute function private.hide_other_teams('sources.write');
create trigger hide_other_teams before insert on public.knowledge_sources
  for each row when (private.is_client() and not private.is_restoring()) execute function private.hide_other_teams('knowledges.write');
create trigger hide_other_teams before insert on public.agent_knowledges
  for each row when (private.is_client() and not private.is_restoring()) execute function private.hide_other_teams('agents.write');
