-- Begins a call of the API in one statement, and keeps the plans of the functions that every statement of a client asks: those in
-- plain SQL were parsed and planned anew in each query that called them.

create or replace function private.session_goes_on() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select token.goes_on from private.token);
end
$$;

create or replace function private.user_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select c.id from private.caller c);
end
$$;

create or replace function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.caller c where c.is_admin_at_work);
end
$$;

create or replace function private.flags_of(account uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select case when c.is_admin_at_work
                then jsonb_build_object('isAdmin', u.is_admin, 'banned', u.banned_at is not null)
                else jsonb_build_object('isAdmin', u.is_admin) end
      from private.caller c join public.users u on u.id = account
     where c.is_admin_at_work or c.id = account), '{}');
end
$$;

-- Whether the calling session goes on, and the team that a call names where the caller is a member of it with team.read and the
-- given permission: both in one query, since every call of a team asks. Security definer: reads memberships and sessions.
-- Who may: everyone, of themselves. Checks: session, ban, role and membership of whom the verified claims name.
create function private.calling_member(team_id uuid, team_codename text, permission text, out goes_on boolean, out team uuid)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  select token.goes_on, member.team_id into goes_on, team
    from private.token
    left join lateral (
      select tu.team_id
        from public.users u
        join public.team_users tu on tu.user_id = u.id
        join public.roles r on r.id = tu.role_id
       where u.id = token.subject and u.banned_at is null and token.goes_on and tu.status = 'accepted'
         and tu.team_id = coalesce(team_id, (select t.id from public.teams t where t.codename = team_codename))
         and r.permissions @> array['team.read', permission]) member on true;
end
$$;
revoke all on function private.calling_member(uuid, text, text) from public;
grant execute on function private.calling_member(uuid, text, text) to authenticated, service_role;

-- Begins a call of the API, once its role and claims are set: refuses a session or a key that is over, and looks up the team that
-- the call names, in which the caller needs a permission. That team's id is its answer, and the setting request.team until the
-- transaction ends, for statements that are sent before the answer is there. It opens no row: policies do.
create function private.begin_call(team_id uuid default null, team_codename text default null, permission text default null)
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
    if team is null then
      raise exception 'there is no such team' using errcode = 'PT404';
    elsif not is_allowed then
      raise exception 'the role lacks %', permission using errcode = '42501';
    end if;
  end if;
  perform set_config('request.team', coalesce(team::text, ''), true);
  return team;
end
$$;
revoke all on function private.begin_call(uuid, text, text) from public;
grant execute on function private.begin_call(uuid, text, text) to authenticated, service_role;
