-- Users: the public face of auth.users. Triggers on auth.users create and delete the rows; clients never do.

create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  email text not null,
  locale text not null default 'en' check (private.is_language(locale)),
  is_admin boolean not null default false,
  banned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on public.users (lower(email));
create trigger touch_users before update on public.users
  for each row execute function private.touch_updated_at();

revoke all on public.users from public, anon, authenticated;
-- is_admin and banned_at are not granted to anyone. private.flags_of returns them to those who may know.
grant select (id, name, email, locale, created_at, updated_at) on public.users to authenticated;
grant update (name, locale) on public.users to authenticated;
grant select, insert, update, delete on public.users to service_role;
alter table public.users enable row level security;

-- The caller's verified token: the user it names, and whether its session is still open. A token outlives its session by up to an hour. A
-- token without a session id is not checked for one. This view and the next are inlined into the functions below, because every statement
-- calls them and a nested call costs more than the rows it reads. No role may read them.
create view private.token with (security_invoker = true) as
  select t.subject, t.is_at_work, t.session is null or exists (select 1 from auth.sessions s where s.id = t.session) as goes_on
    from (select private.claim_id('sub') as subject, private.claim_id('session_id') as session,
                 private.claims() ->> 'admin' = 'true' as is_at_work offset 0) as t;
revoke all on private.token from public, anon, authenticated, service_role;

-- The caller as a user. No row for visitors, API keys and agents, nor for a user who is banned, deleted or logged out while the token is
-- still valid.
create view private.caller with (security_invoker = true) as
  select u.id, u.is_admin and token.is_at_work as is_admin_at_work
    from private.token
    join public.users u on u.id = token.subject
   where u.banned_at is null and token.goes_on;
revoke all on private.caller from public, anon, authenticated, service_role;

-- True while the caller's session is open. Security definer: clients have no rights in auth.
-- Who may: everyone, of their own token. Checks: the session that the verified claims name.
create function private.session_goes_on() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select token.goes_on from private.token);
end
$$;
revoke all on function private.session_goes_on() from public;
grant execute on function private.session_goes_on() to authenticated, service_role;

-- The caller's user id, or null. Security definer because it reads users, whose policies call it.
-- Who may: everyone, for themselves. Checks: the user that the verified claims name, neither banned nor logged out.
create function private.user_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select c.id from private.caller c);
end
$$;
revoke all on function private.user_id() from public;
grant execute on function private.user_id() to anon, authenticated, service_role;

-- True when the caller acts as a platform admin: the flag on the user and the claim that only /v1/admin sets. Security definer: as user_id.
-- Who may: everyone, for themselves. Checks: the flag of that user and the claim that /v1 sets.
create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.caller c where c.is_admin_at_work);
end
$$;
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

-- The caller's email address once confirmed; null before. Opens invitations to that address. Security definer: clients have no rights in
-- auth.
-- Who may: everyone, for themselves. Checks: the address that the auth server has confirmed for that user.
create function private.confirmed_email() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select lower(a.email) from private.caller c join auth.users a on a.id = c.id where a.email_confirmed_at is not null);
end
$$;
revoke all on function private.confirmed_email() from public;
grant execute on function private.confirmed_email() to authenticated, service_role;

-- An account's flags: {"isAdmin", "banned"} for acting platform admins, {"isAdmin"} for the account itself, {} for everyone else. Security
-- definer: no client reads those columns.
-- Who may: acting platform admins, and everyone for themselves. Checks: whom the verified claims name, row by row.
create function private.flags_of(account uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select case when c.is_admin_at_work
                then jsonb_build_object('isAdmin', u.is_admin, 'banned', u.banned_at is not null)
                else jsonb_build_object('isAdmin', u.is_admin) end
      from private.caller c join public.users u on u.id = account
     where c.is_admin_at_work or c.id = account), '{}');
end
$$;
revoke all on function private.flags_of(uuid) from public;
grant execute on function private.flags_of(uuid) to authenticated, service_role;

create policy "users change their own name and language" on public.users for update to authenticated
  using (id = (select private.user_id()))
  with check (id = (select private.user_id()));

-- The name and locale given at sign-up. Some auth servers pass the metadata as a JSON string inside the JSON. Unreadable metadata counts as
-- none, so that it never blocks a sign-up.
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

-- The account that a registration created, while its answer is missing. Security definer: nobody reads auth.users.
-- Who may: the service. Checks: the id that this registration alone has.
create function private.account_of_sign_up(address text, sign_up text) returns uuid
language sql stable security definer set search_path = '' as $$
  select u.id from public.users u join auth.users a on a.id = u.id
   where lower(u.email) = lower(address)
     and private.sign_up_metadata(a.raw_user_meta_data::text) ->> 'sign_up_id' = sign_up
$$;
revoke all on function private.account_of_sign_up(text, text) from public;
grant execute on function private.account_of_sign_up(text, text) to service_role;

-- Security definer: runs as the auth server's role, which has no rights on our tables.
-- Who may: the auth server, by a trigger. Checks: the account it writes; metadata is truncated and never trusted.
create function private.mirror_auth_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  metadata jsonb := private.sign_up_metadata(new.raw_user_meta_data::text);
begin
  insert into public.users (id, name, email, locale)
  values (
    new.id,
    left(coalesce(nullif(private.plain_text(metadata ->> 'name'), ''),
                  nullif(private.plain_text(split_part(new.email, '@', 1)), ''), 'User'), 200),
    new.email,
    case when private.is_language(metadata ->> 'locale') then metadata ->> 'locale' else 'en' end
  )
  on conflict (id) do update set email = excluded.email;
  return new;
end
$$;
revoke all on function private.mirror_auth_user() from public;

create trigger mirror_auth_user after insert or update of email on auth.users
  for each row execute function private.mirror_auth_user();
