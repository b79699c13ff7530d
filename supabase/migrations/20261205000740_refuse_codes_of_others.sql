-- Takes a database with data from the schema before to that of sql/: refuse codes of others.

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
