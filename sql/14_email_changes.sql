-- Changes of an account's email address. A change waits until both mailboxes have confirmed it; the API has checked the password before.
-- Mailed codes are stored as SHA-256.

create table private.email_changes (
  user_id uuid primary key references auth.users (id) on delete cascade,
  new_email text not null check (new_email = lower(new_email) and char_length(new_email) between 3 and 320),
  -- The session that requested the change. It stays open when the others end.
  session_id uuid,
  new_code bytea not null unique check (octet_length(new_code) = 32),
  current_code bytea not null unique check (octet_length(current_code) = 32),
  new_confirmed_at timestamptz,
  current_confirmed_at timestamptz,
  asked_at timestamptz not null default clock_timestamp()
);
create index email_changes_asked_idx on private.email_changes (asked_at);
revoke all on private.email_changes from public, anon, authenticated;
grant select, insert, update, delete on private.email_changes to service_role;
alter table private.email_changes enable row level security;

-- Starts a change of address, or restarts it with new codes: a confirmation for the same new address stays valid. Without a session, as for
-- a resend, which asks for no password, the one that requested it stays the one that is spared. Returns the account's
-- address and locale, and whether the new address is taken, which only its mailbox is told. Deletes expired changes. Security definer: the
-- API's logins have no rights in auth.
-- Who may: the service. Checks: nothing more: the API has checked whose account it is, and their password.
create function private.ask_email_change(
  account uuid, session uuid, address text, code_of_new bytea, code_of_current bytea
) returns table (current_email text, locale text, is_taken boolean)
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.email_changes c where c.asked_at < clock_timestamp() - interval '24 hours';
  insert into private.email_changes as c (user_id, new_email, session_id, new_code, current_code)
  values (account, lower(address), session, code_of_new, code_of_current)
  on conflict (user_id) do update
    set new_confirmed_at = case when c.new_email = excluded.new_email then c.new_confirmed_at end,
        current_confirmed_at = case when c.new_email = excluded.new_email then c.current_confirmed_at end,
        new_email = excluded.new_email, session_id = coalesce(excluded.session_id, c.session_id),
        new_code = excluded.new_code, current_code = excluded.current_code, asked_at = excluded.asked_at;
  return query
    select u.email, u.locale, exists (select 1 from public.users other where lower(other.email) = lower(address))
      from public.users u where u.id = account;
end
$$;
revoke all on function private.ask_email_change(uuid, uuid, text, bytea, bytea) from public;
grant execute on function private.ask_email_change(uuid, uuid, text, bytea, bytea) to service_role;

-- The caller's pending change, or no row. Security definer: clients have no rights on the table.
-- Who may: users, for themselves. Checks: the user that the verified claims name.
create function private.my_email_change()
returns table (email text, asked_at timestamptz, expires_at timestamptz, confirmed_by_current boolean, confirmed_by_new boolean)
language sql stable security definer set search_path = '' as $$
  select c.new_email, c.asked_at, c.asked_at + interval '24 hours', c.current_confirmed_at is not null, c.new_confirmed_at is not null
    from private.email_changes c
   where c.user_id = private.user_id() and c.asked_at >= clock_timestamp() - interval '24 hours'
$$;
revoke all on function private.my_email_change() from public;
grant execute on function private.my_email_change() to authenticated;

-- Cancels the caller's pending change. True when there was one. Security definer: as my_email_change.
-- Who may: users, for themselves. Checks: the user that the verified claims name.
create function private.cancel_my_email_change() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.email_changes c
   where c.user_id = private.user_id() and c.asked_at >= clock_timestamp() - interval '24 hours';
  return found;
end
$$;
revoke all on function private.cancel_my_email_change() from public;
grant execute on function private.cancel_my_email_change() to authenticated;

-- Confirms one mailbox of a change, and applies the change once both have confirmed. Returns "spent" for a code that is unknown, used or
-- expired; "current" or "new" for the mailbox still missing; "taken" when the address was registered meanwhile; or "changed". A change ends
-- every session but the requesting one and invalidates codes mailed to the old address, the auth server's own included. Security definer:
-- as ask_email_change.
-- Who may: the service. Checks: that the code is of a change that waits, of an account that is not banned.
create function private.confirm_email_change(code bytea)
returns table (outcome text, old_email text, new_email text, locale text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  change private.email_changes;
  mine public.users;
begin
  -- The account first, as the auth server does, whose new password deletes the change.
  perform 1 from auth.users a
    where a.id = (select c.user_id from private.email_changes c where c.new_code = code or c.current_code = code) for update;
  update private.email_changes c
     set new_confirmed_at = case when c.new_code = code then coalesce(c.new_confirmed_at, clock_timestamp()) else c.new_confirmed_at end,
         current_confirmed_at =
           case when c.current_code = code then coalesce(c.current_confirmed_at, clock_timestamp()) else c.current_confirmed_at end
   where (c.new_code = code or c.current_code = code) and c.asked_at >= clock_timestamp() - interval '24 hours'
     and not exists (select 1 from public.users u where u.id = c.user_id and u.banned_at is not null)
  returning c.* into change;
  if not found then
    return query select 'spent', null::text, null::text, null::text;
    return;
  end if;
  select u.* into mine from public.users u where u.id = change.user_id;
  if change.new_confirmed_at is null or change.current_confirmed_at is null then
    return query select case when change.new_confirmed_at is null then 'new' else 'current' end, mine.email, change.new_email, mine.locale;
    return;
  end if;
  delete from private.email_changes c where c.user_id = change.user_id;
  begin
    update auth.users a
       set email = change.new_email, confirmation_token = '', recovery_token = '', reauthentication_token = '',
           email_change = '', email_change_token_new = '', email_change_token_current = ''
     where a.id = change.user_id;
  exception when unique_violation then
    return query select 'taken', mine.email, change.new_email, mine.locale;
    return;
  end;
  update auth.identities i
     set identity_data = private.sign_up_metadata(i.identity_data::text)
                         || jsonb_build_object('email', change.new_email, 'email_verified', true)
   where i.user_id = change.user_id and i.provider = 'email';
  -- Hosted Supabase keeps its codes here as well.
  if to_regclass('auth.one_time_tokens') is not null then
    delete from auth.one_time_tokens o where o.user_id = change.user_id;
  end if;
  delete from auth.sessions s where s.user_id = change.user_id and s.id is distinct from change.session_id;
  return query select 'changed', mine.email, change.new_email, mine.locale;
end
$$;
revoke all on function private.confirm_email_change(bytea) from public;
grant execute on function private.confirm_email_change(bytea) to service_role;

-- A new password cancels a pending change of address: the mail tells anyone who did not request the change to set one. Security definer:
-- runs as the auth server's role, which has no rights on our tables.
-- Who may: the auth server, by a trigger. Checks: the account that it writes.
create function private.end_email_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.email_changes where user_id = new.id;
  return null;
end
$$;
revoke all on function private.end_email_change() from public;
create trigger end_email_change after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password)
  execute function private.end_email_change();

-- Copies a changed address to the account's memberships, whoever changes it. An invitation to the new address is deleted where the account
-- is already in the team. Security definer: runs as the auth server's role, which has no rights on our tables.
-- Who may: the auth server and the function above, by a trigger. Checks: the account that is written.
create function private.move_memberships() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.team_users invited
   using public.team_users joined
   where joined.user_id = new.id and invited.team_id = joined.team_id
     and invited.user_id is null and invited.email = lower(new.email);
  update public.team_users tu set email = lower(new.email) where tu.user_id = new.id;
  return null;
end
$$;
revoke all on function private.move_memberships() from public;
create trigger move_memberships after update of email on public.users
  for each row when (lower(old.email) <> lower(new.email))
  execute function private.move_memberships();
