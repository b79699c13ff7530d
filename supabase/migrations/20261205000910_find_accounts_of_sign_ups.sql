-- Takes a database with data from the schema before to that of sql/: find accounts of sign ups.
create function private.account_of_sign_up(address text, sign_up text) returns uuid
language sql stable security definer set search_path = '' as $$
  select u.id from public.users u join auth.users a on a.id = u.id
   where lower(u.email) = lower(address)
     and private.sign_up_metadata(a.raw_user_meta_data::text) ->> 'sign_up_id' = sign_up
$$;
revoke all on function private.account_of_sign_up(text, text) from public;
grant execute on function private.account_of_sign_up(text, text) to service_role;
