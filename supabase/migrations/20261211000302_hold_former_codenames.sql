-- A team keeps its last five codenames: who names it by one reaches it, and no other team takes one.

alter table public.teams add column former_codenames text[] not null default '{}';
create index teams_former_codenames_idx on public.teams using gin (former_codenames);

-- Notes the codename that a team gives up.
create function private.note_former_codename() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.former_codenames := (array_remove(old.codename || old.former_codenames, new.codename))[:5];
  return new;
end
$$;
revoke all on function private.note_former_codename() from public;
create trigger note_former_codename before update of codename on public.teams
  for each row when (old.codename <> new.codename) execute function private.note_former_codename();

-- Another team that took a former codename would receive what people write on pages that they opened before. After the row, because its
-- codename's index waits for a team that gives it up in this moment. Security definer: reads teams of others.
-- Who may: callers the policies let write a team, by a trigger. Checks: a codename that another team had is refused as one that it has.
create function private.refuse_former_codename() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.teams t where t.former_codenames @> array[new.codename] and t.id <> new.id) then
    raise exception 'another team has had this codename' using errcode = '23505', constraint = 'teams_codename_key';
  end if;
  return null;
end
$$;
revoke all on function private.refuse_former_codename() from public;
create trigger refuse_former_codename after insert or update of codename on public.teams
  for each row execute function private.refuse_former_codename();

create or replace function private.calling_member(team_id uuid, team_codename text, permission text, out goes_on boolean, out team uuid)
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
         and tu.team_id = coalesce(
               team_id, (select t.id from public.teams t where t.codename = team_codename),
               (select t.id from public.teams t where t.former_codenames @> array[team_codename]))
         and r.permissions @> array['team.read', permission]) member on true;
end
$$;

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
    if team is null then
      select t.id, t.id = any ((select private.teams_with(permission))::uuid[]) into team, is_allowed
        from public.teams t where t.former_codenames @> array[team_codename];
    end if;
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
