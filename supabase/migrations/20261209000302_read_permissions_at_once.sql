-- A caller's permissions in a team were read one by one: with each invitation, each role that was saved, and each call of an API key that
-- lists its team.

-- True for the permissions that an API key without a recorded maker lacks: to manage people, and to delete the team.
create function private.needs_maker(permission text) returns boolean
language sql immutable set search_path = '' as $$
  select permission in ('users.write', 'roles.write', 'apiKeys.write', 'team.delete')
$$;
revoke all on function private.needs_maker(text) from public;

-- The teams in which the caller has a permission: by membership, by API key, or as an acting platform admin. A token names one of these
-- three kinds of caller. An API key has the permissions that its role and every maker's role share; a key without a recorded maker cannot
-- manage anyone. Security definer because it reads the tables whose policies call it. Postgres evaluates it once per statement if a policy
-- says team_id = any ((select private.teams_with('...'))::uuid[]).
-- Who may: everyone, for themselves. Checks: role and membership of the caller that the verified claims name.
create or replace function private.teams_with(permission text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  claims constant jsonb := private.claims();
begin
  if claims ? 'api_key_id' then
    return array(
      select k.team_id from private.key_makers k
       where k.id = private.claim_id('api_key_id') and permission = any (k.permissions)
         and (permission = any (k.maker_permissions) or k.is_admins)
         and (k.created_by is not null or not private.needs_maker(permission))
       group by k.team_id, k.makers
      having count(*) = k.makers);
  elsif claims ? 'admin' and private.is_admin() then
    return array(select t.id from public.teams t);
  elsif not claims ? 'sub' then
    return '{}';
  end if;
  return array(
    select tu.team_id
      from private.caller c
      join public.team_users tu on tu.user_id = c.id
      join public.roles r on r.id = tu.role_id
     where tu.status = 'accepted' and permission = any (r.permissions));
end
$$;

-- The caller's permissions in one team, for the rule that nobody grants a permission they lack: those of teams_with, read once for all.
-- Security definer: as teams_with.
-- Who may: everyone, for themselves. Checks: role and membership of the caller that the verified claims name.
create or replace function private.permissions_in(team uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  claims constant jsonb := private.claims();
begin
  if claims ? 'api_key_id' then
    return array(
      select p.name
        from (select k.* from private.key_makers k where k.id = private.claim_id('api_key_id') and k.team_id = team) k
        join public.permissions p on p.name = any (k.permissions)
       where (p.name = any (k.maker_permissions) or k.is_admins) and (k.created_by is not null or not private.needs_maker(p.name))
       group by p.name, k.makers
      having count(*) = k.makers
       order by p.name);
  elsif claims ? 'admin' and private.is_admin() then
    return array(select p.name from public.permissions p where exists (select from public.teams t where t.id = team) order by p.name);
  elsif not claims ? 'sub' then
    return array[]::text[];
  end if;
  return array(
    select p.name
      from private.caller c
      join public.team_users tu on tu.user_id = c.id and tu.team_id = team and tu.status = 'accepted'
      join public.roles r on r.id = tu.role_id
      join public.permissions p on p.name = any (r.permissions)
     order by p.name);
end
$$;
