-- Takes a database with data from the schema before to that of sql/: leave other teams to policies.

-- A client that writes for another team is refused by the policies, whether the role, file or agent that it names is of that team or missing, and
-- however many invitations that team has sent: triggers run before policies, and told the two apart.
create or replace function private.check_source_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.type <> 'agentChat' then
    return new;
  end if;
  -- First: others are not told which agents the team has.
  if private.is_client() and new.team_id <> all (private.teams_with('chats.read')) then
    raise exception 'may not read this team''s chats' using errcode = '42501';
  end if;
  if not exists (select 1 from public.agents a where a.id::text = new.config ->> 'agentId' and a.team_id = new.team_id) then
    raise exception 'the agent is not one of this team' using errcode = '23503';
  end if;
  return new;
end
$$;

drop trigger check_source_files on public.sources;
create trigger check_source_files before insert or update of config on public.sources
  for each row
  when (not private.is_restoring() and (not private.is_client() or new.team_id = any (private.teams_with('sources.write'))))
  execute function private.check_source_files();

drop trigger check_team_user_role on public.team_users;
create trigger check_team_user_role before insert or update of role_id, team_id on public.team_users
  for each row when (not private.is_client() or new.team_id = any (private.teams_with('users.write')))
  execute function private.check_role_team();

drop trigger check_api_key_role on public.api_keys;
create trigger check_api_key_role before insert or update of role_id, team_id on public.api_keys
  for each row when (not private.is_client() or new.team_id = any (private.teams_with('apiKeys.write')))
  execute function private.check_role_team();

drop trigger invitation_is_counted on public.team_users;
create trigger invitation_is_counted before insert or update of status on public.team_users
  for each row when (new.status = 'pending' and (not private.is_client() or new.team_id = any (private.teams_with('users.write'))))
  execute function private.count_invitation();
