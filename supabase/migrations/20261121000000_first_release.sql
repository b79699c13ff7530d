-- Generated from sql/ by `npm run migrations`, until the first release. Change sql/ and run it again.

-- sql/00_foundation.sql
-- What every other file stands on: schemas, ids, time stamps, and who the caller is.
-- Nothing here reads a team's rows.

create schema if not exists extensions;
create schema if not exists private;
create extension if not exists vector with schema extensions;

-- Policies call functions in private, so every API role may use the schema; each function is granted by name.
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;
revoke create on schema public from public;

-- The order of names in lists: letters of every language where readers look for them, "Part 2" before "Part 10". Written the old
-- way, as the embedded Postgres does not read a keyword of the new one (und-u-kn-true).
create collation private.natural_order (provider = icu, locale = 'und@colNumeric=yes');

-- UUIDv7 (RFC 9562, section 6.2, method 1: a counter of 26 bits in rand_a and the head of rand_b): ids made one after the
-- other sort that way even within a millisecond, which message order relies on. Kept in SQL because hosted Supabase runs
-- Postgres versions without uuidv7().
create sequence private.uuid_counter minvalue 0 maxvalue 67108863 cycle;
grant usage on sequence private.uuid_counter to anon, authenticated, service_role;

create function private.uuid_v7() returns uuid
language sql volatile parallel unsafe set search_path = '' as $$
  select encode(
    overlay(
      overlay(
        overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6)
        placing int2send((28672 + (counter.value >> 14))::int2) from 7 for 2)
      placing substring(int4send((32768 + (counter.value & 16383))::int4) from 3) from 9 for 2
    ), 'hex')::uuid
  from (select nextval('private.uuid_counter') as value) counter
$$;
revoke all on function private.uuid_v7() from public;
grant execute on function private.uuid_v7() to anon, authenticated, service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
revoke all on function private.touch_updated_at() from public;

-- The verified token's claims, as PostgREST and the edge functions set them for the transaction.
create function private.claims() returns jsonb
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb, '{}'::jsonb);
end
$$;
revoke all on function private.claims() from public;
grant execute on function private.claims() to anon, authenticated, service_role;

-- One claim as a uuid; null when it is absent or not a uuid, so that a policy never raises.
create function private.claim_id(name text) returns uuid
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return substring(private.claims() ->> name from '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')::uuid;
end
$$;
revoke all on function private.claim_id(text) from public;
grant execute on function private.claim_id(text) to anon, authenticated, service_role;

-- Whether a statement comes from a client, not from the service or the owner. Read from the role, which is always there
-- and which a client does not choose, not from a claim, which may be missing.
create function private.is_client() returns boolean
language sql stable parallel safe set search_path = '' as $$
  select coalesce(current_setting('role', true) in ('anon', 'authenticated'), false)
$$;
revoke all on function private.is_client() from public;
grant execute on function private.is_client() to anon, authenticated, service_role;

-- sql/10_users.sql
-- Users: the public face of auth.users. Rows are made and removed by triggers on auth.users, never by a client.

create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  email text not null,
  locale text not null default 'en' check (locale in ('en', 'fr')),
  is_admin boolean not null default false,
  banned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on public.users (lower(email));
create trigger touch_users before update on public.users
  for each row execute function private.touch_updated_at();

revoke all on public.users from public, anon, authenticated;
grant select on public.users to authenticated;
grant update (name, locale) on public.users to authenticated;
grant select, insert, update, delete on public.users to service_role;
alter table public.users enable row level security;

-- The verified token of the caller: whom it names, and whether the session that it was made for goes on. A token outlives its
-- session by up to an hour; one that names no session (a test's, another issuer's) is not asked. This and the next are views,
-- which the functions below melt into one query: every statement asks them, and a call within a call costs more than the
-- rows that it reads. No role may read them.
create view private.token with (security_invoker = true) as
  select t.subject, t.claims ->> 'admin' = 'true' as is_at_work,
         t.session is null or exists (select 1 from auth.sessions s where s.id = t.session) as goes_on
    from (select c.claims,
                 substring(c.claims ->> 'sub' from c.uuid)::uuid as subject,
                 substring(c.claims ->> 'session_id' from c.uuid)::uuid as session
            from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims,
                         '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' as uuid offset 0) as c) as t;
revoke all on private.token from public, anon, authenticated, service_role;

-- The caller as a user: no row for visitors, API keys and agents, and for a user who is banned, deleted or logged out while
-- the token still lives.
create view private.caller with (security_invoker = true) as
  select u.id, u.is_admin and token.is_at_work as is_admin_at_work
    from private.token
    join public.users u on u.id = token.subject
   where u.banned_at is null and token.goes_on;
revoke all on private.caller from public, anon, authenticated, service_role;

-- Whether that session goes on. Security definer: clients have no rights in auth.
create function private.session_goes_on() returns boolean
language sql stable security definer set search_path = '' as $$
  select token.goes_on from private.token
$$;
revoke all on function private.session_goes_on() from public;
grant execute on function private.session_goes_on() to authenticated, service_role;

-- That user's id, or null. Security definer because it reads users, whose policies call it.
create function private.user_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select c.id from private.caller c
$$;
revoke all on function private.user_id() from public;
grant execute on function private.user_id() to anon, authenticated, service_role;

-- Whether the caller is a platform admin at work: the flag on the user and the claim that only /v1/admin sets.
-- Security definer: as user_id.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from private.caller c where c.is_admin_at_work)
$$;
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

create policy "users change their own name and language" on public.users for update to authenticated
  using (id = (select private.user_id()))
  with check (id = (select private.user_id()));

-- The name and language given at sign-up. Some auth servers hand the metadata over as a JSON string inside the JSON; what
-- cannot be read is nothing, so that no metadata keeps anybody from signing up.
create function private.sign_up_metadata(raw text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  metadata jsonb := coalesce(nullif(raw, ''), '{}')::jsonb;
begin
  return case jsonb_typeof(metadata) when 'string' then (metadata #>> '{}')::jsonb else metadata end;
exception
  when others then
    return '{}';
end
$$;
revoke all on function private.sign_up_metadata(text) from public;

-- Security definer: runs as the auth server's role, which has no rights on our tables.
create function private.mirror_auth_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  metadata jsonb := private.sign_up_metadata(new.raw_user_meta_data::text);
begin
  insert into public.users (id, name, email, locale)
  values (
    new.id,
    left(coalesce(nullif(btrim(metadata ->> 'name'), ''), split_part(new.email, '@', 1), 'User'), 200),
    new.email,
    case when metadata ->> 'locale' = 'fr' then 'fr' else 'en' end
  )
  on conflict (id) do update set email = excluded.email;
  return new;
end
$$;
revoke all on function private.mirror_auth_user() from public;

create trigger mirror_auth_user after insert or update of email on auth.users
  for each row execute function private.mirror_auth_user();

-- sql/11_teams.sql
-- Teams, their roles and their members; who may do what in which team. Everything after this file asks
-- private.teams_with(permission) and nothing else.

create table public.teams (
  id uuid primary key default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  codename text not null unique check (codename ~ '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index teams_created_by_idx on public.teams (created_by);
create trigger touch_teams before update on public.teams
  for each row execute function private.touch_updated_at();

-- The permissions there are. Adding one is a line here and a row in tests/support/permissions.ts.
create table public.permissions (
  name text primary key
);
insert into public.permissions (name) values
  ('team.read'), ('team.update'), ('team.delete'),
  ('users.read'), ('users.write'), ('roles.read'), ('roles.write'),
  ('agents.read'), ('agents.write'), ('knowledges.read'), ('knowledges.write'),
  ('sources.read'), ('sources.write'), ('files.read'), ('files.write'), ('tasks.read'),
  ('chats.read'), ('chats.write'), ('insights.read'),
  ('apps.read'), ('apps.write'), ('apiKeys.read'), ('apiKeys.write');

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
  ('00000000-0000-7000-8000-000000000002'::uuid, 'Admin', 'admin', '{team.delete}'::text[]),
  ('00000000-0000-7000-8000-000000000003'::uuid, 'Editor', 'editor',
   '{team.delete,team.update,users.write,roles.write,apps.write,apiKeys.read,apiKeys.write}'::text[]),
  ('00000000-0000-7000-8000-000000000004'::uuid, 'Viewer', 'viewer',
   '{team.delete,team.update,users.write,roles.write,apps.write,apiKeys.read,apiKeys.write,agents.write,knowledges.write,sources.write,files.write,chats.read,insights.read,apps.read}'::text[])
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
  check (status <> 'accepted' or user_id is not null)
);
create unique index team_users_user_key on public.team_users (user_id, team_id) where user_id is not null;
create index team_users_email_idx on public.team_users (email) where user_id is null;
create index team_users_role_idx on public.team_users (role_id);
create index team_users_invited_by_idx on public.team_users (invited_by);
create trigger touch_team_users before update on public.team_users
  for each row execute function private.touch_updated_at();

-- API keys: one team, one role. Only the SHA-256 of the secret is kept, and no client may read it.
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
  updated_at timestamptz not null default now()
);
create index api_keys_team_idx on public.api_keys (team_id, id);
create index api_keys_role_idx on public.api_keys (role_id);
create index api_keys_created_by_idx on public.api_keys (created_by);
create trigger touch_api_keys before update on public.api_keys
  for each row execute function private.touch_updated_at();

-- The teams in which the caller has a permission: through membership, through an API key, or as a platform admin at work.
-- A token names one of them. Security definer because it reads the tables whose policies call it. Runs once per statement
-- when a policy reads team_id = any ((select private.teams_with('...'))::uuid[]), and does one query's work then.
create function private.teams_with(permission text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  claims constant jsonb := private.claims();
begin
  if claims ? 'api_key_id' then
    return array(
      select k.team_id from public.api_keys k join public.roles r on r.id = k.role_id
       where k.id = private.claim_id('api_key_id') and permission = any (r.permissions));
  elsif claims ? 'admin' and private.is_admin() then
    return array(select t.id from public.teams t);
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

-- The caller's permissions in one team, for "nobody grants what they lack". Security definer: as teams_with.
create function private.permissions_in(team uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(distinct p.name), '{}')
    from public.permissions p
   where team = any ((select private.teams_with(p.name))::uuid[])
$$;
revoke all on function private.permissions_in(uuid) from public;
grant execute on function private.permissions_in(uuid) to authenticated, service_role;

-- Whether the caller may hand out a role in a team: the role is a system role or that team's own, and holds no
-- permission that the caller lacks there. Security definer: reads roles and memberships.
create function private.may_grant(team uuid, role uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.roles r
     where r.id = role and (r.team_id is null or r.team_id = team)
       and r.permissions <@ private.permissions_in(team))
$$;
revoke all on function private.may_grant(uuid, uuid) from public;
grant execute on function private.may_grant(uuid, uuid) to authenticated, service_role;

-- The teams that have invited the caller. Security definer: an invited user cannot read the team's members.
create function private.teams_inviting() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select tu.team_id from private.caller c join public.team_users tu on tu.user_id = c.id where tu.status = 'pending');
end
$$;
revoke all on function private.teams_inviting() from public;
grant execute on function private.teams_inviting() to anon, authenticated, service_role;

-- Whether the caller is logged in as somebody who still is: a user who is not banned, an API key that is not revoked, or an
-- agent that answers. For rows that belong to no team. Security definer: reads users and keys.
create function private.is_known() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.caller)
      or exists (select 1 from public.api_keys k where k.id = private.claim_id('api_key_id'))
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
  using (team_id = any ((select private.teams_with('users.read'))::uuid[]) or user_id = (select private.user_id()));
create policy "those who may invite do so for roles that they could grant" on public.team_users
  for insert to authenticated
  with check (team_id = any ((select private.teams_with('users.write'))::uuid[]) and status = 'pending'
          and private.may_grant(team_id, role_id));
create policy "those who may invite change roles that they could grant" on public.team_users for update to authenticated
  using (team_id = any ((select private.teams_with('users.write'))::uuid[]) and private.may_grant(team_id, role_id))
  with check (team_id = any ((select private.teams_with('users.write'))::uuid[]) and private.may_grant(team_id, role_id));
create policy "the invited answer their own invitation" on public.team_users for update to authenticated
  using (user_id = (select private.user_id()))
  with check (user_id = (select private.user_id()));
create policy "those who may invite remove members whose role they could grant" on public.team_users
  for delete to authenticated
  using (team_id = any ((select private.teams_with('users.write'))::uuid[]) and private.may_grant(team_id, role_id));
create policy "members leave a team by themselves" on public.team_users for delete to authenticated
  using (user_id = (select private.user_id()));

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

-- sql/12_members.sql
-- What must hold among a team's members whoever writes: the invited only answer, a team keeps an owner, a new account finds
-- its invitations. Also how a team begins.

-- An invited person may only answer (accept or reject); a role is changed by those who may invite. An accepted member
-- does not go back to pending by their own hand. Security definer: compares with the caller's permissions.
create function private.guard_team_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  may_write boolean := new.team_id = any (private.teams_with('users.write'));
begin
  if not private.is_client() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.invited_by := caller;
    new.user_id := (select u.id from public.users u where lower(u.email) = new.email);
    return new;
  end if;
  if new.status is distinct from old.status then
    if new.status in ('accepted', 'rejected') and (old.user_id is distinct from caller or old.status <> 'pending') then
      raise exception 'only the invited answers an invitation' using errcode = '42501';
    end if;
    if new.status = 'pending' and (not may_write or old.status = 'accepted') then
      raise exception 'an invitation is sent again by those who may invite' using errcode = '42501';
    end if;
  end if;
  -- Checked here as well as in the policies: a member may update their own row, to answer or to leave a role unchanged.
  if new.role_id is distinct from old.role_id
     and not (may_write and private.may_grant(new.team_id, old.role_id) and private.may_grant(new.team_id, new.role_id))
  then
    raise exception 'a role is changed by those who could grant both roles' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.guard_team_user() from public;
create trigger guard_team_user before insert or update on public.team_users
  for each row execute function private.guard_team_user();

-- A team keeps at least one owner. Deferred to the statement's end is not enough for two demotions at once, so the
-- team's row is locked first. Security definer: counts members whom the caller may not see.
create function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner_role constant uuid := '00000000-0000-7000-8000-000000000001';
begin
  if old.role_id <> owner_role or old.status <> 'accepted' then
    return null;
  end if;
  if tg_op = 'UPDATE' and new.role_id = owner_role and new.status = 'accepted' then
    return null;
  end if;
  perform 1 from public.teams t where t.id = old.team_id for update;
  if found and not exists (
    select 1 from public.team_users tu
     where tu.team_id = old.team_id and tu.role_id = owner_role and tu.status = 'accepted')
  then
    raise exception 'a team keeps at least one owner' using errcode = 'P0409';
  end if;
  return null;
end
$$;
revoke all on function private.keep_an_owner() from public;
create trigger keep_an_owner after update or delete on public.team_users
  for each row execute function private.keep_an_owner();

-- Invitations wait for people without an account. Security definer: runs for the new user, who is no member yet.
create function private.claim_invitations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.team_users set user_id = new.id where user_id is null and email = lower(new.email);
  return null;
end
$$;
revoke all on function private.claim_invitations() from public;
create trigger claim_invitations after insert on public.users
  for each row execute function private.claim_invitations();

-- A role of a team is used in that team alone, whoever writes. Security definer: reads roles that the writer may not see.
create function private.check_role_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select 1 from public.roles r
                  where r.id = new.role_id and (r.team_id is null or r.team_id = new.team_id)) then
    raise exception 'that role is not a role of this team' using errcode = '23503';
  end if;
  return new;
end
$$;
revoke all on function private.check_role_team() from public;
create trigger check_team_user_role before insert or update of role_id, team_id on public.team_users
  for each row execute function private.check_role_team();
create trigger check_api_key_role before insert or update of role_id, team_id on public.api_keys
  for each row execute function private.check_role_team();

-- A role holds known permissions only, and a team's own role does not go by the codename of a system role: clients show
-- and compare codenames. Security definer: reads rows that the writer may not see.
create function private.check_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.team_id is not null and exists (
    select 1 from public.roles r where r.team_id is null and r.codename = new.codename)
  then
    raise exception 'that codename is a system role''s' using errcode = '23505';
  end if;
  if exists (select 1 from unnest(new.permissions) p where p not in (select name from public.permissions)) then
    raise exception 'unknown permission' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.check_role() from public;
create trigger check_role before insert or update of permissions, codename on public.roles
  for each row execute function private.check_role();

-- A slug made from a name: "Équipe Démo" becomes "equipe-demo". Empty when nothing is left.
create function private.slug(name text) returns text
language sql immutable set search_path = '' as $$
  select btrim(left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, NFD)), U&'[\0300-\036F]', '', 'g'),
    '[^a-z0-9]+', '-', 'g'), '-'), 50), '-')
$$;
revoke all on function private.slug(text) from public;

-- Makes a team with the caller as its owner. Security definer: nobody may insert a team or a first member directly.
-- Raises 42501 for callers who aren't users, 23505 when a given codename is taken.
create function public.create_team(name text, codename text default null) returns public.teams
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  made_up constant text := coalesce(nullif(private.slug(name), ''), 'team');
  wanted text := coalesce(nullif(codename, ''), made_up);
  team public.teams;
begin
  if caller is null then
    raise exception 'only a user makes a team' using errcode = '42501';
  end if;
  loop
    begin
      insert into public.teams (name, codename, created_by) values (create_team.name, wanted, caller) returning * into team;
      exit;
    exception when unique_violation then
      if nullif(create_team.codename, '') is not null then
        raise;
      end if;
      -- A made-up codename gives way to those that are there.
      wanted := made_up || '-' || substr(md5(gen_random_uuid()::text), 1, 6);
    end;
  end loop;
  insert into public.team_users (team_id, user_id, email, role_id, status)
  select team.id, u.id, lower(u.email), '00000000-0000-7000-8000-000000000001', 'accepted'
    from public.users u where u.id = caller;
  return team;
end
$$;
revoke all on function public.create_team(text, text) from public, anon;
grant execute on function public.create_team(text, text) to authenticated, service_role;

-- Users see themselves and, as members, who the other members are; platform admins at work see everyone, as ids too, so that
-- the policy stays one that an index can serve. Security definer: the policy on users cannot read through those on team_users.
create function private.teammates() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.claims() ? 'admin' and private.is_admin() then
    return array(select u.id from public.users u);
  end if;
  return array(
    select c.id from private.caller c
    union all
    select tu.user_id from public.team_users tu
     where tu.user_id is not null and tu.team_id = any ((select private.teams_with('users.read'))::uuid[]));
end
$$;
revoke all on function private.teammates() from public;
grant execute on function private.teammates() to authenticated, service_role;
create policy "users read themselves and their teammates" on public.users for select to authenticated
  using (id = any ((select private.teammates())::uuid[]));

-- sql/13_limits.sql
-- Rate limits and idempotency: both the platform's own, both in Postgres so that every instance sees the same.

-- A fixed window per key, e.g. "login:203.0.113.7". Unlogged would be faster, but a crash must not forgive guesses.
create table private.rate_limits (
  key text not null check (char_length(key) <= 300),
  window_start timestamptz not null,
  hits int not null default 1,
  primary key (key, window_start)
);
create index rate_limits_window_idx on private.rate_limits (window_start);
revoke all on private.rate_limits from public, anon, authenticated;
grant select, insert, update, delete on private.rate_limits to service_role;
alter table private.rate_limits enable row level security;

-- Counts one hit and returns 0 while hits <= max_hits in the window, otherwise the seconds until the window ends.
create function private.take_hit(limit_key text, max_hits int, window_seconds int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  started timestamptz := to_timestamp(floor(extract(epoch from clock_timestamp()) / window_seconds) * window_seconds);
  counted int;
begin
  insert into private.rate_limits as r (key, window_start) values (left(limit_key, 300), started)
  on conflict (key, window_start) do update set hits = least(r.hits + 1, 1000000)
  returning r.hits into counted;
  if counted = 1 then
    delete from private.rate_limits where window_start < clock_timestamp() - interval '2 days';
  end if;
  if counted <= max_hits then
    return 0;
  end if;
  return greatest(1, ceil(extract(epoch from started - clock_timestamp()) + window_seconds)::int);
end
$$;
revoke all on function private.take_hit(text, int, int) from public;
grant execute on function private.take_hit(text, int, int) to service_role;

-- First answers of POSTs that carried an Idempotency-Key, kept for 24 h. caller and route keep keys of different people
-- apart; status is null while the first request is still at work.
create table private.idempotency_keys (
  caller text not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  body_hash text not null,
  status int,
  body text,
  created_at timestamptz not null default now(),
  primary key (caller, route, key)
);
create index idempotency_keys_created_idx on private.idempotency_keys (created_at);
revoke all on private.idempotency_keys from public, anon, authenticated;
grant select, insert, update, delete on private.idempotency_keys to service_role;
alter table private.idempotency_keys enable row level security;

-- sql/14_accounts.sql
-- What accounts need beyond rows: refresh tokens that work once, the end of sessions and of accounts, and the caller's
-- part in a team as words.

-- One row per refresh token that has been used. The first to use it rotates it; those that asked meanwhile get the same
-- answer; whoever comes later has a stolen or stale token, and the session ends. The answer is sealed with SECRETS_KEY
-- and forgotten after a minute.
create table private.token_rotations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  session_id uuid,
  answer bytea
);
create index token_rotations_started_idx on private.token_rotations (started_at);
create index token_rotations_answer_idx on private.token_rotations (finished_at) where answer is not null;
revoke all on private.token_rotations from public, anon, authenticated;
grant select, insert, update, delete on private.token_rotations to service_role;
alter table private.token_rotations enable row level security;

-- Ends one session: its refresh tokens stop working. Security definer: the API's logins have no rights in auth.
create function private.end_session(session uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where id = session
$$;
revoke all on function private.end_session(uuid) from public;
grant execute on function private.end_session(uuid) to service_role;

-- Ends every session of a user, as when they are banned. Security definer: as end_session.
create function private.end_sessions_of(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where user_id = account
$$;
revoke all on function private.end_sessions_of(uuid) from public;
grant execute on function private.end_sessions_of(uuid) to service_role;

-- Notes which browser or program a session belongs to, at its start and whenever it is renewed: the auth server only sees
-- the API. Security definer: as end_session.
create function private.note_session(session uuid, agent text) returns void
language sql volatile security definer set search_path = '' as $$
  update auth.sessions set user_agent = nullif(left(agent, 300), ''), updated_at = now() where id = session
$$;
revoke all on function private.note_session(uuid, text) from public;
grant execute on function private.note_session(uuid, text) to service_role;

-- The caller's own sessions, the calling one marked. Security definer: clients have no rights in auth.
create function private.my_sessions()
returns table (id uuid, created_at timestamptz, used_at timestamptz, user_agent text, current boolean)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at, coalesce(s.updated_at, s.created_at), s.user_agent,
         s.id is not distinct from private.claim_id('session_id')
    from auth.sessions s
   where s.user_id = private.user_id() and (s.not_after is null or s.not_after > now())
$$;
revoke all on function private.my_sessions() from public;
grant execute on function private.my_sessions() to authenticated;

-- Ends the caller's sessions: one of them, or all, or all but the calling one. Returns how many. Security definer: as
-- my_sessions.
create function private.end_my_sessions(only_one uuid, keep_current boolean) returns int
language sql volatile security definer set search_path = '' as $$
  with ended as (
    delete from auth.sessions s
     where s.user_id = private.user_id()
       and (only_one is null or s.id = only_one)
       and not (keep_current and s.id is not distinct from private.claim_id('session_id'))
    returning 1)
  select count(*)::int from ended
$$;
revoke all on function private.end_my_sessions(uuid, boolean) from public;
grant execute on function private.end_my_sessions(uuid, boolean) to authenticated;

-- Removes an account with its memberships; true when there was one. Users remove themselves, platform admins anyone.
-- Security definer: the API's logins have no rights in auth. keep_an_owner refuses where a team would lose its last owner.
create function private.delete_account(account uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if account is distinct from private.user_id() and not private.is_admin() then
    raise exception 'only their owner or a platform admin removes an account' using errcode = '42501';
  end if;
  delete from auth.users where id = account;
  return found;
end
$$;
revoke all on function private.delete_account(uuid) from public;
grant execute on function private.delete_account(uuid) to authenticated, service_role;

-- The caller's role in a team, theirs by membership or by API key; null for everyone else. Security definer: an API key
-- may not read the keys.
create function private.role_id_in(team uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select tu.role_id from public.team_users tu
   where tu.team_id = team and tu.user_id = private.user_id() and tu.status = 'accepted'
  union all
  select k.role_id from public.api_keys k where k.team_id = team and k.id = private.claim_id('api_key_id')
   limit 1
$$;
revoke all on function private.role_id_in(uuid) from public;
grant execute on function private.role_id_in(uuid) to authenticated, service_role;

-- That role's codename. Security definer: a role of the team may lack roles.read.
create function private.role_in(team uuid) returns text
language sql stable security definer set search_path = '' as $$
  select r.codename from public.roles r where r.id = private.role_id_in(team)
$$;
revoke all on function private.role_in(uuid) from public;
grant execute on function private.role_in(uuid) to authenticated, service_role;

-- And its permissions, for clients that offer only what will not be refused; empty without a role. Security definer: as role_in.
create function private.role_permissions_in(team uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce((select r.permissions from public.roles r where r.id = private.role_id_in(team)), '{}')
$$;
revoke all on function private.role_permissions_in(uuid) from public;
grant execute on function private.role_permissions_in(uuid) to authenticated, service_role;

-- The invitations that wait for the caller. Security definer: the invited see neither the team's roles nor who invited.
create function private.my_invitations()
returns table (team_id uuid, status text, role_id uuid, role text, invited_by text)
language sql stable security definer set search_path = '' as $$
  select tu.team_id, tu.status, tu.role_id, r.codename, u.name
    from public.team_users tu
    join public.roles r on r.id = tu.role_id
    left join public.users u on u.id = tu.invited_by
   where tu.user_id = private.user_id() and tu.status = 'pending'
$$;
revoke all on function private.my_invitations() from public;
grant execute on function private.my_invitations() to authenticated, service_role;

-- Whether the calling API key is still there; notes that it is used, once a minute at most and never waiting for another
-- call that does. Asked in every transaction of a key, so that one that is revoked ends at once. Security definer: a key may
-- not read the keys.
create function private.use_api_key() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  calling constant uuid := private.claim_id('api_key_id');
  used timestamptz;
begin
  select k.last_used_at into used from public.api_keys k where k.id = calling;
  if not found then
    return false;
  end if;
  if used is null or used < now() - interval '1 minute' then
    update public.api_keys k set last_used_at = now()
     where k.id = (select locked.id from public.api_keys locked where locked.id = calling for update skip locked);
  end if;
  return true;
end
$$;
revoke all on function private.use_api_key() from public;
grant execute on function private.use_api_key() to authenticated;

-- sql/15_support.sql
-- What people without an account may hand in: beta sign-ups and support tickets. Platform admins at
-- work read them and close tickets, which are mailed to the support address as well.

create table public.beta_signups (
  id uuid primary key default private.uuid_v7(),
  email text not null check (char_length(email) between 3 and 320),
  name text check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index beta_signups_email_key on public.beta_signups (lower(email));
create trigger touch_beta_signups before update on public.beta_signups
  for each row execute function private.touch_updated_at();

create table public.support_tickets (
  id uuid primary key default private.uuid_v7(),
  email text not null check (char_length(email) between 3 and 320),
  name text check (char_length(name) between 1 and 200),
  subject text not null check (char_length(subject) between 1 and 200),
  message text not null check (char_length(message) between 1 and 10000),
  user_id uuid references public.users (id) on delete set null,
  status text not null default 'open' check (status in ('open', 'closed')),
  -- Null until the mail to the support address has gone out.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index support_tickets_user_idx on public.support_tickets (user_id);
create index support_tickets_unmailed_idx on public.support_tickets (id) where mailed_at is null;
create index support_tickets_status_idx on public.support_tickets (status, id);
create trigger touch_support_tickets before update on public.support_tickets
  for each row execute function private.touch_updated_at();

-- The platform alone adds: it limits how often one address may. Platform admins at work read, and close tickets.
revoke all on public.beta_signups, public.support_tickets from public, anon, authenticated;
grant select, insert, update, delete on public.beta_signups, public.support_tickets to service_role;
alter table public.beta_signups enable row level security;
alter table public.support_tickets enable row level security;
create policy "platform admins at work read beta sign-ups" on public.beta_signups for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work read support tickets" on public.support_tickets for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work close support tickets" on public.support_tickets for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));
grant select on public.beta_signups, public.support_tickets to authenticated;
grant update (status) on public.support_tickets to authenticated;

-- sql/16_mail.sql
-- What became of our mails: events as the mail service reports them, and the addresses that get none any more.

-- One row for each recipient that a report names. A report that comes again adds none.
create table private.mail_events (
  message_id text not null check (char_length(message_id) between 1 and 100),
  email text not null check (char_length(email) between 3 and 320),
  kind text not null check (kind in ('bounce', 'complaint', 'delivery')),
  -- Whether the address gets no more mail for it.
  final boolean not null,
  detail text check (char_length(detail) <= 1000),
  created_at timestamptz not null default now(),
  primary key (message_id, email)
);
create index mail_events_created_idx on private.mail_events (created_at);
create index mail_events_email_idx on private.mail_events (email, created_at);
revoke all on private.mail_events from public, anon, authenticated;
grant select, insert, update, delete on private.mail_events to service_role;
alter table private.mail_events enable row level security;

-- Addresses that bounced for good or whose owner complained. The platform adds them; platform admins at work see and clear them.
create table public.suppressions (
  id uuid primary key default private.uuid_v7(),
  email text not null unique check (email = lower(email) and char_length(email) between 3 and 320),
  reason text not null check (reason in ('bounce', 'complaint')),
  detail text check (char_length(detail) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch_suppressions before update on public.suppressions
  for each row execute function private.touch_updated_at();

revoke all on public.suppressions from public, anon, authenticated;
grant select, insert, update, delete on public.suppressions to service_role;
grant select, delete on public.suppressions to authenticated;
alter table public.suppressions enable row level security;
create policy "platform admins at work see suppressed addresses" on public.suppressions for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work clear suppressed addresses" on public.suppressions for delete to authenticated
  using ((select private.is_admin()));

-- sql/20_agents.sql
-- Agents: what a team builds. An agent answers from the knowledges linked to it.

create table public.agents (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  instructions text not null default '' check (char_length(instructions) <= 20000),
  greeting text not null default '' check (char_length(greeting) <= 2000),
  suggested_prompts text[] not null default '{}' check (cardinality(suggested_prompts) <= 12),
  -- Empty: the installation's default model.
  model text not null default '' check (char_length(model) <= 200),
  temperature real not null default 0.2 check (temperature between 0 and 2),
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  retrieval_top_k int not null default 6 check (retrieval_top_k between 1 and 50),
  retrieval_min_score real not null default 0 check (retrieval_min_score between 0 and 1),
  retrieval_mode text not null default 'hybrid' check (retrieval_mode in ('hybrid', 'vector', 'text')),
  -- Sites that may embed the agent's chat, as in a frame-ancestors policy, which they become part of; none: every site may.
  allowed_origins text[] not null default '{}' check (
    cardinality(allowed_origins) <= 50
    and array_to_string(allowed_origins, ' ', '?')
        ~ '^$|^https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?( https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?)*$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id)
);
create index agents_team_name_idx on public.agents (team_id, name collate private.natural_order, id);
create index agents_team_updated_idx on public.agents (team_id, updated_at, id);
create index agents_public_idx on public.agents (name collate private.natural_order, id) where visibility = 'public';
create index agents_created_by_idx on public.agents (created_by);
create trigger touch_agents before update on public.agents
  for each row execute function private.touch_updated_at();

revoke all on public.agents from public, anon, authenticated;
grant select, delete on public.agents to authenticated;
grant insert (team_id, name, description, instructions, greeting, suggested_prompts, model, temperature, visibility,
              retrieval_top_k, retrieval_min_score, retrieval_mode, allowed_origins) on public.agents to authenticated;
grant update (name, description, instructions, greeting, suggested_prompts, model, temperature, visibility,
              retrieval_top_k, retrieval_min_score, retrieval_mode, allowed_origins) on public.agents to authenticated;
-- Everyone may know a public agent; nobody outside the team its instructions, model or retrieval settings.
grant select (id, team_id, name, description, greeting, suggested_prompts, visibility, allowed_origins, created_at, updated_at)
  on public.agents to anon;
grant select, insert, update, delete on public.agents to service_role;
alter table public.agents enable row level security;

create policy "members read their team's agents" on public.agents for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));
create policy "visitors read public agents" on public.agents for select to anon
  using (visibility = 'public');
create policy "an agent reads itself while it answers" on public.agents for select to authenticated
  using (id = (select private.claim_id('agent_id')));
create policy "editors add agents to their team" on public.agents for insert to authenticated
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[]));
create policy "editors change their team's agents" on public.agents for update to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[]));
create policy "editors delete their team's agents" on public.agents for delete to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]));

-- sql/30_files.sql
-- Files: bytes in the storage bucket "files" under teams/{team_id}/, and a row that names them.

create table public.files (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  type text not null check (type in ('document', 'image', 'other')),
  content_type text not null check (char_length(content_type) between 1 and 255),
  size bigint not null check (size >= 0),
  path text not null unique check (path like 'teams/' || team_id::text || '/%'),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id)
);
create index files_team_type_idx on public.files (team_id, type, id);
create index files_team_name_idx on public.files (team_id, name collate private.natural_order, id);
create index files_team_size_idx on public.files (team_id, size, id);
create index files_created_by_idx on public.files (created_by);
create trigger touch_files before update on public.files
  for each row execute function private.touch_updated_at();

revoke all on public.files from public, anon, authenticated;
grant select, delete on public.files to authenticated;
grant insert (id, team_id, name, type, content_type, size, path, sha256) on public.files to authenticated;
grant select, insert, update, delete on public.files to service_role;
alter table public.files enable row level security;
create policy "members read their team's files" on public.files for select to authenticated
  using (team_id = any ((select private.teams_with('files.read'))::uuid[]));
create policy "editors add files to their team" on public.files for insert to authenticated
  with check (team_id = any ((select private.teams_with('files.write'))::uuid[]));
create policy "editors delete their team's files" on public.files for delete to authenticated
  using (team_id = any ((select private.teams_with('files.write'))::uuid[]));

-- Bytes that nobody has a row for any more: noted in the transaction that removes the row, so that no crash in between leaves
-- either without the other. Once storage has let go of them the note stays for an hour: somebody who found the bytes just before
-- may still be about to register them. The service's alone.
create table private.unwanted_objects (
  path text primary key,
  attempts int not null default 0,
  removed_at timestamptz,
  run_after timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index unwanted_objects_run_after_idx on private.unwanted_objects (run_after);
create trigger touch_unwanted_objects before update on private.unwanted_objects
  for each row execute function private.touch_updated_at();
revoke all on private.unwanted_objects from public, anon, authenticated;
grant select, insert, update, delete on private.unwanted_objects to service_role;
alter table private.unwanted_objects enable row level security;

-- A deleted row disowns its bytes, whichever door it went through. Security definer: no client may write the note.
create function private.disown_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path) values (old.path) on conflict do nothing;
  return null;
end
$$;
revoke all on function private.disown_file() from public;
create trigger disown_file after delete on public.files for each row execute function private.disown_file();

-- A deleted team disowns what was sent for it and never registered, too. Security definer: as above, and reads storage.
create function private.disown_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.name like 'teams/' || old.id::text || '/%'
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.disown_team() from public;
create trigger disown_team after delete on public.teams for each row execute function private.disown_team();

-- Bytes on their way out are registered no more: the row would soon name nothing. Security definer: no client may read the notes.
create function private.refuse_unwanted_object() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select 1 from private.unwanted_objects u where u.path = new.path) then
    raise exception 'no such object' using errcode = 'P0404';
  end if;
  return new;
end
$$;
revoke all on function private.refuse_unwanted_object() from public;
create trigger refuse_unwanted_object before insert on public.files
  for each row execute function private.refuse_unwanted_object();

-- Notes what was sent to a signed address more than a day ago and never registered. Reads all of storage: once an hour.
create function private.disown_unregistered_objects() returns bigint
language sql volatile set search_path = '' as $$
  with disowned as (
    insert into private.unwanted_objects (path)
    select o.name from storage.objects o
     where o.bucket_id = 'files' and o.created_at < now() - interval '1 day'
       and not exists (select 1 from public.files f where f.path = o.name)
     limit 1000
    on conflict do nothing returning 1)
  select count(*) from disowned
$$;
revoke all on function private.disown_unregistered_objects() from public;
grant execute on function private.disown_unregistered_objects() to service_role;

-- Hands out notes that are due (or those of the given paths), each to one worker for a minute, later after every failure.
-- Drops those whose hour is over.
create function private.claim_unwanted_objects(only_paths text[] default null) returns setof text
language sql volatile set search_path = '' as $$
  delete from private.unwanted_objects u where u.run_after <= clock_timestamp() and u.removed_at is not null;
  update private.unwanted_objects u
     set attempts = u.attempts + 1, run_after = clock_timestamp() + least(u.attempts + 1, 60) * interval '1 minute'
   where u.path in (
     select due.path from private.unwanted_objects due
      where due.removed_at is null
        and case when only_paths is null then due.run_after <= clock_timestamp() else due.path = any (only_paths) end
      order by due.run_after limit 100 for update skip locked)
  returning u.path
$$;
revoke all on function private.claim_unwanted_objects(text[]) from public;
grant execute on function private.claim_unwanted_objects(text[]) to service_role;

-- Storage has let go of these.
create function private.unwanted_objects_removed(paths text[]) returns void
language sql volatile set search_path = '' as $$
  update private.unwanted_objects u
     set removed_at = clock_timestamp(), run_after = clock_timestamp() + interval '1 hour'
   where u.path = any (paths)
$$;
revoke all on function private.unwanted_objects_removed(text[]) from public;
grant execute on function private.unwanted_objects_removed(text[]) to service_role;

-- sql/40_sources.sql
-- Sources: where documents come from. Credentials are encrypted before they reach Postgres and live in private.

create table public.sources (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  type text not null check (type in ('file', 'agentChat', 'jira', 'shopify', 'hubspot')),
  name text not null check (char_length(name) between 1 and 200),
  -- For type file: { "fileIds": [uuid, ...] }. Never a secret.
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object' and pg_column_size(config) <= 262144),
  status text not null default 'none'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  documents_count int not null default 0,
  synced_at timestamptz,
  error text,
  -- How often it is read again by itself, and when next.
  schedule text not null default 'manual' check (schedule in ('manual', 'hourly', 'daily', 'weekly')),
  next_sync_at timestamptz,
  -- From where a listing need only bring what changed since, in the connector's own words; null: everything is listed.
  sync_cursor text,
  -- When everything was last listed, so that what is gone was noticed.
  listed_at timestamptz,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id)
);
create index sources_team_type_idx on public.sources (team_id, type, id);
create index sources_team_name_idx on public.sources (team_id, name collate private.natural_order, id);
create index sources_team_status_idx on public.sources (team_id, status, id);
create index sources_team_synced_idx on public.sources (team_id, coalesce(synced_at, '-infinity'), id);
create index sources_created_by_idx on public.sources (created_by);
create index sources_due_idx on public.sources (next_sync_at) where next_sync_at is not null;
create trigger touch_sources before update on public.sources
  for each row execute function private.touch_updated_at();

revoke all on public.sources from public, anon, authenticated;
grant select, delete on public.sources to authenticated;
grant insert (team_id, type, name, config, schedule) on public.sources to authenticated;
grant update (name, config, schedule) on public.sources to authenticated;
grant select, insert, update, delete on public.sources to service_role;
alter table public.sources enable row level security;
create policy "members read their team's sources" on public.sources for select to authenticated
  using (team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "editors add sources to their team" on public.sources for insert to authenticated
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors change their team's sources" on public.sources for update to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors delete their team's sources" on public.sources for delete to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]));

-- Encrypted with SECRETS_KEY by the edge functions; only the service reads or writes it.
create table private.source_credentials (
  source_id uuid primary key references public.sources (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  ciphertext bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index source_credentials_team_idx on private.source_credentials (team_id);
create trigger touch_source_credentials before update on private.source_credentials
  for each row execute function private.touch_updated_at();
revoke all on private.source_credentials from public, anon, authenticated;
grant select, insert, update, delete on private.source_credentials to service_role;
alter table private.source_credentials enable row level security;

-- Whether a source has credentials, without showing them. Security definer: the table is the service's alone;
-- answers only for sources that the caller may read.
create function private.has_credentials(source uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from private.source_credentials c
     where c.source_id = source and c.team_id = any ((select private.teams_with('sources.read'))::uuid[]))
$$;
revoke all on function private.has_credentials(uuid) from public;
grant execute on function private.has_credentials(uuid) to authenticated, service_role;

-- Other settings are another source: its next listing brings everything. And where the address changes, the credentials go,
-- whichever door the change comes through, or they would be sent to a place that they were not given for.
-- Security definer: the credentials are the service's alone.
create function private.reset_source() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.config is distinct from old.config then
    new.sync_cursor := null;
  end if;
  if (new.config -> 'site', new.config -> 'shop', new.config -> 'apiUrl')
     is distinct from (old.config -> 'site', old.config -> 'shop', old.config -> 'apiUrl')
  then
    delete from private.source_credentials c where c.source_id = new.id;
  end if;
  return new;
end
$$;
revoke all on function private.reset_source() from public;
create trigger reset_source before update of config on public.sources
  for each row execute function private.reset_source();

-- A source of chats has an agent of its own team, and shows everyone's chats, so only those who may read them set it up.
-- Security definer: reads agents that the writer may not see.
create function private.check_source_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.type <> 'agentChat' then
    return new;
  end if;
  if not exists (select 1 from public.agents a where a.id::text = new.config ->> 'agentId' and a.team_id = new.team_id) then
    raise exception 'the agent is not one of this team' using errcode = '23503';
  end if;
  if private.is_client() and new.team_id <> all (private.teams_with('chats.read')) then
    raise exception 'may not read this team''s chats' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.check_source_agent() from public;
create trigger check_source_agent before insert or update of config on public.sources
  for each row execute function private.check_source_agent();

-- A source of type file lists files of its own team only, whoever writes. Security definer: reads files that the writer may
-- not see.
create function private.check_source_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.type = 'file' and exists (
    select 1 from jsonb_array_elements_text(coalesce(new.config -> 'fileIds', '[]')) as listed (id)
     where not exists (select 1 from public.files f where f.id::text = listed.id and f.team_id = new.team_id))
  then
    raise exception 'a listed file is not a file of this team' using errcode = '23503';
  end if;
  return new;
end
$$;
revoke all on function private.check_source_files() from public;
create trigger check_source_files before insert or update of config on public.sources
  for each row execute function private.check_source_files();

-- sql/41_knowledges.sql
-- Knowledges: what an agent answers from. A knowledge has sources, one way of chunking and one embedding space.

-- Vectors, in the product's words: embedding spaces. One row per model and number of dimensions.
create table public.vectors (
  id uuid primary key default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  model text not null check (char_length(model) between 1 and 200),
  dimensions int not null check (dimensions between 1 and 4000),
  status text not null default 'active' check (status in ('active', 'building', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (model, dimensions)
);
create trigger touch_vectors before update on public.vectors
  for each row execute function private.touch_updated_at();
revoke all on public.vectors from public, anon, authenticated;
grant select on public.vectors to authenticated;
grant insert (name, model, dimensions, status), update (name, model, dimensions, status), delete
  on public.vectors to authenticated;
grant select, insert, update, delete on public.vectors to service_role;
alter table public.vectors enable row level security;
create policy "anyone logged in reads the embedding spaces" on public.vectors for select to authenticated
  using ((select private.is_known()));
create policy "platform admins add embedding spaces" on public.vectors for insert to authenticated
  with check ((select private.is_admin()));
create policy "platform admins change embedding spaces" on public.vectors for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "platform admins remove embedding spaces" on public.vectors for delete to authenticated
  using ((select private.is_admin()));

create table public.knowledges (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  language text not null default 'en' check (language in ('en', 'fr', 'simple')),
  chunk_max_tokens int not null default 320 check (chunk_max_tokens between 32 and 2000),
  chunk_overlap_tokens int not null default 40 check (chunk_overlap_tokens >= 0),
  -- The space that its live chunks are embedded in; null until the first index.
  vector_id uuid references public.vectors (id),
  status text not null default 'none'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  documents_count int not null default 0,
  chunks_count int not null default 0,
  indexed_at timestamptz,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  check (chunk_overlap_tokens < chunk_max_tokens)
);
create index knowledges_team_name_idx on public.knowledges (team_id, name collate private.natural_order, id);
create index knowledges_team_status_idx on public.knowledges (team_id, status, id);
create index knowledges_team_indexed_idx on public.knowledges (team_id, coalesce(indexed_at, '-infinity'), id);
create index knowledges_vector_idx on public.knowledges (vector_id);
create index knowledges_created_by_idx on public.knowledges (created_by);
create trigger touch_knowledges before update on public.knowledges
  for each row execute function private.touch_updated_at();

create table public.knowledge_sources (
  team_id uuid not null,
  knowledge_id uuid not null,
  source_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (knowledge_id, source_id),
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, source_id) references public.sources (team_id, id) on delete cascade
);
create index knowledge_sources_team_idx on public.knowledge_sources (team_id, knowledge_id);
create index knowledge_sources_source_idx on public.knowledge_sources (source_id);
create index knowledge_sources_team_source_idx on public.knowledge_sources (team_id, source_id);

create table public.agent_knowledges (
  team_id uuid not null,
  agent_id uuid not null,
  knowledge_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (agent_id, knowledge_id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade
);
create index agent_knowledges_team_idx on public.agent_knowledges (team_id, agent_id);
create index agent_knowledges_knowledge_idx on public.agent_knowledges (knowledge_id);
create index agent_knowledges_team_knowledge_idx on public.agent_knowledges (team_id, knowledge_id);

-- The knowledges of the agent that is answering. Security definer: reads the links whose policies call it.
create function private.agent_knowledge_ids() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select ak.knowledge_id from public.agent_knowledges ak where ak.agent_id = private.claim_id('agent_id'));
end
$$;
revoke all on function private.agent_knowledge_ids() from public;
grant execute on function private.agent_knowledge_ids() to anon, authenticated, service_role;

revoke all on public.knowledges, public.knowledge_sources, public.agent_knowledges from public, anon, authenticated;
grant select, insert, update, delete on public.knowledges, public.knowledge_sources, public.agent_knowledges to service_role;

grant select, delete on public.knowledges to authenticated;
grant insert (team_id, name, description, language, chunk_max_tokens, chunk_overlap_tokens) on public.knowledges to authenticated;
grant update (name, description, language, chunk_max_tokens, chunk_overlap_tokens) on public.knowledges to authenticated;
alter table public.knowledges enable row level security;
create policy "members read their team's knowledges" on public.knowledges for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "an answering agent reads its knowledges" on public.knowledges for select to authenticated
  using (id = any ((select private.agent_knowledge_ids())::uuid[]));
create policy "editors add knowledges to their team" on public.knowledges for insert to authenticated
  with check (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));
create policy "editors change their team's knowledges" on public.knowledges for update to authenticated
  using (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));
create policy "editors delete their team's knowledges" on public.knowledges for delete to authenticated
  using (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));

grant select, delete on public.knowledge_sources to authenticated;
grant insert (team_id, knowledge_id, source_id) on public.knowledge_sources to authenticated;
alter table public.knowledge_sources enable row level security;
create policy "members read which sources a knowledge has" on public.knowledge_sources for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
-- A link shows what it leads to, so nobody links what they may not read.
create policy "editors give a knowledge sources that they read" on public.knowledge_sources for insert to authenticated
  with check (team_id = any ((select private.teams_with('knowledges.write'))::uuid[])
          and team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "editors take sources from a knowledge" on public.knowledge_sources for delete to authenticated
  using (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));

grant select, delete on public.agent_knowledges to authenticated;
grant insert (team_id, agent_id, knowledge_id) on public.agent_knowledges to authenticated;
alter table public.agent_knowledges enable row level security;
create policy "members read which knowledges an agent has" on public.agent_knowledges for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));
create policy "editors give an agent knowledges that they read" on public.agent_knowledges for insert to authenticated
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[])
          and team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "editors take knowledges from an agent" on public.agent_knowledges for delete to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]));

-- sql/42_documents.sql
-- Documents of sources, their text, and the live chunks made of them. Clients read; the indexing service writes.

create table public.documents (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  source_id uuid not null,
  external_id text not null check (char_length(external_id) between 1 and 512),
  type text not null check (char_length(type) between 1 and 100),
  title text not null check (char_length(title) between 1 and 500),
  url text check (url ~ '^https?://' and char_length(url) <= 2000),
  -- The parsed text that chunk offsets (UTF-16 code units) point into, and its structure map; null until parsed.
  content text,
  structure jsonb,
  content_hash text check (content_hash ~ '^[0-9a-f]{64}$'),
  status text not null default 'none'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  chunks_count int not null default 0,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  unique (source_id, external_id),
  foreign key (team_id, source_id) references public.sources (team_id, id) on delete cascade
);
create index documents_team_source_idx on public.documents (team_id, source_id, id);
create index documents_title_idx on public.documents (team_id, source_id, title collate private.natural_order, id);
create index documents_status_idx on public.documents (team_id, source_id, status, id);
create index documents_updated_idx on public.documents (team_id, source_id, updated_at, id);
create index documents_source_idx on public.documents (source_id, id);
-- A source's documents are all of its team: without this Postgres expects few of them to be, and sorts instead of walking.
create statistics public.documents_source_team (dependencies) on team_id, source_id from public.documents;
create trigger touch_documents before update on public.documents
  for each row execute function private.touch_updated_at();

-- How far a document's index in one knowledge is. signature: SHA-256 of content, chunking and embedding space; an equal
-- one means that there is nothing to do.
create table public.document_indexes (
  team_id uuid not null,
  knowledge_id uuid not null,
  document_id uuid not null,
  generation int not null default 0,
  signature text,
  chunks_count int not null default 0,
  status text not null default 'queued'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  error text,
  indexed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (knowledge_id, document_id),
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index document_indexes_team_idx on public.document_indexes (team_id, knowledge_id);
create index document_indexes_document_idx on public.document_indexes (document_id);
create index document_indexes_team_document_idx on public.document_indexes (team_id, document_id);
create index document_indexes_open_idx on public.document_indexes (knowledge_id, status, document_id) where status <> 'ready';
create trigger touch_document_indexes before update on public.document_indexes
  for each row execute function private.touch_updated_at();

-- Only live chunks are here: a new generation is staged in private.staged_chunks and switched in one transaction.
create table public.chunks (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  knowledge_id uuid not null,
  source_id uuid not null,
  document_id uuid not null,
  position int not null,
  content text not null,
  -- UTF-16 code units into documents.content: content.slice(start_offset, end_offset).
  start_offset int not null check (start_offset >= 0),
  end_offset int not null check (end_offset > start_offset),
  page int,
  heading text not null default '',
  tokens int not null,
  content_hash text not null,
  lexemes tsvector not null,
  created_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  unique (knowledge_id, document_id, position),
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index chunks_team_knowledge_idx on public.chunks (team_id, knowledge_id, document_id);
create index chunks_document_idx on public.chunks (document_id);
create index chunks_team_document_idx on public.chunks (team_id, document_id);
-- Without fastupdate: a search would read the list of pending entries from end to end, and nothing vacuums PGlite.
create index chunks_lexemes_idx on public.chunks using gin (lexemes) with (fastupdate = off);

-- Embeddings apart and narrow, so that an exact search reads the covering index alone. A btree entry holds at most
-- about 2,700 bytes: 1,024 dimensions of two bytes fit.
create table public.chunk_embeddings (
  team_id uuid not null,
  knowledge_id uuid not null,
  vector_id uuid not null references public.vectors (id),
  chunk_id uuid not null,
  dimensions int not null,
  embedding extensions.halfvec not null,
  primary key (chunk_id, vector_id),
  foreign key (team_id, chunk_id) references public.chunks (team_id, id) on delete cascade
);
-- Plain: an embedding of more than about 1,000 dimensions would be kept out of line, which costs three reads a row.
alter table public.chunk_embeddings alter column embedding set storage plain;
create index chunk_embeddings_search_idx on public.chunk_embeddings (team_id, knowledge_id, vector_id)
  include (chunk_id, embedding) where dimensions <= 1024;
create index chunk_embeddings_large_idx on public.chunk_embeddings (team_id, knowledge_id, vector_id)
  where dimensions > 1024;
create index chunk_embeddings_team_chunk_idx on public.chunk_embeddings (team_id, chunk_id);
create index chunk_embeddings_vector_idx on public.chunk_embeddings (vector_id);

-- What has been read of a document that takes more than one call to read: its pages from position on, as its parser left
-- them. revision: of the document; the pages of another one are of no use.
create table private.document_pieces (
  team_id uuid not null,
  document_id uuid not null,
  revision text not null,
  position int not null check (position >= 0),
  pages text[] not null,
  primary key (document_id, position),
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index document_pieces_team_document_idx on private.document_pieces (team_id, document_id);
revoke all on private.document_pieces from public, anon, authenticated;
grant select, insert, update, delete on private.document_pieces to service_role;
alter table private.document_pieces enable row level security;

-- The staged chunks of an index that is being built, as a whole: whoever goes on with it need not stage them again.
-- signature: what they are made from; fence: theirs; total: null until all of them are staged.
create table private.builds (
  team_id uuid not null,
  knowledge_id uuid not null,
  document_id uuid not null,
  signature text not null,
  vector_id uuid not null references public.vectors (id) on delete cascade,
  fence bigint not null,
  total int,
  primary key (knowledge_id, document_id),
  foreign key (knowledge_id, document_id) references public.document_indexes (knowledge_id, document_id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index builds_team_document_idx on private.builds (team_id, document_id);
create index builds_vector_idx on private.builds (vector_id);
revoke all on private.builds from public, anon, authenticated;
grant select, insert, update, delete on private.builds to service_role;
alter table private.builds enable row level security;

-- Chunks that are being built. fence: the generation that began to stage them; others' are swept. context: what is
-- embedded before the content.
create table private.staged_chunks (
  knowledge_id uuid not null references public.knowledges (id) on delete cascade,
  document_id uuid not null references public.documents (id) on delete cascade,
  fence bigint not null,
  position int not null,
  team_id uuid not null references public.teams (id) on delete cascade,
  vector_id uuid not null references public.vectors (id) on delete cascade,
  context text not null default '',
  content text not null,
  start_offset int not null,
  end_offset int not null,
  page int,
  heading text not null default '',
  tokens int not null,
  content_hash text not null,
  embedding extensions.halfvec,
  primary key (knowledge_id, document_id, fence, position)
);
create index staged_chunks_document_idx on private.staged_chunks (document_id);
create index staged_chunks_team_idx on private.staged_chunks (team_id);
create index staged_chunks_vector_idx on private.staged_chunks (vector_id);
revoke all on private.staged_chunks from public, anon, authenticated;
grant select, insert, update, delete on private.staged_chunks to service_role;
alter table private.staged_chunks enable row level security;

revoke all on public.documents, public.document_indexes, public.chunks, public.chunk_embeddings
  from public, anon, authenticated;
grant select, insert, update, delete on public.documents, public.document_indexes, public.chunks, public.chunk_embeddings
  to service_role;

-- The documents in the knowledges of the agent that is answering. Security definer: as agent_knowledge_ids; and a policy that
-- read document_indexes itself would bring that table's policies into every plan of documents.
create function private.agent_document_ids() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select di.document_id from public.document_indexes di where di.knowledge_id = any (private.agent_knowledge_ids()));
end
$$;
revoke all on function private.agent_document_ids() from public;
grant execute on function private.agent_document_ids() to authenticated, service_role;

grant select, delete on public.documents to authenticated;
grant insert (team_id, source_id, external_id, type, title, url, content, content_hash) on public.documents to authenticated;
grant update (external_id, type, title, url, content, content_hash) on public.documents to authenticated;
alter table public.documents enable row level security;
create policy "members read their team's documents" on public.documents for select to authenticated
  using (team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "an answering agent reads the documents of its passages" on public.documents for select to authenticated
  using (id = any ((select private.agent_document_ids())::uuid[]));
create policy "editors add documents to their team's sources" on public.documents for insert to authenticated
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors change their team's documents" on public.documents for update to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors delete their team's documents" on public.documents for delete to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]));

grant select on public.document_indexes to authenticated;
alter table public.document_indexes enable row level security;
create policy "members read how far their team's indexes are" on public.document_indexes for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "an answering agent reads which documents it has" on public.document_indexes for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

grant select on public.chunks to authenticated;
alter table public.chunks enable row level security;
create policy "members read their team's chunks" on public.chunks for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "an answering agent reads its chunks" on public.chunks for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

grant select on public.chunk_embeddings to authenticated;
alter table public.chunk_embeddings enable row level security;
create policy "members read their team's embeddings" on public.chunk_embeddings for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "an answering agent reads its embeddings" on public.chunk_embeddings for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

-- The text search configuration of a knowledge's language.
create function private.search_config(language text) returns regconfig
language sql immutable set search_path = '' as $$
  select case language when 'en' then 'pg_catalog.english'::regconfig
                       when 'fr' then 'pg_catalog.french'::regconfig
                       else 'pg_catalog.simple'::regconfig end
$$;
revoke all on function private.search_config(text) from public;
grant execute on function private.search_config(text) to authenticated, service_role;

-- The lexeme that every chunk of a knowledge carries, so that the text index is selective per knowledge.
create function private.knowledge_marker(knowledge uuid) returns text
language sql immutable set search_path = '' as $$
  select 'knowledge:' || knowledge::text
$$;
revoke all on function private.knowledge_marker(uuid) from public;
grant execute on function private.knowledge_marker(uuid) to authenticated, service_role;

-- A chunk's lexemes: title and heading weigh more (A, B) than the text (D), and the knowledge's marker.
create function private.chunk_lexemes(knowledge uuid, language text, title text, heading text, content text)
returns tsvector
language sql immutable set search_path = '' as $$
  select setweight(to_tsvector(private.search_config(language), coalesce(title, '')), 'A')
      || setweight(to_tsvector(private.search_config(language), coalesce(heading, '')), 'B')
      || to_tsvector(private.search_config(language), content)
      || array_to_tsvector(array[private.knowledge_marker(knowledge)])
$$;
revoke all on function private.chunk_lexemes(uuid, text, text, text, text) from public;
grant execute on function private.chunk_lexemes(uuid, text, text, text, text) to service_role;

-- sql/44_search.sql
-- Search: the passages of one or more knowledges for a question, by words, by vectors, or by both.
-- docs/decisions/0005-retrieval.md says why it ranks like this and what was measured.

-- A lexeme as a tsquery, whatever characters it holds.
create function private.lexeme_query(lexeme text) returns tsquery
language sql immutable set search_path = '' as $$
  select ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery
$$;
revoke all on function private.lexeme_query(text) from public;

-- Ranks the chunks of knowledges of one language by BM25 (k1 1.2, b 0.75; title and heading count twice), then once more
-- with the words that the best two add to the question (RM3: Lavrenko and Croft 2001, weight 0.3, 20 words).
-- coverage, 0 to 1: the share of the question's words, weighted by rarity, that a chunk holds.
-- Not granted to anyone: it reads past row-level security, private.rank_text() says for whom.
create function private.rank_lexemes(config regconfig, knowledges uuid[], query_text text, depth int)
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable set search_path = '' as $$
declare
  words text[] := array(
    select u.lexeme from unnest(to_tsvector(config, left(query_text, 4000))) u
     order by cardinality(u.positions) desc, length(u.lexeme) desc, u.lexeme limit 48);
  markers tsquery;
  any_word tsquery;
  total float8;
begin
  if cardinality(words) = 0 then
    return;
  end if;
  select string_agg(private.lexeme_query(private.knowledge_marker(k))::text, ' | ')::tsquery into markers from unnest(knowledges) k;
  select string_agg(private.lexeme_query(w)::text, ' | ')::tsquery into any_word from unnest(words) w;
  select count(*) into total from public.chunks c where c.knowledge_id = any (knowledges);

  return query
  with asked as (
    select w as word, private.lexeme_query(w) as query from unnest(words) w
  ), hits as materialized (
    -- Concatenating nothing unpacks the lexemes once for all words, not once for each.
    select c.id, a.word, ts_rank('{0.5,0.5,1,1}', c.lexemes, a.query) as strength
      from (select m.id, m.lexemes || ''::tsvector as lexemes from public.chunks m
             where m.lexemes @@ (markers && any_word) offset 0) c
      join asked a on c.lexemes @@ a.query
  ), weights as materialized (
    select a.word, ln(1 + (total - count(h.id) + 0.5) / (count(h.id) + 0.5)) as idf,
           ln(1 + total / (count(h.id) + 0.5)) as telling
      from asked a left join hits h using (word) group by a.word
  ), pool as materialized (
    -- Reading every lexeme of a chunk costs a hundred times a lookup: only the most promising are read.
    select h.id, sum(w.telling) / (select sum(telling) from weights) as coverage
      from hits h join weights w using (word)
     group by h.id order by sum(w.idf * h.strength) desc, h.id limit 200
  ), terms as materialized (
    select c.id, c.coverage, u.lexeme, u.lexeme = any (words) as asked, t.count / (t.count + c.norm) as tf
      from (select p.id, p.coverage, m.lexemes, 1.2 * (0.25 + 0.75 * m.tokens / avg(m.tokens::float8) over ()) as norm
              from pool p join public.chunks m on m.id = p.id) c
     cross join unnest(c.lexemes) u
     cross join lateral (select cardinality(u.positions) + cardinality(array_positions(u.weights, 'A'))
                                                         + cardinality(array_positions(u.weights, 'B')) as count) t
     where u.positions is not null
  ), best as materialized (
    select t.id, sum(w.idf * t.tf) as score
      from terms t join weights w on w.word = t.lexeme
     where t.asked and t.coverage >= 0.3
     group by t.id order by score desc, t.id limit 2
  ), found as materialized (
    select t.lexeme, sum(b.score * t.tf) as worth from best b join terms t using (id) group by t.lexeme
  ), added as (
    select lexeme, n.idf, f.worth * n.idf as worth
      from found f
      join (select t.lexeme, ln(1 + (pooled - count(*) + 0.5) / (count(*) + 0.5::float8)) as idf, count(*) as chunks, bool_or(asked) as asked
              from terms t cross join (select count(*)::float8 as pooled from pool) p
             where t.lexeme in (select lexeme from found) group by t.lexeme, pooled) n using (lexeme)
     where n.chunks > 1 or n.asked
     order by 3 desc, 1 limit 20
  ), expanded as materialized (
    select lexeme, sum(weight) as weight
      from (select word as lexeme, 0.7 / cardinality(words) * idf as weight from weights
            union all
            select lexeme, 0.3 * worth / nullif(sum(worth) over (), 0) * idf from added) w
     group by lexeme
  )
  select t.id, sum(e.weight * t.tf) as score, t.coverage
    from terms t join expanded e using (lexeme)
   group by t.id, t.coverage order by score desc, t.id limit depth;
end
$$;
revoke all on function private.rank_lexemes(regconfig, uuid[], text, int) from public;

-- Ranks by words in those of the knowledges that the caller may read, and gives ids and numbers only.
-- Security definer: @@ is not leakproof, so under row-level security it could not use the text index. The condition is
-- that of the two policies on chunks, and a test holds them to the same answer.
create function private.rank_text(knowledge_ids uuid[], query_text text, depth int)
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable security definer set search_path = '' as $$
declare
  same_language record;
begin
  for same_language in
    select private.search_config(k.language) as config, array_agg(k.id) as ids
      from public.knowledges k
     where k.id = any (knowledge_ids)
       and (k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
         or k.id = any ((select private.agent_knowledge_ids())::uuid[])
         or private.claims() ->> 'role' = 'service_role')
     group by 1
  loop
    return query select * from private.rank_lexemes(same_language.config, same_language.ids, query_text, depth);
  end loop;
end
$$;
revoke all on function private.rank_text(uuid[], text, int) from public;
grant execute on function private.rank_text(uuid[], text, int) to authenticated, service_role;

-- The chunks nearest to the question in each embedding space, exactly. feedback: chunks that a first ranking trusts;
-- they pull the question halfway towards them (Rocchio 1971). similarity is the cosine to the question itself.
-- Runs as the caller. "dimensions" chooses between the covering index and the one for spaces too large for it.
create function private.rank_vectors(knowledge_ids uuid[], query_embeddings jsonb, feedback uuid[], depth int)
returns table (chunk_id uuid, vector_id uuid, score float8, similarity float8)
language sql stable set search_path = '' as $$
  with visible as (
    select array_agg(distinct k.team_id) as teams, array_agg(k.id) as ids
      from public.knowledges k where k.id = any (knowledge_ids)
  ), asked as (
    select v.id as vector_id, v.dimensions, extensions.l2_normalize((e ->> 'embedding')::extensions.halfvec) as question
      from jsonb_array_elements(query_embeddings) e join public.vectors v on v.id = (e ->> 'vectorId')::uuid
     where jsonb_array_length(e -> 'embedding') = v.dimensions
  ), trusted as (
    select ce.vector_id, extensions.avg(ce.embedding) as middle
      from public.chunk_embeddings ce where ce.chunk_id = any (feedback) group by ce.vector_id
  ), pulled as materialized (
    select a.vector_id, a.question,
           case when t.middle is null then a.question
                else a.question operator(extensions.+)
                     (t.middle operator(extensions.*) array_fill(0.5::real, array[a.dimensions])::extensions.halfvec) end as target
      from asked a left join trusted t using (vector_id)
  )
  select near.chunk_id, p.vector_id, 1 - near.distance, 1 - (near.embedding operator(extensions.<=>) p.question)
    from visible s cross join pulled p cross join lateral (
      (select ce.chunk_id, ce.embedding, ce.embedding operator(extensions.<=>) p.target as distance
         from public.chunk_embeddings ce
        where ce.team_id = any (s.teams) and ce.knowledge_id = any (s.ids) and ce.vector_id = p.vector_id
          and ce.dimensions <= 1024
        order by distance limit depth)
      union all
      (select ce.chunk_id, ce.embedding, ce.embedding operator(extensions.<=>) p.target as distance
         from public.chunk_embeddings ce
        where ce.team_id = any (s.teams) and ce.knowledge_id = any (s.ids) and ce.vector_id = p.vector_id
          and ce.dimensions > 1024
        order by distance limit depth)) near
$$;
revoke all on function private.rank_vectors(uuid[], jsonb, uuid[], int) from public;
grant execute on function private.rank_vectors(uuid[], jsonb, uuid[], int) to authenticated, service_role;

-- The passages that best answer a question, best first, among those that the caller may read.
-- query_embeddings: [{ "vectorId": uuid, "embedding": [number, ...] }], one for each embedding space of the knowledges.
-- score, 0 to 1: reciprocal-rank fusion (k 60) in which a rank is worth its score's share of the list's best, times how well
-- the best passage fits the question at all, so that an off-topic question scores low throughout.
-- vector_score: cosine to the question; text_score: the share of its words that the passage holds.
create function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int)
language plpgsql stable set search_path = '' as $$
begin
  if mode is null or mode not in ('hybrid', 'vector', 'text') then
    raise exception 'mode is hybrid, vector or text' using errcode = '22023';
  end if;
  return query
  with by_text as materialized (
    select t.chunk_id, t.coverage, (row_number() over (order by t.score desc, t.chunk_id))::int as rank,
           t.score / nullif(max(t.score) over (), 0) as share
      from private.rank_text(knowledge_ids, query_text, 100) t where mode <> 'vector'
  ), by_vector as materialized (
    select v.chunk_id, v.similarity,
           (row_number() over (partition by v.vector_id order by v.score desc, v.chunk_id))::int as rank,
           greatest(v.score, 0) / nullif(max(v.score) over (partition by v.vector_id), 0) as share
      from private.rank_vectors(knowledge_ids, case when mode = 'text' then '[]' else query_embeddings end,
             array(select t.chunk_id from by_text t where t.coverage >= 0.3 order by t.rank limit 2), 100) v
  ), fused as (
    select coalesce(t.chunk_id, v.chunk_id) as id, t.rank as text_rank, t.coverage, v.rank as vector_rank, v.similarity,
           coalesce(t.share * 61 / (60 + t.rank), 0) + coalesce(v.share * 61 / (60 + v.rank), 0) as worth
      from by_text t full join by_vector v using (chunk_id)
  ), confident as (
    select least(1, greatest(max(coverage), max(similarity), 0))
             / nullif((select count(*) from (select from by_text limit 1) t)
                    + (select count(*) from (select from by_vector limit 1) v), 0) as factor
      from fused
  )
  select c.id, c.document_id, c.source_id, c.knowledge_id, d.title, d.url, c.content,
         c.start_offset, c.end_offset, c.page, c.heading,
         f.worth * n.factor, f.similarity, f.vector_rank, f.coverage, f.text_rank
    -- What is farther than a right angle from the question is worth nothing, and still has its rank.
    from (select * from fused u order by u.worth desc, least(u.text_rank, u.vector_rank), u.id
           limit least(greatest(max_results, 1), 200)) f
    cross join confident n
    join public.chunks c on c.id = f.id
    join public.documents d on d.id = c.document_id
   order by f.worth desc, least(f.text_rank, f.vector_rank), c.id;
end
$$;
revoke all on function public.search_chunks(uuid[], text, jsonb, int, text) from public, anon;
grant execute on function public.search_chunks(uuid[], text, jsonb, int, text) to authenticated, service_role;

-- sql/50_tasks.sql
-- Tasks: the queue, and what the user sees of it. Clients read and ask (start, stop); the indexing service works.
-- A claim is a lease with a fence: whoever lost the lease can no longer write.

create table public.tasks (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  type text not null check (type in ('loadDocuments', 'index', 'sync')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'waiting', 'stopping', 'stopped', 'succeeded', 'failed')),
  -- What the task is about; at most one queued and one running task per key.
  key text not null,
  source_id uuid,
  knowledge_id uuid,
  document_id uuid,
  done int not null default 0,
  total int not null default 0,
  -- What it does or waits for: a code that the API puts into the reader's words, and its parameters.
  message_code text not null default 'queued',
  message_params jsonb not null default '{}',
  error text,
  attempts int not null default 0,
  max_attempts int not null default 5,
  run_after timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz,
  claimed_at timestamptz,
  fence bigint not null default 0,
  created_by uuid references public.users (id) on delete set null,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, source_id) references public.sources (team_id, id) on delete cascade,
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create unique index tasks_queued_key on public.tasks (key) where status = 'queued';
create unique index tasks_running_key on public.tasks (key) where status in ('running', 'stopping');
-- What the claim goes by: the teams that have open tasks, each one's next, how many are at work and whose turn is oldest.
create index tasks_open_idx on public.tasks (team_id, run_after, id)
  where status in ('queued', 'waiting', 'running', 'stopping');
create index tasks_at_work_idx on public.tasks (lease_until, team_id) where status in ('running', 'stopping');
create index tasks_turns_idx on public.tasks (team_id, claimed_at) where claimed_at is not null;
create index tasks_source_idx on public.tasks (team_id, source_id, id);
create index tasks_knowledge_idx on public.tasks (team_id, knowledge_id, id);
create index tasks_document_idx on public.tasks (team_id, document_id);
create index tasks_created_by_idx on public.tasks (created_by);
create trigger touch_tasks before update on public.tasks
  for each row execute function private.touch_updated_at();

revoke all on public.tasks from public, anon, authenticated;
grant select on public.tasks to authenticated;
grant select, insert, update, delete on public.tasks to service_role;
alter table public.tasks enable row level security;
create policy "members read their team's tasks" on public.tasks for select to authenticated
  using (team_id = any ((select private.teams_with('tasks.read'))::uuid[]));

-- Queues a task, or returns the one that is queued already for the same key. For the service and the functions below.
create function private.enqueue_task(
  team uuid, task_type text, task_key text, source uuid default null, knowledge uuid default null, document uuid default null
) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  task uuid;
begin
  insert into public.tasks (team_id, type, key, source_id, knowledge_id, document_id, created_by)
  values (team, task_type, task_key, source, knowledge, document, private.user_id())
  on conflict (key) where status = 'queued' do update set updated_at = clock_timestamp()
  returning id into task;
  return task;
end
$$;
revoke all on function private.enqueue_task(uuid, text, text, uuid, uuid, uuid) from public;
grant execute on function private.enqueue_task(uuid, text, text, uuid, uuid, uuid) to service_role;

-- Asks for a knowledge to be indexed. Security definer: clients may not write tasks; the permission is checked here.
-- Raises P0404 when the caller cannot see the knowledge, 42501 when they may not change it.
create function public.index_knowledge(knowledge uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select k.team_id into team from public.knowledges k
   where k.id = knowledge and k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[]);
  if team is null then
    raise exception 'no such knowledge' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('knowledges.write')) then
    raise exception 'may not index this knowledge' using errcode = '42501';
  end if;
  update public.knowledges set status = 'queued' where id = knowledge and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:knowledge:' || knowledge, null, knowledge, null);
end
$$;
revoke all on function public.index_knowledge(uuid) from public, anon;
grant execute on function public.index_knowledge(uuid) to authenticated, service_role;

-- Asks for a source's documents to be indexed in every knowledge that has the source. Security definer: as above.
create function public.index_source(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not index this source' using errcode = '42501';
  end if;
  update public.sources set status = 'queued' where id = source and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:source:' || source, source, null, null);
end
$$;
revoke all on function public.index_source(uuid) from public, anon;
grant execute on function public.index_source(uuid) to authenticated, service_role;

-- Asks for one document to be read and indexed again. Security definer: as above.
create function public.index_document(document uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
  source uuid;
begin
  select d.team_id, d.source_id into team, source from public.documents d
   where d.id = document and d.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such document' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not index this document' using errcode = '42501';
  end if;
  update public.documents set status = 'queued' where id = document and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:document:' || document, source, null, document);
end
$$;
revoke all on function public.index_document(uuid) from public, anon;
grant execute on function public.index_document(uuid) to authenticated, service_role;

-- Asks for a source's list of documents to be read. Security definer: as above.
create function public.load_documents(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not load this source' using errcode = '42501';
  end if;
  return private.enqueue_task(team, 'loadDocuments', 'load:source:' || source, source, null, null);
end
$$;
revoke all on function public.load_documents(uuid) from public, anon;
grant execute on function public.load_documents(uuid) to authenticated, service_role;

-- Asks a source's open tasks, and those of the knowledges that have it, to stop. A queued one stops at once, a running
-- one at the end of its slice. Returns the last of them, null when nothing was open. Security definer: as above.
create function public.stop_indexing(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
  task uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not stop this source' using errcode = '42501';
  end if;
  with stopped as (
    update public.tasks t
       set status = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
           message_code = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
           finished_at = case when t.status in ('queued', 'waiting') then clock_timestamp() end
     where t.team_id = team and t.status in ('queued', 'waiting', 'running')
       and (t.source_id = source or t.knowledge_id in (
             select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = source))
    returning t.id, t.status)
  select s.id into task from stopped s order by s.status desc, s.id desc limit 1;
  return task;
end
$$;
revoke all on function public.stop_indexing(uuid) from public, anon;
grant execute on function public.stop_indexing(uuid) to authenticated, service_role;

-- Tasks that could be claimed, the next few of every team that has any: first the teams with the least at work, then those
-- whose last turn is longest ago, so that a team with ten thousand tasks takes turns with one that has a single one. Reads
-- a handful of index entries for each of these teams, however many tasks wait; a plan made while the table was small, or
-- with figures from then, must not read it from end to end once it is large: what is left to choose from is the ordered index.
create function private.claimable_tasks(moment timestamptz) returns table (id uuid, turn bigint)
language sql stable set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set plan_cache_mode = force_custom_plan as $$
  with recursive teams (team_id) as (
    (select t.team_id from public.tasks t
      where t.status in ('queued', 'waiting', 'running', 'stopping') order by t.team_id, t.run_after, t.id limit 1)
    union all
    select (select t.team_id from public.tasks t
             where t.status in ('queued', 'waiting', 'running', 'stopping') and t.team_id > teams.team_id
             order by t.team_id, t.run_after, t.id limit 1)
      from teams where teams.team_id is not null)
  select candidate.id,
         row_number() over (order by candidate.place, load.busy, load.served nulls first, candidate.run_after, candidate.id)
    from teams
   cross join lateral (
    select (select count(*) from public.tasks busy
             where busy.team_id = teams.team_id and busy.status in ('running', 'stopping') and busy.lease_until >= moment) as busy,
           (select served.claimed_at from public.tasks served
             where served.team_id = teams.team_id and served.claimed_at is not null
             order by served.claimed_at desc limit 1) as served
    offset 0) as load
   cross join lateral (
    select waits.*, row_number() over (order by waits.run_after, waits.id) as place
      from (select t.id, t.run_after
              from public.tasks t
             where t.team_id = teams.team_id and t.status in ('queued', 'waiting', 'running', 'stopping')
               and t.run_after <= moment and (t.lease_until is null or t.lease_until < moment)
               and not exists (
                 select 1 from public.tasks other
                  where other.key = t.key and other.id <> t.id and other.status in ('running', 'stopping'))
             order by t.run_after, t.id
             limit 8) as waits) as candidate
$$;
revoke all on function private.claimable_tasks(timestamptz) from public;
grant execute on function private.claimable_tasks(timestamptz) to service_role;

-- Claims one task for a worker, fairest team first. A task whose lease ran out is taken over (its worker died: one more
-- attempt); one with a null lease was put down between slices and just goes on. Null when there is nothing to do.
create function private.claim_task(worker text, lease_seconds int) returns setof public.tasks
language plpgsql volatile set search_path = '' set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  moment timestamptz := clock_timestamp();
  candidate uuid;
  picked uuid;
begin
  update public.tasks t
     set status = 'failed', finished_at = moment, lease_owner = null, lease_until = null,
         message_code = 'workerDied', error = 'The worker stopped several times while it was at this task.'
   where t.status in ('running', 'stopping') and t.lease_until < moment and t.attempts >= t.max_attempts;

  -- One at a time: others that claim in this moment hold some of them, and may have changed them since.
  for candidate in select c.id from private.claimable_tasks(moment) c order by c.turn loop
    select t.id into picked
      from public.tasks t
     where t.id = candidate and t.status in ('queued', 'waiting', 'running', 'stopping')
       and t.run_after <= moment and (t.lease_until is null or t.lease_until < moment)
       for update skip locked;
    exit when picked is not null;
  end loop;
  if picked is null then
    return;
  end if;

  return query
  update public.tasks t
     set status = case when t.status = 'stopping' then 'stopping' else 'running' end,
         attempts = t.attempts + case when t.status in ('running', 'stopping') and t.lease_until is null then 0 else 1 end,
         lease_owner = worker,
         lease_until = moment + make_interval(secs => lease_seconds),
         fence = t.fence + 1,
         claimed_at = moment,
         started_at = coalesce(t.started_at, moment)
   where t.id = picked
  returning t.*;
exception
  when unique_violation then
    -- Another worker claimed a task of the same key in the same moment.
    return;
end
$$;
revoke all on function private.claim_task(text, int) from public;
grant execute on function private.claim_task(text, int) to service_role;

-- Extends a lease and writes progress. Returns the status to go by ('running' or 'stopping'); null when the claim is lost, or
-- was ended: a heartbeat that comes late must not hold a task that its worker has put down.
create function private.keep_task(
  task uuid, claim_fence bigint, lease_seconds int,
  progress_done int default null, progress_total int default null, code text default null, params jsonb default null
) returns text
language sql volatile set search_path = '' as $$
  update public.tasks t
     set lease_until = clock_timestamp() + make_interval(secs => lease_seconds),
         done = coalesce(progress_done, t.done), total = coalesce(progress_total, t.total),
         message_code = coalesce(code, t.message_code), message_params = coalesce(params, t.message_params)
   where t.id = task and t.fence = claim_fence and t.status in ('running', 'stopping') and t.lease_owner is not null
  returning t.status
$$;
revoke all on function private.keep_task(uuid, bigint, int, int, int, text, jsonb) from public;
grant execute on function private.keep_task(uuid, bigint, int, int, int, text, jsonb) to service_role;

-- Ends a claim: 'succeeded', 'failed', 'stopped'; 'waiting' (again after a delay); 'running' (put down between slices).
-- A task that was asked to stop meanwhile neither waits nor goes on: the next claim finds it stopping.
-- False when the claim is lost.
create function private.end_claim(
  task uuid, claim_fence bigint, new_status text, code text, params jsonb default '{}',
  problem text default null, delay_seconds double precision default 0
) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  ends constant boolean := new_status in ('succeeded', 'failed', 'stopped');
begin
  update public.tasks t
     set status = case when t.status = 'stopping' and not ends then 'stopping' else new_status end,
         message_code = case when t.status = 'stopping' and not ends then t.message_code else code end,
         message_params = params, error = problem,
         lease_owner = null, lease_until = null,
         run_after = clock_timestamp()
                   + make_interval(secs => case when t.status = 'stopping' then 0 else delay_seconds end),
         finished_at = case when ends then clock_timestamp() end
   where t.id = task and t.fence = claim_fence and t.status in ('running', 'stopping');
  return found;
end
$$;
revoke all on function private.end_claim(uuid, bigint, text, text, jsonb, text, double precision) from public;
grant execute on function private.end_claim(uuid, bigint, text, text, jsonb, text, double precision) to service_role;

-- sql/51_removals.sql
-- What follows when a file goes and when an index is forgotten, whichever door it comes through.

-- A deleted file leaves the lists of its team's sources, its documents go, and the knowledges that had it are brought up to
-- date. Security definer: whoever may delete the file need not be able to write sources or tasks.
create function private.forget_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid;
begin
  -- A team that is being deleted takes everything along by itself.
  if not exists (select 1 from public.teams t where t.id = old.team_id) then
    return null;
  end if;
  for touched in
    update public.sources s
       set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - old.id::text)
     where s.team_id = old.team_id and s.type = 'file' and s.config -> 'fileIds' ? old.id::text
    returning s.id
  loop
    delete from public.documents d where d.source_id = touched and d.external_id = old.id::text;
    perform private.enqueue_task(old.team_id, 'index', 'index:knowledge:' || ks.knowledge_id, null, ks.knowledge_id, null)
       from public.knowledge_sources ks where ks.source_id = touched;
  end loop;
  return null;
end
$$;
revoke all on function private.forget_file() from public;
create trigger forget_file after delete on public.files for each row execute function private.forget_file();

-- Takes a source's passages out of every knowledge; its documents stay, unindexed. Security definer: clients may not write
-- chunks. Raises P0404 when the caller cannot see the source, 42501 when they may not change it.
create function public.forget_indexes(source uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  perform public.stop_indexing(source);
  select s.team_id into team from public.sources s where s.id = source;
  delete from public.chunks c
   using public.documents d
   where d.team_id = team and d.source_id = source and c.team_id = team and c.document_id = d.id;
  delete from public.document_indexes di
   using public.documents d
   where d.team_id = team and d.source_id = source and di.team_id = team and di.document_id = d.id;
  update public.documents d set status = 'none', chunks_count = 0, error = null
   where d.team_id = team and d.source_id = source;
  update public.sources s set status = 'none' where s.id = source;
  update public.knowledges k
     set documents_count = (select count(*) from public.document_indexes di
                             where di.team_id = team and di.knowledge_id = k.id and di.status = 'ready'),
         chunks_count = (select coalesce(sum(di.chunks_count), 0) from public.document_indexes di
                          where di.team_id = team and di.knowledge_id = k.id),
         status = case when k.status = 'ready' then 'stale' else k.status end
    from public.knowledge_sources ks
   where ks.source_id = source and k.id = ks.knowledge_id;
end
$$;
revoke all on function public.forget_indexes(uuid) from public, anon;
grant execute on function public.forget_indexes(uuid) to authenticated, service_role;

-- A source that is taken from a knowledge, or deleted, leaves nothing behind in it: the knowledge is brought up to date.
-- Security definer: whoever may change the link need not be able to write tasks.
create function private.forget_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not for a knowledge, or a team, that is being deleted itself.
  update public.knowledges k set status = 'queued'
   where k.id = old.knowledge_id and k.status not in ('indexing', 'stopping')
     and exists (select 1 from public.teams t where t.id = old.team_id);
  if exists (select 1 from public.knowledges k join public.teams t on t.id = k.team_id where k.id = old.knowledge_id) then
    perform private.enqueue_task(
      old.team_id, 'index', 'index:knowledge:' || old.knowledge_id, null, old.knowledge_id, null);
  end if;
  return null;
end
$$;
revoke all on function private.forget_link() from public;
create trigger forget_link after delete on public.knowledge_sources
  for each row execute function private.forget_link();

-- sql/52_syncs.sql
-- Syncs: sources that are read again by themselves, and how far the listing of a source has come.

-- How long a schedule waits; null for one that waits for nobody.
create function private.schedule_interval(schedule text) returns interval
language sql immutable set search_path = '' as $$
  select case schedule when 'hourly' then interval '1 hour' when 'daily' then interval '1 day'
                       when 'weekly' then interval '7 days' end
$$;
revoke all on function private.schedule_interval(text) from public;
grant execute on function private.schedule_interval(text) to authenticated, service_role;

-- A chosen schedule counts from now.
create function private.plan_sync() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.next_sync_at := clock_timestamp() + private.schedule_interval(new.schedule);
  return new;
end
$$;
revoke all on function private.plan_sync() from public;
create trigger plan_sync_first before insert on public.sources
  for each row execute function private.plan_sync();
create trigger plan_sync before update of schedule on public.sources
  for each row when (new.schedule is distinct from old.schedule) execute function private.plan_sync();

-- Asks for a source to be read from end to end and indexed, at a person's word. Security definer: clients may not write
-- tasks; the permission is checked here. Raises P0404 when the caller cannot see the source, 42501 when they may not change it.
create function public.sync_source(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not sync this source' using errcode = '42501';
  end if;
  update public.sources
     set sync_cursor = null, status = case when status in ('indexing', 'stopping') then status else 'queued' end
   where id = source;
  return private.enqueue_task(team, 'sync', 'sync:source:' || source, source, null, null);
end
$$;
revoke all on function public.sync_source(uuid) from public, anon;
grant execute on function public.sync_source(uuid) to authenticated, service_role;

-- Queues the syncs that are due; what is gone at the source is looked for once a day. Answers how many. For the service.
create function private.queue_due_syncs() returns int
language plpgsql volatile set search_path = '' as $$
declare
  due record;
  queued int := 0;
begin
  for due in
    select s.id, s.team_id, s.schedule from public.sources s
     where s.next_sync_at <= clock_timestamp()
     order by s.next_sync_at limit 50
       for update skip locked
  loop
    update public.sources s
       set next_sync_at = clock_timestamp() + private.schedule_interval(due.schedule),
           sync_cursor = case when s.listed_at > clock_timestamp() - interval '1 day' then s.sync_cursor end
     where s.id = due.id;
    perform private.enqueue_task(due.team_id, 'sync', 'sync:source:' || due.id, due.id, null, null);
    queued := queued + 1;
  end loop;
  return queued;
end
$$;
revoke all on function private.queue_due_syncs() from public;
grant execute on function private.queue_due_syncs() to service_role;

-- How far a task's listing of a source has come, so that another turn, or another worker, goes on from there.
create table private.listings (
  task_id uuid not null references public.tasks (id) on delete cascade,
  source_id uuid not null references public.sources (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  -- The cursor that the listing began with; null: everything is listed.
  since text,
  -- Where it goes on; null at the beginning.
  position text,
  is_uncertain boolean not null default false,
  listed int not null default 0,
  pages int not null default 0,
  -- Pages in a row that brought nothing.
  barren int not null default 0,
  finished_at timestamptz,
  primary key (task_id, source_id)
);
create index listings_source_idx on private.listings (source_id);
create index listings_team_idx on private.listings (team_id);
revoke all on private.listings from public, anon, authenticated;
grant select, insert, update, delete on private.listings to service_role;
alter table private.listings enable row level security;

-- What a listing of everything has met so far: documents that it does not name are gone at the end of it.
create table private.listed_items (
  task_id uuid not null,
  source_id uuid not null,
  external_id text not null,
  primary key (task_id, source_id, external_id),
  foreign key (task_id, source_id) references private.listings (task_id, source_id) on delete cascade
);
revoke all on private.listed_items from public, anon, authenticated;
grant select, insert, update, delete on private.listed_items to service_role;
alter table private.listed_items enable row level security;

-- sql/53_attempts.sql
-- Attempts: what each try at a task came to, when it began, how it ended and in which words. Written by the changes of the task
-- itself, so that no worker can forget to.

create table public.task_attempts (
  task_id uuid not null,
  number int not null check (number > 0),
  team_id uuid not null,
  -- 'lost': its worker went away, and another one took the task over.
  status text not null default 'running' check (status in ('running', 'waiting', 'stopped', 'succeeded', 'failed', 'lost')),
  done int not null default 0,
  total int not null default 0,
  message_code text not null default 'starting',
  message_params jsonb not null default '{}',
  error text,
  started_at timestamptz not null,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (task_id, number),
  foreign key (team_id, task_id) references public.tasks (team_id, id) on delete cascade
);
create index task_attempts_team_idx on public.task_attempts (team_id, task_id);
create trigger touch_task_attempts before update on public.task_attempts
  for each row execute function private.touch_updated_at();

revoke all on public.task_attempts from public, anon, authenticated;
grant select on public.task_attempts to authenticated;
grant select, insert, update, delete on public.task_attempts to service_role;
alter table public.task_attempts enable row level security;
create policy "members read the attempts at their team's tasks" on public.task_attempts for select to authenticated
  using (team_id = any ((select private.teams_with('tasks.read'))::uuid[]));

-- A task that is put down between two slices and taken up again is still in the same attempt.
create function private.note_attempt() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.attempts > old.attempts then
    update public.task_attempts a
       set status = 'lost', message_code = 'workerLost', finished_at = least(old.lease_until, clock_timestamp())
     where a.task_id = new.id and a.finished_at is null;
    insert into public.task_attempts (task_id, number, team_id, started_at)
    values (new.id, new.attempts, new.team_id, clock_timestamp());
  else
    update public.task_attempts a
       set status = new.status, done = new.done, total = new.total, message_code = new.message_code,
           message_params = new.message_params, error = new.error, finished_at = clock_timestamp()
     where a.task_id = new.id and a.finished_at is null;
  end if;
  return null;
end
$$;
revoke all on function private.note_attempt() from public;
create trigger note_attempt after update of status, attempts on public.tasks
  for each row
  when (new.attempts > old.attempts
        or new.status is distinct from old.status and new.status in ('waiting', 'stopped', 'succeeded', 'failed'))
  execute function private.note_attempt();

-- sql/60_chats.sql
-- Chats and their messages. A chat is somebody's: a user's, a visitor's or an API key's. Its person reads it, and so do those
-- in the team who may read everyone's. Replies are written by the service alone.

create table public.chats (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  agent_id uuid not null,
  user_id uuid references public.users (id) on delete set null,
  visitor_id uuid,
  api_key_id uuid references public.api_keys (id) on delete set null,
  channel text not null default 'web' check (channel in ('web', 'playground', 'api', 'widget', 'slack')),
  title text not null default '' check (char_length(title) <= 200),
  summary text check (char_length(summary) <= 10000),
  rating text check (rating in ('up', 'down')),
  comment text check (char_length(comment) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade
);
create index chats_agent_idx on public.chats (agent_id, id);
create index chats_team_agent_idx on public.chats (team_id, agent_id, id);
create index chats_team_created_idx on public.chats (team_id, created_at);
create index chats_user_idx on public.chats (user_id, id);
create index chats_visitor_idx on public.chats (visitor_id, id);
create index chats_api_key_idx on public.chats (api_key_id, id);
create trigger touch_chats before update on public.chats
  for each row execute function private.touch_updated_at();

create table public.messages (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  chat_id uuid not null,
  -- Whose chat it is, copied from the chat so that policies need no join.
  user_id uuid references public.users (id) on delete set null,
  visitor_id uuid,
  api_key_id uuid references public.api_keys (id) on delete set null,
  role text not null default 'user' check (role in ('user', 'assistant')),
  content text not null default '' check (char_length(content) <= 200000),
  status text not null default 'complete' check (status in ('streaming', 'complete', 'stopped', 'failed')),
  -- [{ index, documentId, chunkId, title, url, quote }]
  citations jsonb not null default '[]',
  -- True when no passage fitted the question.
  unanswered boolean not null default false,
  rating text check (rating in ('up', 'down')),
  comment text check (char_length(comment) <= 2000),
  -- { promptTokens, completionTokens, model }
  usage jsonb,
  -- Set by whoever wants a reply that is being written to stop.
  stop_requested boolean not null default false,
  -- Asked again in other words, or an answer to that: out of the conversation, still in the insights.
  superseded boolean not null default false,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, chat_id) references public.chats (team_id, id) on delete cascade
);
create index messages_chat_idx on public.messages (chat_id, id);
create index messages_team_chat_idx on public.messages (team_id, chat_id);
create index messages_team_created_idx on public.messages (team_id, created_at);
create index messages_unanswered_idx on public.messages (team_id, id) where unanswered;
create index messages_user_idx on public.messages (user_id);
create index messages_api_key_idx on public.messages (api_key_id);
-- One reply at a time in a chat: two would talk over each other.
create unique index messages_streaming_key on public.messages (chat_id) where status = 'streaming';
create index messages_streaming_idx on public.messages (updated_at) where status = 'streaming';
create trigger touch_messages before update on public.messages
  for each row execute function private.touch_updated_at();

-- Whether anyone may talk to an agent. Security definer: a logged-in outsider cannot see the agent's row.
create function private.is_public_agent(agent uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from public.agents a where a.id = agent and a.visibility = 'public')
$$;
revoke all on function private.is_public_agent(uuid) from public;
grant execute on function private.is_public_agent(uuid) to anon, authenticated, service_role;

-- Whether a chat is one with an agent that anyone may talk to. Security definer: as is_public_agent.
create function private.is_public_chat(chat uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.chats c join public.agents a on a.id = c.agent_id where c.id = chat and a.visibility = 'public')
$$;
revoke all on function private.is_public_chat(uuid) from public;
grant execute on function private.is_public_chat(uuid) to authenticated, service_role;

-- Whether a visitor may talk to an agent: it is public, or they speak through an app that is connected and bound to it.
-- Security definer: a visitor reads neither agents nor apps. (70_apps.sql, which the body needs, comes later.)
create function private.is_open_agent(agent uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_public_agent(agent)
      or exists (select 1 from public.apps p
                  where p.id = private.claim_id('app_id') and p.agent_id = agent and p.status = 'connected');
end
$$;
revoke all on function private.is_open_agent(uuid) from public;
grant execute on function private.is_open_agent(uuid) to anon, authenticated, service_role;

-- Fills in whose a new chat is, from the caller's claims, never from the row. Security definer: reads the agent's team.
create function private.own_chat() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_client() then
    return new;
  end if;
  new.team_id := (select a.team_id from public.agents a where a.id = new.agent_id);
  new.user_id := private.user_id();
  new.api_key_id := private.claim_id('api_key_id');
  new.visitor_id := case when new.user_id is null and new.api_key_id is null then private.claim_id('visitor_id') end;
  if new.team_id is null then
    raise exception 'no such agent' using errcode = 'P0404';
  end if;
  return new;
end
$$;
revoke all on function private.own_chat() from public;
create trigger own_chat before insert on public.chats for each row execute function private.own_chat();

-- The same for a message: it belongs to its chat's person, whoever writes. Security definer: reads the chat.
create function private.own_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select c.team_id, c.user_id, c.visitor_id, c.api_key_id
    into new.team_id, new.user_id, new.visitor_id, new.api_key_id
    from public.chats c where c.id = new.chat_id;
  if new.team_id is null then
    raise exception 'no such chat' using errcode = 'P0404';
  end if;
  return new;
end
$$;
revoke all on function private.own_message() from public;
create trigger own_message before insert on public.messages for each row execute function private.own_message();

-- Feedback is its person's own: those who read everyone's chats do not rate for others.
create function private.guard_feedback() returns trigger
language plpgsql set search_path = '' as $$
begin
  if (new.rating is distinct from old.rating or new.comment is distinct from old.comment)
     and private.is_client()
     and not coalesce(old.user_id = private.user_id()
                   or old.visitor_id = private.claim_id('visitor_id')
                   or old.api_key_id = private.claim_id('api_key_id'), false)
  then
    raise exception 'only the person of a chat rates it' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.guard_feedback() from public;
create trigger guard_chat_feedback before update of rating, comment on public.chats
  for each row execute function private.guard_feedback();
create trigger guard_message_feedback before update of rating, comment on public.messages
  for each row execute function private.guard_feedback();

revoke all on public.chats, public.messages from public, anon, authenticated;
grant select, insert, update, delete on public.chats, public.messages to service_role;

grant select on public.chats to anon, authenticated;
grant insert (agent_id, title, channel), update (title, summary, rating, comment) on public.chats to anon, authenticated;
alter table public.chats enable row level security;
-- "Their own" ends when they may no longer talk to the agent: a removed member keeps nothing of a private one.
create policy "people read their own chats" on public.chats for select to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)));
create policy "those who may read everyone's chats read their team's" on public.chats for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "visitors read their own chats" on public.chats for select to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id));
create policy "members chat with their team's agents, users with public ones" on public.chats
  for insert to authenticated
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
          and (team_id = any ((select private.teams_with('chats.write'))::uuid[])
            or (user_id is not null and private.is_public_agent(agent_id))));
create policy "visitors start chats with public agents" on public.chats for insert to anon
  with check (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id));
create policy "people change their own chats" on public.chats for update to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)))
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)));
create policy "those who may read everyone's chats title and sum them up" on public.chats for update to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]))
  with check (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "visitors change their own chats" on public.chats for update to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id))
  with check (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id));

grant select on public.messages to anon, authenticated;
grant insert (chat_id, content), update (rating, comment, stop_requested, superseded) on public.messages to anon, authenticated;
alter table public.messages enable row level security;
create policy "people read the messages of their own chats" on public.messages for select to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
create policy "those who may read everyone's chats read their team's messages" on public.messages for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "visitors read the messages of their own chats" on public.messages for select to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and exists (select 1 from public.chats c where c.id = chat_id));
create policy "people write in their chats while they may talk to the agent" on public.messages for insert to authenticated
  with check (role = 'user'
          and (user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
          and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
create policy "visitors write in their own chats while the agent is public" on public.messages for insert to anon
  with check (role = 'user' and visitor_id = (select private.claim_id('visitor_id'))
          and exists (select 1 from public.chats c where c.id = chat_id and private.is_open_agent(c.agent_id)));
create policy "people rate and stop the messages of their own chats" on public.messages for update to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)))
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.claim_id('api_key_id')))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
create policy "visitors rate and stop the messages of their own chats" on public.messages for update to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and exists (select 1 from public.chats c where c.id = chat_id))
  with check (visitor_id = (select private.claim_id('visitor_id')) and exists (select 1 from public.chats c where c.id = chat_id));

-- sql/61_insights.sql
-- Insights: what people asked of an agent, or of all of a team's, and how it went: counted per day, week or month, and over
-- the whole range.

-- One row per bucket of the range, empty ones included; days are UTC's. agent: null for all of the team's. grain: day, week,
-- month, or range for one row. visitors: people without an account who wrote. up and
-- down: ratings of replies and of chats. median_reply_ms: null where no reply was completed. Security definer: who may
-- read insights need not be able to read what was said. Raises P0404 when the caller cannot see the agent, 42501 when
-- they may not read its insights.
create function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text)
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  since timestamptz := first_day::timestamp at time zone 'UTC';
  until timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
begin
  if grain not in ('day', 'week', 'month', 'range') then
    raise exception 'unknown grain' using errcode = '23514';
  end if;
  if team <> all (private.teams_with('agents.read'))
     or (agent is not null and not exists (select 1 from public.agents a where a.id = agent and a.team_id = team))
  then
    raise exception 'no such agent' using errcode = 'P0404';
  end if;
  if team <> all (private.teams_with('insights.read')) then
    raise exception 'may not read insights' using errcode = '42501';
  end if;
  return query
  with buckets as (
    select first_day as bucket where grain = 'range'
    union all
    select b::date
      from generate_series(date_trunc(nullif(grain, 'range'), first_day::timestamp), last_day::timestamp,
                           ('1 ' || nullif(grain, 'range'))::interval) as b
  ), begun as (
    select coalesce(date_trunc(nullif(grain, 'range'), c.created_at at time zone 'UTC')::date, first_day) as bucket,
           count(*) as chats,
           count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down
      from public.chats c
     where c.team_id = team and c.created_at >= since and c.created_at < until and (agent is null or c.agent_id = agent)
     group by 1
  ), said as (
    select coalesce(date_trunc(nullif(grain, 'range'), m.created_at at time zone 'UTC')::date, first_day) as bucket,
           count(*) filter (where m.role = 'user') as messages,
           count(distinct m.visitor_id) as visitors,
           count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
           count(*) filter (where m.unanswered) as unanswered,
           percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
             filter (where m.role = 'assistant' and m.status = 'complete') as median_reply_ms
      from public.messages m
     where m.team_id = team and m.created_at >= since and m.created_at < until
       and (agent is null or exists (select 1 from public.chats c where c.id = m.chat_id and c.agent_id = agent))
     group by 1
  )
  select bu.bucket, coalesce(be.chats, 0), coalesce(sa.messages, 0), coalesce(sa.visitors, 0),
         coalesce(be.up, 0) + coalesce(sa.up, 0), coalesce(be.down, 0) + coalesce(sa.down, 0),
         coalesce(sa.unanswered, 0), sa.median_reply_ms
    from buckets bu
    left join begun be on be.bucket = bu.bucket
    left join said sa on sa.bucket = bu.bucket
   order by bu.bucket;
end
$$;
revoke all on function public.chat_insights(uuid, uuid, date, date, text) from public, anon;
grant execute on function public.chat_insights(uuid, uuid, date, date, text) to authenticated, service_role;

-- sql/62_reply_passages.sql
-- Why a reply is what it is: every passage that search proposed for it, with its ranks, and why it was kept or dropped.

-- Numbers and ids alone: titles and words are read from where they live, so that they are gone when a document is.
create table public.reply_passages (
  message_id uuid not null,
  team_id uuid not null,
  -- [{ chunkId, index, dropped, score, vectorRank, vectorScore, textRank, textScore }], best first
  candidates jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (message_id),
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete cascade
);
create index reply_passages_team_idx on public.reply_passages (team_id, message_id);
create trigger touch_reply_passages before update on public.reply_passages
  for each row execute function private.touch_updated_at();

revoke all on public.reply_passages from public, anon, authenticated;
grant select, insert, update, delete on public.reply_passages to service_role;
grant select on public.reply_passages to authenticated;
alter table public.reply_passages enable row level security;
create policy "members who may read knowledge see why a reply is what it is" on public.reply_passages
  for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
     and exists (select 1 from public.messages m where m.id = message_id));

-- sql/70_apps.sql
-- Apps: where people ask a team's agents outside of Parley. A Slack app binds one agent to one workspace. Tokens, the install
-- flow's states, the queue of events and the threads are the service's alone.

create table public.apps (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  type text not null default 'slack' check (type in ('slack')),
  agent_id uuid not null,
  -- pending: not installed yet; disconnected: the workspace has taken the app out or its token away.
  status text not null default 'pending' check (status in ('pending', 'connected', 'disconnected')),
  workspace_id text check (char_length(workspace_id) between 1 and 40),
  workspace_name text check (char_length(workspace_name) <= 200),
  -- Slack's ids of the channels in which it answers; empty: in every one that it has been invited to.
  channels text[] not null default '{}' check (cardinality(channels) <= 100 and pg_column_size(channels) <= 8192),
  -- Who may ask: full members of the workspace, its guests too, or also people of other workspaces in shared channels.
  audience text not null default 'members' check (audience in ('members', 'guests', 'everyone')),
  connected_at timestamptz,
  created_by uuid references public.users (id) on delete set null default private.user_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  check (status <> 'connected' or (workspace_id is not null and connected_at is not null))
);
create index apps_team_name_idx on public.apps (team_id, name collate private.natural_order, id);
create index apps_agent_idx on public.apps (team_id, agent_id);
create index apps_workspace_idx on public.apps (workspace_id) where workspace_id is not null;
-- One agent answers once in a workspace.
create unique index apps_connected_key on public.apps (workspace_id, agent_id) where status = 'connected';
create index apps_created_by_idx on public.apps (created_by);
create trigger touch_apps before update on public.apps
  for each row execute function private.touch_updated_at();

revoke all on public.apps from public, anon, authenticated;
grant select, delete on public.apps to authenticated;
grant insert (team_id, name, type, agent_id, channels, audience) on public.apps to authenticated;
grant update (name, agent_id, channels, audience) on public.apps to authenticated;
grant select, insert, update, delete on public.apps to service_role;
alter table public.apps enable row level security;
create policy "those who may read apps read their team's" on public.apps for select to authenticated
  using (team_id = any ((select private.teams_with('apps.read'))::uuid[]));
create policy "those who may write apps add them to their team" on public.apps for insert to authenticated
  with check (team_id = any ((select private.teams_with('apps.write'))::uuid[]));
create policy "those who may write apps change their team's" on public.apps for update to authenticated
  using (team_id = any ((select private.teams_with('apps.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('apps.write'))::uuid[]));
create policy "those who may write apps remove their team's" on public.apps for delete to authenticated
  using (team_id = any ((select private.teams_with('apps.write'))::uuid[]));

-- One per Slack workspace, whichever teams have apps there: Slack gives one bot and one pair of tokens. Sealed with
-- SECRETS_KEY by the edge functions.
create table private.slack_installations (
  workspace_id text primary key,
  bot_user_id text not null,
  tokens bytea not null,
  -- Null: the token does not expire.
  expires_at timestamptz,
  -- One process at a time swaps a refresh token, which works once.
  refreshing_until timestamptz,
  installed_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
create trigger touch_slack_installations before update on private.slack_installations
  for each row execute function private.touch_updated_at();

-- A workspace's tokens go with the last app that is connected there, in the same transaction, whatever takes it away: the app or
-- its team deleted, or another workspace. Where its agent alone is deleted they stay, or nobody could tell those who ask on that
-- there is no agent any more. The row is locked first, so that of two apps that go at once the second sees that it is the last.
-- Security definer: no client may touch tokens.
create function private.forget_tokens() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select 1 from public.teams t where t.id = old.team_id)
     and not exists (select 1 from public.agents a where a.id = old.agent_id) then
    return null;
  end if;
  perform 1 from private.slack_installations i where i.workspace_id = old.workspace_id for update;
  delete from private.slack_installations i
   where i.workspace_id = old.workspace_id
     and not exists (select 1 from public.apps p where p.workspace_id = old.workspace_id and p.status = 'connected');
  return null;
end
$$;
revoke all on function private.forget_tokens() from public;
create trigger forget_tokens after delete on public.apps
  for each row when (old.workspace_id is not null) execute function private.forget_tokens();
create trigger forget_tokens_of_another_workspace after update of workspace_id, status on public.apps
  for each row when (old.status = 'connected' and (new.status <> 'connected' or new.workspace_id <> old.workspace_id))
  execute function private.forget_tokens();

-- An install flow that has begun: who began it, for which app. Single use, minutes long; only the SHA-256 is kept.
create table private.slack_states (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  app_id uuid not null references public.apps (id) on delete cascade,
  -- As whom the flow began, judged again when it ends.
  claims jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index slack_states_app_idx on private.slack_states (app_id);
create index slack_states_expires_idx on private.slack_states (expires_at);

-- A Slack thread is a chat. Its messages are ours; Slack's history is never read for them.
create table private.slack_threads (
  workspace_id text not null,
  channel text not null,
  thread_ts text not null,
  team_id uuid not null references public.teams (id) on delete cascade,
  app_id uuid not null,
  chat_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, channel, thread_ts),
  foreign key (team_id, app_id) references public.apps (team_id, id) on delete cascade,
  foreign key (team_id, chat_id) references public.chats (team_id, id) on delete cascade
);
create index slack_threads_app_idx on private.slack_threads (team_id, app_id);
create index slack_threads_chat_idx on private.slack_threads (team_id, chat_id);

-- What Slack told us and what came of it: the queue, the memory of what was answered, and how far an answer has got.
create table private.slack_events (
  id uuid primary key default private.uuid_v7(),
  event_id text not null unique check (char_length(event_id) between 1 and 100),
  kind text not null check (kind in ('message', 'opened', 'stop', 'left')),
  workspace_id text not null,
  -- Of a message: where it stands. Messages of one thread are answered one after the other.
  channel text,
  ts text,
  thread_ts text,
  -- Emptied when the work is done.
  payload jsonb,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  attempts int not null default 0,
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  fence int not null default 0,
  question_id uuid,
  reply_id uuid,
  -- The ts of every Slack message that carries the reply, in order.
  posted text[] not null default '{}',
  -- True from just before a message is posted until its ts is kept: whoever takes over then looks for it first.
  posting boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- A message and the mention in it are two events, and one question.
create unique index slack_events_message_key on private.slack_events (workspace_id, channel, ts) where kind = 'message';
create index slack_events_waiting_idx on private.slack_events (run_after) where status in ('queued', 'running');
create index slack_events_thread_idx on private.slack_events (workspace_id, channel, thread_ts) where kind = 'message';
create index slack_events_created_idx on private.slack_events (created_at);
create index slack_events_question_idx on private.slack_events (question_id);
create trigger touch_slack_events before update on private.slack_events
  for each row execute function private.touch_updated_at();

revoke all on private.slack_installations, private.slack_states, private.slack_threads, private.slack_events
  from public, anon, authenticated;
grant select, insert, update, delete
  on private.slack_installations, private.slack_states, private.slack_threads, private.slack_events to service_role;
alter table private.slack_installations enable row level security;
alter table private.slack_states enable row level security;
alter table private.slack_threads enable row level security;
alter table private.slack_events enable row level security;

-- Takes the next event: one that waits or whose worker is silent, never a message while an earlier one of its thread is not
-- done. The fence tells its holder from every holder before.
create function private.claim_slack_event(lease_seconds int) returns setof private.slack_events
language sql volatile set search_path = '' as $$
  update private.slack_events e
     set status = 'running', attempts = e.attempts + 1, fence = e.fence + 1,
         lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
   where e.id = (
     select n.id from private.slack_events n
      where n.status in ('queued', 'running') and n.run_after <= clock_timestamp()
        and (n.lease_until is null or n.lease_until < clock_timestamp())
        and not (n.kind = 'message' and exists (
          select 1 from private.slack_events b
           where b.kind = 'message' and b.workspace_id = n.workspace_id and b.channel = n.channel
             and b.thread_ts = n.thread_ts and b.status in ('queued', 'running') and b.ts < n.ts))
      order by n.run_after, n.id limit 1 for update skip locked)
  returning e.*
$$;
revoke all on function private.claim_slack_event(int) from public;
grant execute on function private.claim_slack_event(int) to service_role;
