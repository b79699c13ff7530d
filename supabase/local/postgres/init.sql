-- What hosted Supabase creates before a project's own migrations run: roles, schemas and their grants.
-- Applied at every start, to the embedded Postgres and to an external one (15 or later). Idempotent.

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute pg_catalog.format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
end
$$;
grant anon, authenticated, service_role to authenticator;

create schema if not exists auth;
create schema if not exists storage;
create schema if not exists extensions;
grant usage on schema public, auth, storage, extensions to anon, authenticated, service_role;

-- As on hosted Supabase: the API roles may use what migrations create in public, until row-level security restricts it.
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;

-- The search path of hosted Supabase, which resolves an extension's types without their schema.
do $$
begin
  execute pg_catalog.format(
    'alter database %I set search_path to "$user", public, extensions', pg_catalog.current_database());
end
$$;
