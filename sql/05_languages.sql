-- Generated from locales/*/language.ts; make it again with npm run languages.
-- What Postgres knows of languages, however a row is written.

-- Whether screens and messages can be had in it.
create or replace function private.is_language(code text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select code = any ('{en,fr}'::text[])
$$;
revoke all on function private.is_language(text) from public;
grant execute on function private.is_language(text) to authenticated, service_role;

-- What documents can be in: the languages whose words Postgres knows in all their forms, and any other.
create or replace function private.document_languages() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{en,fr,simple}'::text[]
$$;
revoke all on function private.document_languages() from public;
grant execute on function private.document_languages() to authenticated, service_role;

-- Whether documents can be in it.
create or replace function private.is_document_language(code text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select code = any (private.document_languages())
$$;
revoke all on function private.is_document_language(text) from public;
grant execute on function private.is_document_language(text) to authenticated, service_role;

-- The text search configuration of a document's language.
create or replace function private.search_config(language text) returns regconfig
language sql immutable parallel safe set search_path = '' as $$
  select case language
    when 'en' then 'pg_catalog.english'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig
    else 'pg_catalog.simple'::regconfig
  end
$$;
revoke all on function private.search_config(text) from public;
grant execute on function private.search_config(text) to authenticated, service_role;
