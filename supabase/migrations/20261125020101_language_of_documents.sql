-- Documents have a language of their own, and so have their words. Those that are there keep '', which is their knowledge base's, until
-- they are indexed again: no row is written.

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

alter table public.documents
  add column language text check (private.is_document_language(language)),
  add column detected_language text check (private.is_document_language(detected_language));
grant insert (language), update (language) on public.documents to authenticated;

alter table public.chunk_words add column language text not null default '';
alter table private.deleted_chunk_words add column language text not null default '';
