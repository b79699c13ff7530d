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

-- Whether the session of the caller's token goes on. A token outlives the session that it was made for by up to an hour;
-- one that names no session (a test's, another issuer's) is not asked. Security definer: clients have no rights in auth.
create function private.session_goes_on() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.claim_id('session_id') is null
      or exists (select 1 from auth.sessions s where s.id = private.claim_id('session_id'))
$$;
revoke all on function private.session_goes_on() from public;
grant execute on function private.session_goes_on() to authenticated, service_role;

-- The caller as a user: null for visitors, API keys and agents, and for a user who is banned, deleted or logged out while
-- the token still lives. Security definer because it reads users, whose policies call it.
create function private.user_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select u.id from public.users u where u.id = private.claim_id('sub') and u.banned_at is null
     and private.session_goes_on()
$$;
revoke all on function private.user_id() from public;
grant execute on function private.user_id() to anon, authenticated, service_role;

-- Whether the caller is a platform admin at work: the flag on the user and the claim that only /v1/admin sets.
-- Security definer: as user_id.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(private.claims() ->> 'admin' = 'true', false)
     and exists (select 1 from public.users u
                  where u.id = private.user_id() and u.is_admin)
$$;
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

create policy "users read themselves" on public.users for select to authenticated
  using (id = (select private.user_id()));
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
