-- Takes a database with data from the schema before to that of sql/: name the taken role. A conflict with a system role's codename names
-- the same constraint as one with a role of the team, so that the API says the same.

create or replace function private.check_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.team_id is not null and exists (
    select 1 from public.roles r where r.team_id is null and r.codename = new.codename)
  then
    raise exception 'that codename is a system role''s' using errcode = '23505', constraint = 'roles_team_id_codename_key';
  end if;
  if exists (select 1 from unnest(new.permissions) p where p not in (select name from public.permissions)) then
    raise exception 'unknown permission' using errcode = '23514';
  end if;
  return new;
end
$$;
