-- Invariants among a team's members, whoever writes: an invitee can only accept or reject, invitations are limited, a team keeps an owner.
-- Also creates teams.

-- An invitee may only accept or reject, with the confirmed address that was invited; the row then names their account. Roles are changed by
-- those who may invite. An accepted member cannot set their own status back to pending. Security definer: compares with the caller's
-- permissions.
-- Who may: callers the policies let write, by a trigger. Checks: who answers, and that both roles are the writer's to grant.
create function private.guard_team_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  may_write boolean := new.team_id = any (private.teams_with('users.write'));
begin
  if new.status <> 'accepted' then
    new.user_id := null;
  end if;
  if not private.is_client() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.invited_by := caller;
    return new;
  end if;
  if new.status is distinct from old.status then
    if new.status in ('accepted', 'rejected') then
      if old.status <> 'pending' or old.email is distinct from private.confirmed_email() then
        raise exception 'only the invited answers an invitation' using errcode = '42501';
      end if;
      new.user_id := case new.status when 'accepted' then caller end;
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

-- A team keeps at least one owner. Locks the team's row first: otherwise two concurrent demotions would each still see the other owner.
-- Security definer: counts members that the caller may not see.
-- Who may: callers the policies let write, by a trigger. Checks: that the team, which it locks, has an owner left.
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
    raise exception 'a team keeps at least one owner' using errcode = 'PT409', hint = 'lastOwner';
  end if;
  return null;
end
$$;
revoke all on function private.keep_an_owner() from public;
create trigger keep_an_owner after update or delete on public.team_users
  for each row execute function private.keep_an_owner();

-- Limits invitations, each of which is a mail: per address, per person and per team. Counts new and resent ones, from PostgREST and /v1
-- alike. Security definer: counts for addresses and teams beyond the caller's.
-- Who may: callers the policies let write, by a trigger. Checks: hits of the row's address and team and of whom the claims name.
create function private.count_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  inviter uuid := coalesce(private.user_id(), (select k.created_by from public.api_keys k where k.id = private.api_key_id()));
  wait int;
begin
  if not private.is_client() then
    return new;
  end if;
  wait := greatest(
    private.take_hit('invitation:to:' || encode(sha256(convert_to(new.email, 'UTF8')), 'hex'), 5, 3600),
    private.take_hit('invitation:by:' || coalesce(inviter::text, 'unknown'), 100, 3600),
    private.take_hit('invitation:team:' || new.team_id, 200, 3600));
  if wait > 0 then
    raise exception 'too many invitations were sent' using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  return new;
end
$$;
revoke all on function private.count_invitation() from public;
-- Runs after guard_team_user: triggers run in order of name. Whoever may not invite is left to the policies, and not told what the team did.
create trigger invitation_is_counted before insert or update of status on public.team_users
  for each row when (new.status = 'pending' and (not private.is_client() or new.team_id = any (private.teams_with('users.write'))))
  execute function private.count_invitation();

-- A team's own role is used in that team only, whoever writes. Security definer: reads roles that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: the role is that team's or a system role; any other counts as missing.
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
-- Others than those who write there are left to the policies, and not told which roles the team has.
create trigger check_team_user_role before insert or update of role_id, team_id on public.team_users
  for each row when (not private.is_client() or new.team_id = any (private.teams_with('users.write')))
  execute function private.check_role_team();
create trigger check_api_key_role before insert or update of role_id, team_id on public.api_keys
  for each row when (not private.is_client() or new.team_id = any (private.teams_with('apiKeys.write')))
  execute function private.check_role_team();

-- Records an API key's makers: the person who creates it, or the makers of the key that creates it. Never taken from the client. Security
-- definer: a key may not read the keys.
-- Who may: callers the policies let write, by a trigger. Checks: the makers come from the verified claims, never from the row.
create function private.note_key_makers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() then
    new.created_by := private.user_id();
    new.makers := array_remove(array[new.created_by], null);
    new.made_at_work := private.is_admin();
    if new.created_by is null then
      select k.created_by, k.makers, k.made_at_work into new.created_by, new.makers, new.made_at_work
        from public.api_keys k where k.id = private.api_key_id();
    end if;
    new.makers := coalesce(new.makers, '{}');
    new.made_at_work := coalesce(new.made_at_work, false);
  elsif new.makers = '{}' then
    new.makers := array_remove(array[new.created_by], null);
  end if;
  if new.makers = '{}' and current_setting('role', true) in ('authenticated', 'service_role') then
    raise exception 'an API key is created by a person' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.note_key_makers() from public;
create trigger note_key_makers before insert on public.api_keys
  for each row execute function private.note_key_makers();

-- An API key's creator and whether it works, for readers of the team's keys: {"createdBy": {id, name, email} or null, "active"}. Security
-- definer: a creator who left the team is hidden by the policies but is still named here.
-- Who may: those who read the team's keys. Checks: apiKeys.read in the key's own team.
create function private.key_state(key uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
           'createdBy', (select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
                           from public.users u where u.id = k.created_by),
           'active', cardinality(k.makers) > 0
                     and cardinality(k.makers) = (select count(*) from private.key_makers m where m.id = k.id))
    from public.api_keys k
   where k.id = key and k.team_id = any ((select private.teams_with('apiKeys.read'))::uuid[])
$$;
revoke all on function private.key_state(uuid) from public;
grant execute on function private.key_state(uuid) to authenticated, service_role;

-- A role has known permissions only, and a team's own role cannot use the codename of a system role: clients show and compare codenames.
-- Security definer: reads rows that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: known permissions and no system codename.
create function private.check_role() returns trigger
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
revoke all on function private.check_role() from public;
create trigger check_role before insert or update of permissions, codename on public.roles
  for each row execute function private.check_role();

-- Builds a slug from a name: "Équipe Démo" becomes "equipe-demo". Empty when no character is usable.
create function private.slug(name text) returns text
language sql immutable set search_path = '' as $$
  select btrim(left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, NFD)), U&'[\0300-\036F]', '', 'g'),
    '[^a-z0-9]+', '-', 'g'), '-'), 50), '-')
$$;
revoke all on function private.slug(text) from public;

-- Creates a team with the caller as its owner, at most 30 per person and hour, from PostgREST and /v1 alike. Security definer: nobody may
-- insert a team or a first member directly. Raises 42501 for callers who aren't users, 23505 when a given codename is taken, PT429.
-- Who may: users, for themselves. Checks: the caller is a user; the first member is the caller and nobody else.
create function public.create_team(name text, codename text default null) returns public.teams
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  made_up constant text := coalesce(nullif(private.slug(left(name, 200)), ''), 'team');
  wanted text := coalesce(nullif(codename, ''), made_up);
  team public.teams;
  per_day constant int := (select l.teams_per_day from private.operator_limits l);
  wait int;
begin
  if caller is null then
    raise exception 'only a user makes a team' using errcode = '42501';
  end if;
  wait := greatest(private.take_hit('team:by:' || caller, 30, 3600),
                   case when per_day is not null then private.take_hit('team:day:' || caller, per_day, 86400) else 0 end);
  if wait > 0 then
    raise exception 'too many teams were created' using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
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

-- The ids of the caller and of fellow members; for acting platform admins, of everyone. Returns ids even then, so that one policy with an
-- index scan serves all. Security definer: the policy on users cannot read through those on team_users.
-- Who may: everyone, for themselves. Checks: users.read in the teams of the caller that the verified claims name.
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
