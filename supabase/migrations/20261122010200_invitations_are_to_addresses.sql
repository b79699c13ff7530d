-- An invitation is to an address, and opens with that address once its mailbox has confirmed it. Nobody learns from it whether
-- there is an account, nor what the platform thinks of a teammate's.

revoke select on public.users from authenticated;
grant select (id, name, email, locale, created_at, updated_at) on public.users to authenticated;

-- The caller's e-mail, once the mailbox has confirmed it; null before. What an address is invited to, opens with it. Security
-- definer: clients have no rights in auth.
create function private.confirmed_email() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select lower(a.email) from private.caller c join auth.users a on a.id = c.id where a.email_confirmed_at is not null);
end
$$;
revoke all on function private.confirmed_email() from public;
grant execute on function private.confirmed_email() to authenticated, service_role;

-- {"isAdmin", "banned"} of an account, for platform admins at work; {"isAdmin"} of one's own; {} for everyone else. Security
-- definer: no client reads those columns.
create function private.flags_of(account uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case when c.is_admin_at_work
                then jsonb_build_object('isAdmin', u.is_admin, 'banned', u.banned_at is not null)
                else jsonb_build_object('isAdmin', u.is_admin) end
      from private.caller c join public.users u on u.id = account
     where c.is_admin_at_work or c.id = account), '{}')
$$;
revoke all on function private.flags_of(uuid) from public;
grant execute on function private.flags_of(uuid) to authenticated, service_role;

drop trigger claim_invitations on public.users;
drop function private.claim_invitations();
-- An invited person may only answer (accept or reject), with the confirmed address that is invited; the row names their account
-- from then on. A role is changed by those who may invite. An accepted member does not go back to pending by their own hand.
-- Security definer: compares with the caller's permissions.
create or replace function private.guard_team_user() returns trigger
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

-- Until today a row named the account before it had accepted.
alter table public.team_users disable trigger user;
update public.team_users set user_id = null where status <> 'accepted' and user_id is not null;
alter table public.team_users enable trigger user;
alter table public.team_users add check (user_id is null or status = 'accepted');

-- The teams that have invited the caller's confirmed address. Security definer: an invited user cannot read the team's members.
create or replace function private.teams_inviting() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  invited constant text := private.confirmed_email();
begin
  return array(
    select tu.team_id from public.team_users tu
     where tu.user_id is null and tu.email = invited and tu.status = 'pending');
end
$$;
-- The invitations that wait for the caller's confirmed address. Security definer: the invited see neither the team's roles nor
-- who invited.
create or replace function private.my_invitations()
returns table (team_id uuid, status text, role_id uuid, role text, invited_by text)
language sql stable security definer set search_path = '' as $$
  select tu.team_id, tu.status, tu.role_id, r.codename, u.name
    from public.team_users tu
    join public.roles r on r.id = tu.role_id
    left join public.users u on u.id = tu.invited_by
   where tu.user_id is null and tu.email = (select private.confirmed_email()) and tu.status = 'pending'
$$;

alter policy "members read the team's members, the invited their invitation" on public.team_users
  using (team_id = any ((select private.teams_with('users.read'))::uuid[])
      or user_id = (select private.user_id())
      or (user_id is null and email = (select private.confirmed_email())));
alter policy "the invited answer their own invitation" on public.team_users
  using (user_id = (select private.user_id()) or (user_id is null and email = (select private.confirmed_email())))
  with check (user_id = (select private.user_id()) or (user_id is null and email = (select private.confirmed_email())));
alter policy "members leave a team by themselves" on public.team_users
  using (user_id = (select private.user_id()) or (user_id is null and email = (select private.confirmed_email())));

-- An invitation is a mail: an address gets few, whoever invites, and a person and a team send a bounded number. Counts new ones
-- and those sent again, whichever way they come in. Security definer: counts for addresses and teams beyond the caller's.
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
-- After guard_team_user, by name.
create trigger invitation_is_counted before insert or update of status on public.team_users
  for each row when (new.status = 'pending') execute function private.count_invitation();
