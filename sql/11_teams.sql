-- Teams, their roles, members and API keys. Later files check permissions through private.teams_with(permission) and nothing else.

create table public.teams (
  id uuid primary key default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  codename text not null unique check (codename ~ '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The last five, newest first: pages, links and programs from before still name the team by one.
  former_codenames text[] not null default '{}'
);
create index teams_former_codenames_idx on public.teams using gin (former_codenames);
create index teams_created_by_idx on public.teams (created_by);
create trigger touch_teams before update on public.teams
  for each row execute function private.touch_updated_at();

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

-- Another team that took a former codename would receive what people write on pages that they opened before. A team with the name of one of
-- the API's own paths below /v1/teams could not be read by its codename. After the row, because its codename's index waits for a team that
-- gives it up in this moment. Security definer: reads teams of others.
-- Who may: callers the policies let write a team, by a trigger. Checks: a codename that another team had is refused as one that it has.
create function private.refuse_taken_codename() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.codename in ('import', 'pending-invites')
     or exists (select from public.teams t where t.former_codenames @> array[new.codename] and t.id <> new.id) then
    raise exception 'another team has had this codename, or the API needs it' using errcode = '23505', constraint = 'teams_codename_key';
  end if;
  return null;
end
$$;
revoke all on function private.refuse_taken_codename() from public;
create trigger refuse_taken_codename after insert or update of codename on public.teams
  for each row execute function private.refuse_taken_codename();

-- All permissions. A new one is a line here and a row in tests/support/permissions.ts.
create table public.permissions (
  name text primary key
);
insert into public.permissions (name) values
  ('team.read'), ('team.update'), ('team.delete'),
  ('users.read'), ('users.write'), ('roles.read'), ('roles.write'),
  ('agents.read'), ('agents.write'), ('knowledges.read'), ('knowledges.write'),
  ('sources.read'), ('sources.write'), ('files.read'), ('files.write'), ('tasks.read'),
  ('chats.read'), ('chats.write'), ('insights.read'),
  ('apps.read'), ('apps.write'), ('apiKeys.read'), ('apiKeys.write'), ('models.write');

create table public.roles (
  id uuid primary key default private.uuid_v7(),
  team_id uuid references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  codename text not null check (codename ~ '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'),
  permissions text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (team_id, codename)
);
create trigger touch_roles before update on public.roles
  for each row execute function private.touch_updated_at();

-- System roles have fixed ids, the same in every installation.
insert into public.roles (id, name, codename, permissions)
select r.id, r.name, r.codename, array(select p.name from public.permissions p where p.name <> all (r.lacks) order by p.name)
from (values
  ('00000000-0000-7000-8000-000000000001'::uuid, 'Owner', 'owner', '{}'::text[]),
  ('00000000-0000-7000-8000-000000000002'::uuid, 'Admin', 'admin', '{team.delete,models.write}'::text[]),
  ('00000000-0000-7000-8000-000000000003'::uuid, 'Editor', 'editor',
   '{team.delete,models.write,team.update,users.write,roles.write,apps.write,apiKeys.read,apiKeys.write}'::text[]),
  ('00000000-0000-7000-8000-000000000004'::uuid, 'Viewer', 'viewer',
   '{team.delete,models.write,team.update,users.write,roles.write,apps.write,apiKeys.read,apiKeys.write,agents.write,knowledges.write,sources.write,files.write,chats.read,insights.read,apps.read}'::text[])
) as r (id, name, codename, lacks);

create table public.team_users (
  id uuid primary key default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  user_id uuid references public.users (id) on delete cascade,
  email text not null check (email = lower(email) and char_length(email) between 3 and 320),
  role_id uuid not null references public.roles (id),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected')),
  invited_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (team_id, email),
  check (status <> 'accepted' or user_id is not null),
  -- An invitation is addressed to an email. Nobody learns whether it has an account before its owner accepts.
  check (user_id is null or status = 'accepted')
);
create unique index team_users_user_key on public.team_users (user_id, team_id) where user_id is not null;
create index team_users_email_idx on public.team_users (email) where user_id is null;
create index team_users_role_idx on public.team_users (role_id);
create index team_users_invited_by_idx on public.team_users (invited_by);
create trigger touch_team_users before update on public.team_users
  for each row execute function private.touch_updated_at();

-- API keys: one team, one role, and the people whose rights limit them (makers). Only the SHA-256 of the secret is stored, and no client
-- may read it.
create table public.api_keys (
  id uuid primary key default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  role_id uuid not null references public.roles (id),
  prefix text not null unique check (prefix ~ '^[A-Za-z0-9]{8}$'),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_by uuid references public.users (id) on delete set null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Created in the admin area: the maker's rights are a platform admin's, not a member's.
  made_at_work boolean not null default false,
  -- Ids, not references: a deleted maker still counts as gone. One person, or several where release 1.0.0 did not record which.
  makers uuid[] not null default '{}'
);
create index api_keys_team_idx on public.api_keys (team_id, id);
create index api_keys_role_idx on public.api_keys (role_id);
create index api_keys_created_by_idx on public.api_keys (created_by);
create trigger touch_api_keys before update on public.api_keys
  for each row execute function private.touch_updated_at();

-- The makers of each API key who are still valid: one row per maker who is not banned and is a member of the key's team, or who created the
-- key as an acting platform admin and is still one. No role may read this view, nor the next.
create view private.key_makers with (security_invoker = true) as
  select k.id, k.team_id, k.role_id, k.created_by, cardinality(k.makers) as makers, r.permissions,
         k.made_at_work and u.is_admin as is_admins, m.permissions as maker_permissions
    from public.api_keys k
    join public.roles r on r.id = k.role_id
    join public.users u on u.id = any (k.makers) and u.banned_at is null
    left join public.team_users tu on tu.user_id = u.id and tu.team_id = k.team_id and tu.status = 'accepted'
    left join public.roles m on m.id = tu.role_id
   where tu.id is not null or (k.made_at_work and u.is_admin);
revoke all on private.key_makers from public, anon, authenticated, service_role;

-- The calling API key while all of its makers are valid. No row for a key that is revoked or whose maker has left.
create view private.calling_key with (security_invoker = true) as
  select k.id, k.team_id, k.role_id
    from private.key_makers k
   where k.id = private.claim_id('api_key_id')
   group by k.id, k.team_id, k.role_id, k.makers
  having count(*) = k.makers;
revoke all on private.calling_key from public, anon, authenticated, service_role;

-- The calling API key's id, or null. Security definer because it reads keys, whose policies call it.
-- Who may: everyone, for themselves. Checks: the key that the verified claims name, and its makers.
create function private.api_key_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.claims() ? 'api_key_id' then
    return null;
  end if;
  return (select k.id from private.calling_key k);
end
$$;
revoke all on function private.api_key_id() from public;
grant execute on function private.api_key_id() to authenticated, service_role;

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
create function private.teams_with(permission text) returns uuid[]
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
revoke all on function private.teams_with(text) from public;
grant execute on function private.teams_with(text) to anon, authenticated, service_role;

-- The caller's permissions in one team, for the rule that nobody grants a permission they lack: those of teams_with, read once for all.
-- Security definer: as teams_with.
-- Who may: everyone, for themselves. Checks: role and membership of the caller that the verified claims name.
create function private.permissions_in(team uuid) returns text[]
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
revoke all on function private.permissions_in(uuid) from public;
grant execute on function private.permissions_in(uuid) to authenticated, service_role;

-- True when the caller may assign a role in a team: a system role or that team's own, without a permission that the caller lacks there.
-- Security definer: reads roles and memberships.
-- Who may: everyone, for themselves. Checks: the role is that team's or the system's, within what the caller holds there.
create function private.may_grant(team uuid, role uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.roles r
     where r.id = role and (r.team_id is null or r.team_id = team)
       and r.permissions <@ private.permissions_in(team))
$$;
revoke all on function private.may_grant(uuid, uuid) from public;
grant execute on function private.may_grant(uuid, uuid) to authenticated, service_role;

-- The teams that invited the caller's confirmed address. Security definer: an invited user cannot read the team's members.
-- Who may: everyone, for themselves. Checks: invitations of the user that the verified claims name.
create function private.teams_inviting() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  invited constant text := private.confirmed_email();
begin
  return array(
    select tu.team_id from public.team_users tu
     where tu.user_id is null and tu.email = invited and tu.status = 'pending');
end
$$;
revoke all on function private.teams_inviting() from public;
grant execute on function private.teams_inviting() to anon, authenticated, service_role;

-- True for a team that the caller is invited to and has not joined: it shows in their invitations only, and any call in it is NOT_FOUND.
create function private.only_invites(team uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return team <> all (private.teams_with('team.read')) and team = any (private.teams_inviting());
end
$$;
revoke all on function private.only_invites(uuid) from public;
grant execute on function private.only_invites(uuid) to authenticated, service_role;

-- True when the caller is still valid: a user who is not banned, an API key that is not revoked and whose makers are valid, or an answering
-- agent. For rows that belong to no team. Security definer: reads users and keys.
-- Who may: everyone, for themselves. Checks: the user, key or agent that the verified claims name.
create function private.is_known() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.caller)
      or private.api_key_id() is not null
      or private.claim_id('agent_id') is not null;
end
$$;
revoke all on function private.is_known() from public;
grant execute on function private.is_known() to authenticated, service_role;

revoke all on public.teams, public.permissions, public.roles, public.team_users, public.api_keys
  from public, anon, authenticated;
grant select, insert, update, delete on public.teams, public.roles, public.team_users, public.api_keys to service_role;
grant select on public.permissions to service_role;

grant select, delete on public.teams to authenticated;
grant update (name, codename) on public.teams to authenticated;
alter table public.teams enable row level security;
create policy "members and the invited read a team" on public.teams for select to authenticated
  using (id = any ((select private.teams_with('team.read'))::uuid[])
      or id = any ((select private.teams_inviting())::uuid[]));
create policy "admins of a team rename it" on public.teams for update to authenticated
  using (id = any ((select private.teams_with('team.update'))::uuid[]))
  with check (id = any ((select private.teams_with('team.update'))::uuid[]));
create policy "owners delete their team" on public.teams for delete to authenticated
  using (id = any ((select private.teams_with('team.delete'))::uuid[]));

grant select on public.permissions to authenticated;
alter table public.permissions enable row level security;
create policy "anyone logged in reads the list of permissions" on public.permissions for select to authenticated
  using ((select private.is_known()));

grant select, delete on public.roles to authenticated;
grant insert (team_id, name, codename, permissions) on public.roles to authenticated;
grant update (name, codename, permissions) on public.roles to authenticated;
alter table public.roles enable row level security;
create policy "members read system roles and their team's roles" on public.roles for select to authenticated
  using ((team_id is null and (select private.is_known()))
      or team_id = any ((select private.teams_with('roles.read'))::uuid[]));
create policy "admins of a team add roles within their own permissions" on public.roles for insert to authenticated
  with check (team_id = any ((select private.teams_with('roles.write'))::uuid[])
          and permissions <@ private.permissions_in(team_id));
create policy "admins of a team change roles within their own permissions" on public.roles for update to authenticated
  using (team_id = any ((select private.teams_with('roles.write'))::uuid[])
     and permissions <@ private.permissions_in(team_id))
  with check (team_id = any ((select private.teams_with('roles.write'))::uuid[])
          and permissions <@ private.permissions_in(team_id));
create policy "admins of a team remove its roles" on public.roles for delete to authenticated
  using (team_id = any ((select private.teams_with('roles.write'))::uuid[])
     and permissions <@ private.permissions_in(team_id));

grant select, delete on public.team_users to authenticated;
grant insert (team_id, email, role_id) on public.team_users to authenticated;
grant update (role_id, status) on public.team_users to authenticated;
alter table public.team_users enable row level security;
create policy "members read the team's members, the invited their invitation" on public.team_users
  for select to authenticated
  using (team_id = any ((select private.teams_with('users.read'))::uuid[])
      or user_id = (select private.user_id())
      or (user_id is null and email = (select private.confirmed_email())));
create policy "those who may invite do so for roles that they could grant" on public.team_users
  for insert to authenticated
  with check (team_id = any ((select private.teams_with('users.write'))::uuid[]) and status = 'pending'
          and private.may_grant(team_id, role_id));
create policy "those who may invite change roles that they could grant" on public.team_users for update to authenticated
  using (team_id = any ((select private.teams_with('users.write'))::uuid[]) and private.may_grant(team_id, role_id))
  with check (team_id = any ((select private.teams_with('users.write'))::uuid[]) and private.may_grant(team_id, role_id));
create policy "the invited answer their own invitation" on public.team_users for update to authenticated
  using (user_id = (select private.user_id()) or (user_id is null and email = (select private.confirmed_email())))
  with check (user_id = (select private.user_id()) or (user_id is null and email = (select private.confirmed_email())));
create policy "those who may invite remove members whose role they could grant" on public.team_users
  for delete to authenticated
  using (team_id = any ((select private.teams_with('users.write'))::uuid[]) and private.may_grant(team_id, role_id));
create policy "members leave a team by themselves" on public.team_users for delete to authenticated
  using (user_id = (select private.user_id()) or (user_id is null and email = (select private.confirmed_email())));

grant select (id, team_id, name, role_id, prefix, created_by, last_used_at, created_at, updated_at), delete
  on public.api_keys to authenticated;
grant update (name, role_id) on public.api_keys to authenticated;
grant insert (team_id, name, role_id, prefix, secret_hash) on public.api_keys to authenticated;
alter table public.api_keys enable row level security;
create policy "those who manage API keys read them" on public.api_keys for select to authenticated
  using (team_id = any ((select private.teams_with('apiKeys.read'))::uuid[]));
create policy "those who manage API keys add them for roles they could grant" on public.api_keys
  for insert to authenticated
  with check (team_id = any ((select private.teams_with('apiKeys.write'))::uuid[]) and private.may_grant(team_id, role_id));
create policy "those who manage API keys change keys of grantable roles" on public.api_keys
  for update to authenticated
  using (team_id = any ((select private.teams_with('apiKeys.write'))::uuid[]) and private.may_grant(team_id, role_id))
  with check (team_id = any ((select private.teams_with('apiKeys.write'))::uuid[]) and private.may_grant(team_id, role_id));
create policy "those who manage API keys revoke them" on public.api_keys for delete to authenticated
  using (team_id = any ((select private.teams_with('apiKeys.write'))::uuid[]));
