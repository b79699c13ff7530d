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
-- Who may: the service. Checks: nothing more: the API has authenticated whose session it is.
create function private.end_session(session uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where id = session
$$;
revoke all on function private.end_session(uuid) from public;
grant execute on function private.end_session(uuid) to service_role;

-- Ends every session of a user, as when they are banned. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API has authenticated whose sessions they are.
create function private.end_sessions_of(account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where user_id = account
$$;
revoke all on function private.end_sessions_of(uuid) from public;
grant execute on function private.end_sessions_of(uuid) to service_role;

-- Notes which browser or program a session belongs to, at its start and whenever it is renewed: the auth server only sees
-- the API. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API has just made or renewed that session.
create function private.note_session(session uuid, agent text) returns void
language sql volatile security definer set search_path = '' as $$
  update auth.sessions set user_agent = nullif(left(agent, 300), ''), updated_at = now() where id = session
$$;
revoke all on function private.note_session(uuid, text) from public;
grant execute on function private.note_session(uuid, text) to service_role;

-- The caller's own sessions, the calling one marked. Security definer: clients have no rights in auth.
-- Who may: users, of themselves. Checks: the user that the verified claims name.
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
-- Who may: users, of themselves. Checks: every session ended is the calling user's.
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
-- Who may: users themselves, platform admins at work anyone. Checks: the account is the caller's own, or is_admin.
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
-- Who may: everyone, of themselves. Checks: membership or key of whom the verified claims name, in that team.
create function private.role_id_in(team uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select tu.role_id from public.team_users tu
   where tu.team_id = team and tu.user_id = private.user_id() and tu.status = 'accepted'
  union all
  select k.role_id from private.calling_key k where k.team_id = team
   limit 1
$$;
revoke all on function private.role_id_in(uuid) from public;
grant execute on function private.role_id_in(uuid) to authenticated, service_role;

-- That role's codename. Security definer: a role of the team may lack roles.read.
-- Who may: everyone, of themselves. Checks: role_id_in.
create function private.role_in(team uuid) returns text
language sql stable security definer set search_path = '' as $$
  select r.codename from public.roles r where r.id = private.role_id_in(team)
$$;
revoke all on function private.role_in(uuid) from public;
grant execute on function private.role_in(uuid) to authenticated, service_role;

-- And its permissions, for clients that offer only what will not be refused: empty without a role, and of a key's those that
-- its maker holds. Security definer: as role_in.
-- Who may: everyone, of themselves. Checks: role_id_in, and what the makers of a key hold.
create function private.role_permissions_in(team uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select case when private.claims() ? 'api_key_id' then private.permissions_in(team)
              else coalesce((select r.permissions from public.roles r where r.id = private.role_id_in(team)), '{}') end
$$;
revoke all on function private.role_permissions_in(uuid) from public;
grant execute on function private.role_permissions_in(uuid) to authenticated, service_role;

-- The invitations that wait for the caller's confirmed address. Security definer: the invited see neither the team's roles nor
-- who invited.
-- Who may: users, of themselves. Checks: the user that the verified claims name.
create function private.my_invitations()
returns table (team_id uuid, status text, role_id uuid, role text, invited_by text)
language sql stable security definer set search_path = '' as $$
  select tu.team_id, tu.status, tu.role_id, r.codename, u.name
    from public.team_users tu
    join public.roles r on r.id = tu.role_id
    left join public.users u on u.id = tu.invited_by
   where tu.user_id is null and tu.email = (select private.confirmed_email()) and tu.status = 'pending'
$$;
revoke all on function private.my_invitations() from public;
grant execute on function private.my_invitations() to authenticated, service_role;

-- Whether the calling API key is still there, and its maker too; notes that it is used, once a minute at most and never waiting
-- for another call that does. Asked in every transaction of a key, so that one that is revoked or whose maker leaves ends at
-- once. Security definer: a key may not read the keys.
-- Who may: API keys, of themselves. Checks: the key that the verified claims name, and its makers.
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

-- The account of an address, for the platform's own questions before there is a session. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API asks before there is a session, and tells nobody.
create function private.account_of(address text) returns table (id uuid, confirmed boolean, locale text)
language sql stable security definer set search_path = '' as $$
  select u.id, a.email_confirmed_at is not null, u.locale
    from public.users u join auth.users a on a.id = u.id
   where lower(u.email) = lower(address)
$$;
revoke all on function private.account_of(text) from public;
grant execute on function private.account_of(text) to service_role;

-- Registrations of an address that a later one has replaced before any was confirmed, for as long as the codes of their mails
-- hold. The newest stands in auth.users. token and password are the auth server's hashes.
create table private.registrations (
  id uuid primary key default private.uuid_v7(),
  email text not null check (email = lower(email)),
  token text not null,
  password text,
  metadata jsonb,
  created_at timestamptz not null default now()
);
create index registrations_email_idx on private.registrations (email);
create index registrations_created_idx on private.registrations (created_at);
revoke all on private.registrations from public, anon, authenticated;
grant select, insert, update, delete on private.registrations to service_role;
alter table private.registrations enable row level security;

-- Accounts whose mailbox has shown the code of a registration just now: that registration's password stays when the auth server
-- confirms the address.
create table private.proven_registrations (
  user_id uuid primary key references auth.users (id) on delete cascade,
  proven_at timestamptz not null default clock_timestamp()
);
revoke all on private.proven_registrations from public, anon, authenticated;
grant select, insert, update, delete on private.proven_registrations to service_role;
alter table private.proven_registrations enable row level security;

-- Makes room for another registration of an address: "free" where there was none, "waiting" where one waits for its mail and is
-- set aside, "taken" where the address is confirmed, or the account is a platform admin's or banned. Security definer: as
-- end_session.
-- Who may: the service. Checks: the address is not confirmed, and no admin's or banned account's.
create function private.set_aside_registration(address text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  delete from private.registrations where created_at < now() - interval '1 day';
  select a.* into account from auth.users a where lower(a.email) = lower(address) for update;
  if not found then
    return case when exists (select 1 from private.registrations r where r.email = lower(address))
                then 'waiting' else 'free' end;
  end if;
  if account.email_confirmed_at is not null
     or exists (select 1 from public.users u where u.id = account.id and (u.is_admin or u.banned_at is not null)) then
    return 'taken';
  end if;
  insert into private.registrations (email, token, password, metadata)
  select lower(address), account.confirmation_token, account.encrypted_password, account.raw_user_meta_data
   where account.confirmation_token <> '';
  delete from auth.users where id = account.id;
  return 'waiting';
end
$$;
revoke all on function private.set_aside_registration(text) from public;
grant execute on function private.set_aside_registration(text) to service_role;

-- Notes that somebody who reads the mail of an address has the code of one of its registrations, which then is the one that the
-- account is of: its password, its name. Returns the code that the auth server takes for it; one that fits none comes back as it
-- is. Security definer: as end_session.
-- Who may: the service. Checks: the code is one of that address's own, in its day.
create function private.prove_registration(address text, code text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
  shown private.registrations;
  given jsonb;
  typed constant bytea := convert_to(lower(address) || code, 'UTF8');
  -- What a link carries, or what lite and GoTrue make of the digits.
  tokens constant text[] := array[code, encode(sha256(typed), 'hex'), encode(sha224(typed), 'hex')];
begin
  select a.* into account from auth.users a
   where lower(a.email) = lower(address) and a.email_confirmed_at is null for update;
  if not found then
    return code;
  end if;
  if account.confirmation_token is null or account.confirmation_token <> all (tokens) then
    select r.* into shown from private.registrations r
     where r.email = lower(address) and r.token = any (tokens) and r.created_at > now() - interval '1 day'
     order by r.id desc limit 1;
    if not found or coalesce(account.confirmation_token, '') = '' then
      return code;
    end if;
    given := private.sign_up_metadata(shown.metadata::text);
    update auth.users set encrypted_password = shown.password, raw_user_meta_data = shown.metadata where id = account.id;
    update public.users u
       set name = left(coalesce(nullif(btrim(given ->> 'name'), ''), u.name), 200),
           locale = case when given ->> 'locale' = 'fr' then 'fr' else 'en' end
     where u.id = account.id;
    code := account.confirmation_token;
  end if;
  insert into private.proven_registrations (user_id) values (account.id)
  on conflict (user_id) do update set proven_at = excluded.proven_at;
  return code;
end
$$;
revoke all on function private.prove_registration(text, text) from public;
grant execute on function private.prove_registration(text, text) to service_role;

-- Whoever confirms an address proves the mailbox, not that they chose the password: without the code of a registration, as with
-- a mail to choose a new one, no password stays. What was set aside ends. An account that is confirmed without any mail
-- (confirmations are off) keeps its own. Security definer: runs as the auth server's role, which has no rights on our tables.
-- Who may: the auth server, by a trigger. Checks: the account that it confirms.
create function private.keep_proven_password() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(old.confirmation_sent_at, old.recovery_sent_at) is not null and not exists (
    select 1 from private.proven_registrations p
     where p.user_id = new.id and p.proven_at > clock_timestamp() - interval '1 minute')
  then
    new.encrypted_password := null;
  end if;
  delete from private.proven_registrations where user_id = new.id;
  delete from private.registrations where email = lower(new.email);
  return new;
end
$$;
revoke all on function private.keep_proven_password() from public;
create trigger keep_proven_password before update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
  execute function private.keep_proven_password();

-- Where people have logged in from, as digests: guesses from elsewhere do not slow them down there.
create table private.login_origins (
  user_id uuid not null references public.users (id) on delete cascade,
  origin text not null check (char_length(origin) <= 100),
  seen_at timestamptz not null default now(),
  primary key (user_id, origin)
);
revoke all on private.login_origins from public, anon, authenticated;
grant select, insert, update, delete on private.login_origins to service_role;
alter table private.login_origins enable row level security;

-- Sets an account's flags, name and language; what is null stays as it is. Banning ends the account's sessions. True when there
-- is such an account. Security definer: no client may write flags.
-- Who may: platform admins at work. Checks: is_admin.
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
