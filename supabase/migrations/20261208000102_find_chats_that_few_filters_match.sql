-- The team's list of chats read every chat, and every reply, where few match a filter.

create index chats_team_channel_idx on public.chats (team_id, channel, id);
create index messages_doubtful_idx on public.messages (team_id, (support ->> 'state'), chat_id)
  where support ->> 'state' in ('partly', 'notFound', 'disagree');

-- The chats of a team with a reply in a support state that few replies have, for the filter of the list. Security definer: as find_documents.
-- Who may: logged-in users. Checks: everyone's chats with chats.read in the team; else the caller's own, with chats.write.
create function private.find_chats_by_support(team uuid, state text) returns table (chat_id uuid)
language plpgsql stable security definer rows 100 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    select distinct m.chat_id from public.messages m
     where m.team_id = team and m.support ->> 'state' = state and m.support ->> 'state' in ('partly', 'notFound', 'disagree')
       and (sees_all or m.user_id = person or m.api_key_id = key);
end
$$;
revoke all on function private.find_chats_by_support(uuid, text) from public;
grant execute on function private.find_chats_by_support(uuid, text) to authenticated, service_role;
