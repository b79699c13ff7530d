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
