-- Generated from locales/*/language.ts; regenerate it with npm run languages.
-- Owns what Postgres checks and looks up about languages, through PostgREST and /v1 alike.

-- True for a language of the interface and of messages.
create or replace function private.is_language(code text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select code = any ('{en,fr}'::text[])
$$;
revoke all on function private.is_language(text) from public;
grant execute on function private.is_language(text) to authenticated, service_role;

-- The languages of documents: those that Postgres can stem, and 'simple' for any other.
create or replace function private.document_languages() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{en,fr,simple}'::text[]
$$;
revoke all on function private.document_languages() from public;
grant execute on function private.document_languages() to authenticated, service_role;

-- True for a language of documents.
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
