-- Takes a database with data from the schema before to that of sql/: limit outsiders.

-- Limits how much people outside a team write into its chats, however they write: the limits of /v1 do not count PostgREST's calls. Security
-- definer: no client may count. Raises PT429.
-- Who may: callers the policies let write, by a trigger. Checks: the caller that the verified claims name, and the row's own team.
create function private.limit_outsider() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  writer constant uuid := private.user_id();
  wait int;
begin
  if writer is null or new.team_id = any (private.teams_with('chats.write')) then
    return null;
  end if;
  wait := private.take_hit(format('outsider:%s:%s', tg_table_name, writer), tg_argv[0]::int, 600);
  if wait > 0 then
    raise exception 'too much was written from outside the team'
      using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  return null;
end
$$;
revoke all on function private.limit_outsider() from public;
-- After the row, so that policies and own_chat have decided. As many chats as /v1 lets one person start, and more questions than it answers.
create trigger limit_outsider after insert on public.chats
  for each row when (new.user_id is not null and not private.is_restoring()) execute function private.limit_outsider('30');
create trigger limit_outsider after insert on public.messages
  for each row when (new.user_id is not null and new.role = 'user' and not private.is_restoring())
  execute function private.limit_outsider('600');
