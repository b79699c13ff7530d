-- Accounts beyond their rows: single-use refresh tokens, the end of sessions and of accounts, and the caller's role in a team.

-- One row per used refresh token. The first request rotates it, and concurrent or repeated ones get the same answer. Any other presents a stolen
-- or stale token, and ends the session. The answer is sealed with SECRETS_KEY and deleted after a minute.
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
-- Who may: the service. Checks: nothing more: the API has authenticated whose session it is.
create function private.end_session(session uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where id = session
$$;
revoke all on function private.end_session(uuid) from public;
grant execute on function private.end_session(uuid) to service_role;

-- Ends every session of a user, for example on a ban, or all but some. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API has authenticated whose sessions they are.
create function private.end_sessions_of(account uuid, spared uuid[] default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where user_id = account and id <> all (spared)
$$;
revoke all on function private.end_sessions_of(uuid, uuid[]) from public;
grant execute on function private.end_sessions_of(uuid, uuid[]) to service_role;

-- Records the browser or program of a session when it starts and when it is renewed: the auth server only sees the API. Security definer:
-- as end_session.
-- Who may: the service. Checks: nothing more: the API has just made or renewed that session.
create function private.note_session(session uuid, agent text) returns void
language sql volatile security definer set search_path = '' as $$
  update auth.sessions set user_agent = nullif(left(agent, 300), ''), updated_at = now() where id = session
$$;
revoke all on function private.note_session(uuid, text) from public;
grant execute on function private.note_session(uuid, text) to service_role;

-- The caller's sessions, with the current one marked. Security definer: clients have no rights in auth.
-- Who may: users, for themselves. Checks: the user that the verified claims name.
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

-- Ends one of the caller's sessions, all of them, or all but the current one. Returns the number ended. Security definer: as my_sessions.
-- Who may: users, for themselves. Checks: every session ended is the calling user's.
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

-- Deletes an account with its memberships. True when it existed. Users delete themselves, platform admins anyone. Security definer: the
-- API's logins have no rights in auth. keep_an_owner refuses when a team would lose its last owner.
-- Who may: users themselves, acting platform admins anyone. Checks: the account is the caller's own, or is_admin.
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

-- The caller's role in a team, by membership or by API key; null for everyone else. Security definer: an API key may not read the keys.
-- Who may: everyone, for themselves. Checks: membership or key of the caller that the verified claims name, in that team.
create function private.role_id_in(team uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select tu.role_id from public.team_users tu
     where tu.team_id = team and tu.user_id = private.user_id() and tu.status = 'accepted'
    union all
    select k.role_id from private.calling_key k where k.team_id = team
     limit 1);
end
$$;
revoke all on function private.role_id_in(uuid) from public;
grant execute on function private.role_id_in(uuid) to authenticated, service_role;

-- The codename of the caller's role. Security definer: the role may lack roles.read.
-- Who may: everyone, for themselves. Checks: role_id_in.
create function private.role_in(team uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select r.codename from public.roles r where r.id = private.role_id_in(team));
end
$$;
revoke all on function private.role_in(uuid) from public;
grant execute on function private.role_in(uuid) to authenticated, service_role;

-- The permissions of the caller's role, for clients that hide what would be refused. Empty without a role; for an API key, those that its
-- makers have. Security definer: as role_in.
-- Who may: everyone, for themselves. Checks: role_id_in, and what the makers of a key hold.
create function private.role_permissions_in(team uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.claims() ? 'api_key_id' then private.permissions_in(team)
              else coalesce((select r.permissions from public.roles r where r.id = private.role_id_in(team)), '{}') end;
end
$$;
revoke all on function private.role_permissions_in(uuid) from public;
grant execute on function private.role_permissions_in(uuid) to authenticated, service_role;

-- Pending invitations to the caller's confirmed address. Security definer: an invitee sees neither the team's roles nor who invited.
-- Who may: users, for themselves. Checks: the user that the verified claims name.
create function private.my_invitations()
returns table (team_id uuid, status text, role_id uuid, role text, invited_by text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select tu.team_id, tu.status, tu.role_id, r.codename, u.name
      from public.team_users tu
      join public.roles r on r.id = tu.role_id
      left join public.users u on u.id = tu.invited_by
     where tu.user_id is null and tu.email = (select private.confirmed_email()) and tu.status = 'pending';
end
$$;
revoke all on function private.my_invitations() from public;
grant execute on function private.my_invitations() to authenticated, service_role;

-- True while the calling API key and its makers are valid. Records the time of use, at most once a minute and without waiting for a
-- concurrent call. Called in every transaction of a key, so that revoking it or losing a maker takes effect at once. Security definer: a
-- key may not read the keys.
-- Who may: API keys, for themselves. Checks: the key that the verified claims name, and its makers.
create function private.use_api_key() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  calling constant uuid := private.api_key_id();
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

-- Whether the caller's session is open, and the team that the call names, where the caller is a member with team.read and the given
-- permission. One query for both, because every call of a team needs them. Security definer: reads memberships and sessions.
-- Who may: everyone, for themselves. Checks: session, ban, role and membership of the caller that the verified claims name.
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
         and tu.team_id = coalesce(
               team_id, (select t.id from public.teams t where t.codename = team_codename),
               (select t.id from public.teams t where t.former_codenames @> array[team_codename]))
         and r.permissions @> array['team.read', permission]) member on true;
end
$$;
revoke all on function private.calling_member(uuid, text, text) from public;
grant execute on function private.calling_member(uuid, text, text) to authenticated, service_role;

-- Starts an API call once its role and claims are set. Refuses an ended session or a revoked key, and looks up the named team, in which the
-- caller needs the permission. Returns the team's id, and sets request.team until the transaction ends, for statements sent before the
-- answer arrives. It grants no row: policies do.
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
revoke all on function private.begin_call(uuid, text, text) from public;
grant execute on function private.begin_call(uuid, text, text) to authenticated, service_role;

-- The account of an address, for calls before a session exists. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API asks before there is a session, and reveals nothing.
create function private.account_of(address text) returns table (id uuid, confirmed boolean, locale text)
language sql stable security definer set search_path = '' as $$
  select u.id, a.email_confirmed_at is not null, u.locale
    from public.users u join auth.users a on a.id = u.id
   where lower(u.email) = lower(address)
$$;
revoke all on function private.account_of(text) from public;
grant execute on function private.account_of(text) to service_role;

-- Unconfirmed accounts whose address was registered more than once. It is unknown which registrant owns the mailbox, so every password set
-- for the account is invalid: the person who confirms the address sets a new one by mail.
create table private.contested_accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  contested_at timestamptz not null default clock_timestamp()
);
revoke all on private.contested_accounts from public, anon, authenticated;
grant select, insert, update, delete on private.contested_accounts to service_role;
alter table private.contested_accounts enable row level security;

-- Accounts whose registrant has just entered the mailed code: the password of that registration remains valid when the auth server confirms
-- the address.
create table private.proven_registrations (
  user_id uuid primary key references auth.users (id) on delete cascade,
  proven_at timestamptz not null default clock_timestamp()
);
revoke all on private.proven_registrations from public, anon, authenticated;
grant select, insert, update, delete on private.proven_registrations to service_role;
alter table private.proven_registrations enable row level security;

-- Records another registration of an address. Returns "unknown" for a first one, "confirmed" for an address in use, else "contested".
-- Security definer: as end_session.
-- Who may: the service. Checks: the address is not confirmed.
create function private.contest_registration(address text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  select a.* into account from auth.users a where lower(a.email) = lower(address) for update;
  if not found then
    return 'unknown';
  end if;
  if account.email_confirmed_at is not null then
    return 'confirmed';
  end if;
  insert into private.contested_accounts (user_id) values (account.id) on conflict do nothing;
  return 'contested';
end
$$;
revoke all on function private.contest_registration(text) from public;
grant execute on function private.contest_registration(text) to service_role;

-- True when an address is unconfirmed and was registered more than once. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API asks before there is a session, and reveals nothing.
create function private.is_contested(address text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from private.contested_accounts c join auth.users a on a.id = c.user_id
     where lower(a.email) = lower(address) and a.email_confirmed_at is null)
$$;
revoke all on function private.is_contested(text) from public;
grant execute on function private.is_contested(text) to service_role;

-- Records that the owner of the mailbox entered the code of the registration, whose password then remains valid. Does nothing for a
-- contested account. Security definer: as end_session.
-- Who may: the service. Checks: the code is that address's own.
create function private.prove_registration(address text, code text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  typed constant bytea := convert_to(lower(address) || code, 'UTF8');
  -- What a link carries, or what lite and GoTrue make of the digits.
  tokens constant text[] := array[code, encode(sha256(typed), 'hex'), encode(sha224(typed), 'hex')];
begin
  insert into private.proven_registrations (user_id)
  select a.id from auth.users a
   where lower(a.email) = lower(address) and a.email_confirmed_at is null and a.confirmation_token = any (tokens)
     and not exists (select 1 from private.contested_accounts c where c.user_id = a.id)
  on conflict (user_id) do update set proven_at = excluded.proven_at;
end
$$;
revoke all on function private.prove_registration(text, text) from public;
grant execute on function private.prove_registration(text, text) to service_role;

-- True when a link's code is that of another address's account: redeeming it would use it up, confirm that account and clear its password.
-- The conditions beside each comparison are those of the indexes that lite and GoTrue have. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API asks before there is a session, and reveals nothing.
create function private.is_code_of_another(address text, code text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from auth.users a
     where a.confirmation_token = code and length(a.confirmation_token::text) > 6 and a.confirmation_token !~ '^[0-9 ]*$'
       and lower(a.email) <> lower(address))
    or exists (
    select 1 from auth.users a
     where a.recovery_token = code and length(a.recovery_token::text) > 6 and a.recovery_token !~ '^[0-9 ]*$'
       and lower(a.email) <> lower(address))
$$;
revoke all on function private.is_code_of_another(text, text) from public;
grant execute on function private.is_code_of_another(text, text) to service_role;

-- Confirming an address proves the mailbox, not who set the password. The password remains valid only when the code of the single
-- registration was entered; a confirmation by a password-reset mail clears it too. An account confirmed without mail (confirmations are
-- off) keeps its password. Security definer: runs as the auth server's role, which has no rights on our tables.
-- Who may: the auth server, by a trigger. Checks: the account that it confirms.
create function private.keep_proven_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(old.confirmation_sent_at, old.recovery_sent_at) is not null and not exists (
    select 1 from private.proven_registrations p
     where p.user_id = new.id and p.proven_at > clock_timestamp() - interval '1 minute'
       and not exists (select 1 from private.contested_accounts c where c.user_id = p.user_id))
  then
    new.encrypted_password := null;
  end if;
  delete from private.proven_registrations where user_id = new.id;
  delete from private.contested_accounts where user_id = new.id;
  return new;
end
$$;
revoke all on function private.keep_proven_password() from public;
create trigger keep_proven_password before update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
  execute function private.keep_proven_password();

-- Origins of past logins, as digests. Failed attempts from elsewhere do not slow down a login from one of them.
create table private.login_origins (
  user_id uuid not null references public.users (id) on delete cascade,
  origin text not null check (char_length(origin) <= 100),
  seen_at timestamptz not null default now(),
  primary key (user_id, origin)
);
revoke all on private.login_origins from public, anon, authenticated;
grant select, insert, update, delete on private.login_origins to service_role;
alter table private.login_origins enable row level security;

-- Sets an account's flags, name and locale; null leaves a field unchanged. A ban ends the account's sessions. True when the account exists.
-- Security definer: no client may write flags.
-- Who may: acting platform admins. Checks: is_admin.
create function private.administer_account(
  account uuid, set_admin boolean, set_banned boolean, new_name text, new_locale text
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_there boolean;
begin
  if not private.is_admin() then
    raise exception 'only a platform admin at work administers accounts' using errcode = '42501';
  end if;
  update public.users u
     set is_admin = coalesce(set_admin, u.is_admin),
         banned_at = case set_banned when true then coalesce(u.banned_at, now()) when false then null else u.banned_at end,
         name = coalesce(new_name, u.name), locale = coalesce(new_locale, u.locale)
   where u.id = account;
  is_there := found;
  if set_banned then
    perform private.end_sessions_of(account);
  end if;
  return is_there;
end
$$;
revoke all on function private.administer_account(uuid, boolean, boolean, text, text) from public;
grant execute on function private.administer_account(uuid, boolean, boolean, text, text) to authenticated;
