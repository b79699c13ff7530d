-- The list of a team's chats is searched in their messages, too.
-- The chats of a team with a message that matches a query, for the filter of the list: among the newest 10,000 messages that match. Security
-- definer: as find_documents.
-- Who may: logged-in users. Checks: everyone's chats with chats.read in the team; else the caller's own, with chats.write.
create function private.find_chats_by_message(team uuid, query text) returns table (chat_id uuid)
language plpgsql stable security definer rows 100 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if asked is null or not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    select m.chat_id
      from private.message_words w join public.messages m on m.team_id = w.team_id and m.id = w.message_id
     where w.team_id = team and w.words operator(pg_catalog.@@) asked and not m.superseded
       and (sees_all or m.user_id = person or m.api_key_id = key)
     order by w.message_id desc limit 10000;
end
$$;
revoke all on function private.find_chats_by_message(uuid, text) from public;
grant execute on function private.find_chats_by_message(uuid, text) to authenticated, service_role;
