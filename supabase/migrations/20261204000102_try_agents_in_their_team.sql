-- Takes a database with data from the schema before to that of sql/: try agents in their team.
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
  if new.channel = 'playground' and not coalesce(new.team_id = any (private.teams_with('chats.write')), false) then
    raise exception 'only the team of an agent tries it in the playground' using errcode = '42501';
  end if;
  return new;
end
$$;
