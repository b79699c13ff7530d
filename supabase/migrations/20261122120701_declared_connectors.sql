-- Takes a database with data from the schema before to that of sql/: what Postgres checks of sources is made of what the connectors
-- declare. The same types and settings fit as before.

-- Whether a JSON value is a text of at most so many characters that looks like a pattern.
create function private.is_text_like(value jsonb, pattern text, most int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_typeof(value) = 'string' and char_length(value #>> '{}') <= most and value #>> '{}' ~ pattern
$$;
revoke all on function private.is_text_like(jsonb, text, int) from public;
grant execute on function private.is_text_like(jsonb, text, int) to authenticated, service_role;

-- Whether a JSON value is a whole number within bounds.
create function private.is_whole_number(value jsonb, lowest int, highest int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case when jsonb_typeof(value) <> 'number' then false
              else (value #>> '{}')::numeric between lowest and highest and (value #>> '{}')::numeric % 1 = 0 end
$$;
revoke all on function private.is_whole_number(jsonb, int, int) from public;
grant execute on function private.is_whole_number(jsonb, int, int) to authenticated, service_role;

-- The types of sources, and of the documents that connectors alone write.
create or replace function private.source_types() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{file,jira,shopify,hubspot,agentChat}'::text[]
$$;
revoke all on function private.source_types() from public;
grant execute on function private.source_types() to authenticated, service_role;

-- The settings of a type that say where its credentials are sent.
create or replace function private.source_addresses(type text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select case type
    when 'jira' then '{site}'::text[]
    when 'shopify' then '{shop}'::text[]
    when 'hubspot' then '{apiUrl}'::text[]
    else '{}'::text[]
  end
$$;
revoke all on function private.source_addresses(text) from public;
grant execute on function private.source_addresses(text) to authenticated, service_role;

-- Whether one setting of a source is one that its type has, in the form in which its connector keeps it. The connector checks
-- the whole again before it acts. Which hosts may be called is decided when one is.
create or replace function private.is_source_setting(type text, name text, value jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case type || '.' || name
    when 'file.fileIds' then private.is_list_of(value, '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 5000)
    when 'jira.site' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
    when 'jira.projects' then private.is_list_of(value, '^[A-Z][A-Z0-9_]{0,99}$', 100)
    when 'jira.withoutComments' then jsonb_typeof(value) = 'boolean'
    when 'shopify.shop' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
    when 'shopify.content' then private.is_list_of(value, '^(products|pages|articles|policies)$', 4)
    when 'hubspot.objects' then private.is_list_of(value, '^(companies|contacts|deals|tickets|products|notes|articles)$', 7)
    when 'hubspot.apiUrl' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
    when 'agentChat.agentId' then private.is_text_like(value, '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 36)
    else false
  end
$$;
revoke all on function private.is_source_setting(text, text, jsonb) from public;
grant execute on function private.is_source_setting(text, text, jsonb) to authenticated, service_role;

alter table public.sources drop constraint sources_type_check;
alter table public.sources add constraint sources_type_check check (type = any (private.source_types()));

create or replace function private.reset_source() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.config is distinct from old.config then
    new.sync_cursor := null;
  end if;
  if exists (select 1 from unnest(private.source_addresses(new.type)) as address (name)
              where new.config -> address.name is distinct from old.config -> address.name)
  then
    delete from private.source_credentials c where c.source_id = new.id;
  end if;
  return new;
end
$$;

create or replace function private.guard_document() returns trigger
language plpgsql set search_path = '' as $$
declare
  read_by_connectors constant text[] := private.source_types();
begin
  if not private.is_client() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.type = any (read_by_connectors) then
      raise exception 'documents of this type are made from their source alone' using errcode = '23514';
    end if;
  elsif (old.type = any (read_by_connectors) or new.type = any (read_by_connectors))
        and (new.type, new.external_id, new.content) is distinct from (old.type, old.external_id, old.content)
  then
    raise exception 'this document is read from its source' using errcode = '23514';
  end if;
  if tg_op = 'INSERT' or new.content is distinct from old.content then
    if coalesce(new.content, '') = '' then
      raise exception 'a document has a text' using errcode = '23514';
    end if;
    new.content_hash := encode(sha256(convert_to(new.content, 'UTF8')), 'hex');
  end if;
  return new;
end
$$;
