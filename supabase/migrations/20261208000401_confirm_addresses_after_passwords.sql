-- A confirmation of a new address locks the account before the change, as a new password does. Each could wait for the other.
create or replace function private.confirm_email_change(code bytea)
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
