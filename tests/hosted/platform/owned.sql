-- Hands the tables and functions of auth and storage to the servers that own them on the platform, with what everybody else
-- may do there: postgres everything but change them, the API's roles storage behind row-level security.

do $$
declare
  found record;
begin
  for found in
    select case n.nspname when 'auth' then 'supabase_auth_admin' else 'supabase_storage_admin' end as owner,
           format('alter table %I.%I owner to ', n.nspname, c.relname) as statement
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('auth', 'storage') and c.relkind = 'r'
    union all
    select case n.nspname when 'auth' then 'supabase_auth_admin' else 'supabase_storage_admin' end,
           format('alter routine %s owner to ', p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('auth', 'storage')
  loop
    execute found.statement || found.owner;
  end loop;
end
$$;

grant all on all tables in schema auth, storage to postgres;
grant all on all routines in schema auth, storage to postgres;
grant all on all tables in schema storage to anon, authenticated, service_role;
