-- A new password ends the other sessions as the service: it did so with a session that one of them could end before.
drop function private.end_sessions_of(uuid);
create function private.end_sessions_of(account uuid, spared uuid[] default '{}') returns void
language sql volatile security definer set search_path = '' as $$
  delete from auth.sessions where user_id = account and id <> all (spared)
$$;
revoke all on function private.end_sessions_of(uuid, uuid[]) from public;
grant execute on function private.end_sessions_of(uuid, uuid[]) to service_role;

-- A resend, which asks for no password, keeps the session that requested the change of address.
create or replace function private.ask_email_change(
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
