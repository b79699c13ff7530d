-- What a hosted project's database has before anybody's own migrations. Run as supabase_admin in an empty database.
-- The tables of auth and storage are made by their servers (databases.ts), and owned.sql hands them over.

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;
grant all on schema extensions, auth, storage to postgres;
grant usage on schema public, extensions, auth, storage to anon, authenticated, service_role;
grant all on schema public to postgres;
grant all on schema auth to supabase_auth_admin;
grant all on schema storage to supabase_storage_admin;

create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
-- A project's owner may create this one although it is no superuser (supautils); here there is nobody else to do it.
create extension if not exists vector with schema extensions;
do $$
begin
  -- For `supabase db lint`, where the machine has it.
  if exists (select from pg_available_extensions where name = 'plpgsql_check') then
    create extension if not exists plpgsql_check with schema extensions;
  end if;
end
$$;

create publication supabase_realtime;

alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth grant all on routines to postgres, dashboard_user;
alter default privileges in schema public grant all on tables to postgres;
alter default privileges in schema public grant all on routines to postgres;
alter default privileges in schema public grant all on sequences to postgres;
