-- Whoever holds the mailbox gets the account: no password that a stranger chose for an address survives its confirmation.

-- The account of an address, for the platform's own questions before there is a session. Security definer: as end_session.
create function private.account_of(address text) returns table (id uuid, confirmed boolean, locale text)
language sql stable security definer set search_path = '' as $$
  select u.id, a.email_confirmed_at is not null, u.locale
    from public.users u join auth.users a on a.id = u.id
   where lower(u.email) = lower(address)
$$;
revoke all on function private.account_of(text) from public;
grant execute on function private.account_of(text) to service_role;

-- Unconfirmed accounts whose address was registered more than once: which of those people reads its mail is not known, so none of
-- the passwords counts, and the one who confirms the address chooses one by mail.
create table private.contested_accounts (
  user_id uuid primary key references auth.users (id) on delete cascade,
  contested_at timestamptz not null default clock_timestamp()
);
revoke all on private.contested_accounts from public, anon, authenticated;
grant select, insert, update, delete on private.contested_accounts to service_role;
alter table private.contested_accounts enable row level security;

-- Accounts whose mailbox has shown the code of a registration just now: that registration's password stays when the auth server
-- confirms the address.
create table private.proven_registrations (
  user_id uuid primary key references auth.users (id) on delete cascade,
  proven_at timestamptz not null default clock_timestamp()
);
revoke all on private.proven_registrations from public, anon, authenticated;
grant select, insert, update, delete on private.proven_registrations to service_role;
alter table private.proven_registrations enable row level security;

-- Notes that an address is registered once more: "unknown" where nobody did before, "confirmed" where it is somebody's, else
-- "contested". Security definer: as end_session.
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

-- Whether the account of an address waits for its mail and is contested. Security definer: as end_session.
-- Who may: the service. Checks: nothing more: the API asks before there is a session, and tells nobody.
create function private.is_contested(address text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from private.contested_accounts c join auth.users a on a.id = c.user_id
     where lower(a.email) = lower(address) and a.email_confirmed_at is null)
$$;
revoke all on function private.is_contested(text) from public;
grant execute on function private.is_contested(text) to service_role;

-- Notes that somebody who reads the mail of an address has the code of its registration, whose password then stays. Nothing is
-- noted for a contested account. Security definer: as end_session.
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

-- Whoever confirms an address proves the mailbox, not that they chose the password: without the code of the one registration, as
-- with a mail to choose a new one, no password stays. An account that is confirmed without any mail (confirmations are off)
-- keeps its own. Security definer: runs as the auth server's role, which has no rights on our tables.
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

-- Release 1.0.0 answered 409 to whoever registered an address again and noted nothing: any account that waits may be contested.
insert into private.contested_accounts (user_id)
select a.id from auth.users a where a.email_confirmed_at is null and a.confirmation_sent_at is not null;
