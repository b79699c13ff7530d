-- What hosted Supabase has before a project's own migrations run: roles, schemas and who may use them.
-- Applied at every start, to the embedded Postgres and to a Postgres of one's own (15 or later): it can run again.

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

-- As on hosted Supabase: what migrations make in public is open to the API roles until row-level security closes it.
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;

-- Names are looked up as on hosted Supabase, so that an extension's types are found without their schema.
do $$
begin
  execute pg_catalog.format(
    'alter database %I set search_path to "$user", public, extensions', pg_catalog.current_database());
end
$$;
