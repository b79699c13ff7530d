-- Questions are asked in any language that is declared, and not in English and French alone.

-- Whether a question is asked in another language than some texts, where Postgres knows the words of both.
create or replace function private.is_foreign(config regconfig, asked_in text) returns boolean
language sql immutable set search_path = '' as $$
  select config <> 'pg_catalog.simple'::regconfig and private.search_config(asked_in) <> 'pg_catalog.simple'::regconfig
     and config <> private.search_config(asked_in)
$$;
revoke all on function private.is_foreign(regconfig, text) from public;
grant execute on function private.is_foreign(regconfig, text) to authenticated, service_role;

-- The words of a text that carry no meaning in its language.
create or replace function private.little_words(language text, content text) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(u.lexeme, ' '), '') from unnest(to_tsvector('pg_catalog.simple', content)) u
   where to_tsvector(private.search_config(language), u.lexeme) = ''
$$;
revoke all on function private.little_words(text, text) from public;
grant execute on function private.little_words(text, text) to authenticated, service_role;
