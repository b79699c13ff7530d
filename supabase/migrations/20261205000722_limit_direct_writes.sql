-- Takes a database with data from the schema before to that of sql/: limit direct writes.

drop trigger limit_outsider on public.chats;
drop trigger limit_outsider on public.messages;
drop function private.limit_outsider();

-- Limits how much people and API keys write past /v1, which counts the questions that it stores against limits of the operator's own
-- (63_questions.sql): messages, as nothing else bounds what they take of the disk, and chats in other people's teams. Security definer: no
-- client may count. Raises PT429.
-- Who may: callers the policies let write, by a trigger. Checks: the caller that the verified claims name, and the row's own team.
create function private.limit_direct_writes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  writer constant uuid := coalesce(private.user_id(), private.api_key_id());
  wait int;
begin
  if writer is null or current_setting('parley.is_counted', true) = 'on'
     or tg_table_name = 'chats' and new.team_id = any (private.teams_with('chats.write')) then
    return null;
  end if;
  wait := private.take_hit(format('direct:%s:%s', tg_table_name, writer), tg_argv[0]::int, 600);
  if wait > 0 then
    raise exception 'too much was written past the API'
      using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  return null;
end
$$;
revoke all on function private.limit_direct_writes() from public;
-- Runs after the insert, so that policies and own_chat have run. Allows as many chats as /v1 lets one person start, and three times its
-- default of questions.
create trigger limit_direct_writes after insert on public.chats
  for each row when (new.user_id is not null and not private.is_restoring()) execute function private.limit_direct_writes('30');
create trigger limit_direct_writes after insert on public.messages
  for each row when ((new.user_id is not null or new.api_key_id is not null) and new.role = 'user' and not private.is_restoring())
  execute function private.limit_direct_writes('600');
