-- Takes a database with data from the schema before to that of sql/: hide teams that only invite.
-- True for a team that the caller is invited to and has not joined: it shows in their invitations only, and any call in it is NOT_FOUND.
create function private.only_invites(team uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return team <> all (private.teams_with('team.read')) and team = any (private.teams_inviting());
end
$$;
revoke all on function private.only_invites(uuid) from public;
grant execute on function private.only_invites(uuid) to authenticated, service_role;

create or replace function private.begin_call(team_id uuid default null, team_codename text default null, permission text default null)
returns uuid
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_variable
declare
  goes_on boolean;
  team uuid;
  is_allowed boolean;
begin
  if private.claims() ? 'api_key_id' then
    goes_on := private.use_api_key();
  elsif permission is null then
    goes_on := private.session_goes_on();
  else
    select m.goes_on, m.team into goes_on, team from private.calling_member(team_id, team_codename, permission) m;
  end if;
  if goes_on is not true then
    raise exception 'the session or the API key is over' using errcode = 'PT401';
  end if;
  if permission is not null and team is null then
    select t.id, t.id = any ((select private.teams_with(permission))::uuid[]) into team, is_allowed
      from public.teams t where t.id = team_id or t.codename = team_codename;
    if team is null or not is_allowed and private.only_invites(team) then
      raise exception 'there is no such team' using errcode = 'PT404';
    elsif not is_allowed then
      raise exception 'the role lacks %', permission using errcode = '42501';
    end if;
  end if;
  perform set_config('request.team', coalesce(team::text, ''), true);
  return team;
end
$$;
