-- Takes a database with data from the schema before to that of sql/: declared languages.

-- Whether screens and messages can be had in it.
create or replace function private.is_language(code text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select code = any ('{en,fr}'::text[])
$$;
revoke all on function private.is_language(text) from public;
grant execute on function private.is_language(text) to authenticated, service_role;

-- Whether documents can be in it: one whose words Postgres knows in all their forms, or any other.
create or replace function private.is_document_language(code text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select code = any ('{en,fr,simple}'::text[])
$$;
revoke all on function private.is_document_language(text) from public;
grant execute on function private.is_document_language(text) to authenticated, service_role;

-- The text search configuration of a knowledge base's language.
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

alter table public.users drop constraint users_locale_check,
  add constraint users_locale_check check (private.is_language(locale));
alter table public.knowledges drop constraint knowledges_language_check,
  add constraint knowledges_language_check check (private.is_document_language(language));
alter table public.handovers drop constraint handovers_language_check,
  add constraint handovers_language_check check (private.is_language(language));

create or replace function private.mirror_auth_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  metadata jsonb := private.sign_up_metadata(new.raw_user_meta_data::text);
begin
  insert into public.users (id, name, email, locale)
  values (
    new.id,
    left(coalesce(nullif(private.plain_text(metadata ->> 'name'), ''),
                  nullif(private.plain_text(split_part(new.email, '@', 1)), ''), 'User'), 200),
    new.email,
    case when private.is_language(metadata ->> 'locale') then metadata ->> 'locale' else 'en' end
  )
  on conflict (id) do update set email = excluded.email;
  return new;
end
$$;
