-- Generated from edge-functions/indexing/connectors/*/declaration.ts; regenerate it with npm run connectors.
-- Owns what Postgres checks of sources, through PostgREST and /v1 alike.

-- The types of sources. Documents of these types are written by connectors alone.
create or replace function private.source_types() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{file,website,qa,confluence,notion,googleDrive,github,jira,shopify,hubspot,agentChat}'::text[]
$$;
revoke all on function private.source_types() from public;
grant execute on function private.source_types() to authenticated, service_role;

-- The settings of a type that decide where its credentials are sent.
create or replace function private.source_addresses(type text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select case type
    when 'website' then '{startUrl,sitemapUrl}'::text[]
    when 'confluence' then '{site}'::text[]
    when 'notion' then '{apiUrl}'::text[]
    when 'googleDrive' then '{apiUrl}'::text[]
    when 'github' then '{apiUrl}'::text[]
    when 'jira' then '{site}'::text[]
    when 'shopify' then '{shop}'::text[]
    when 'hubspot' then '{apiUrl}'::text[]
    else '{}'::text[]
  end
$$;
revoke all on function private.source_addresses(text) from public;
grant execute on function private.source_addresses(text) to authenticated, service_role;

-- True when a source of this type has this setting, and the value has its connector's format. The connector checks all settings
-- again before it uses them. Whether a host may be called is checked when it is called.
create or replace function private.is_source_setting(type text, name text, value jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case type || '.' || name
    when 'file.fileIds' then private.is_list_of(value, '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 5000)
    when 'website.startUrl' then private.is_text_like(value, '^https?://[^[:space:]/@\\]+(/[^[:space:]]*)?$', 2000)
    when 'website.sitemapUrl' then private.is_text_like(value, '^https?://[^[:space:]/@\\]+(/[^[:space:]]*)?$', 2000)
    when 'website.include' then private.is_list_of(value, '^[/*][!-~]{0,199}$', 50)
    when 'website.exclude' then private.is_list_of(value, '^[/*][!-~]{0,199}$', 50)
    when 'website.maxDepth' then private.is_whole_number(value, 0, 20)
    when 'website.maxPages' then private.is_whole_number(value, 1, 5000)
    when 'website.respectRobots' then jsonb_typeof(value) = 'boolean'
    when 'confluence.site' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
    when 'confluence.spaces' then private.is_list_of(value, '^([A-Za-z0-9]{1,255}|~[A-Za-z0-9._:-]{1,254})$', 100)
    when 'confluence.content' then private.is_list_of(value, '^(pages|posts|attachments)$', 3)
    when 'confluence.withPictures' then jsonb_typeof(value) = 'boolean'
    when 'notion.content' then private.is_list_of(value, '^(pages|databases|attachments)$', 3)
    when 'notion.withPictures' then jsonb_typeof(value) = 'boolean'
    when 'notion.withComments' then jsonb_typeof(value) = 'boolean'
    when 'notion.apiUrl' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
    when 'googleDrive.folders' then private.is_list_of(value, '^(?![0-9a-f]{8}-)[A-Za-z0-9_-]{13,100}$', 50)
    when 'googleDrive.withPictures' then jsonb_typeof(value) = 'boolean'
    when 'googleDrive.apiUrl' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
    when 'github.repositories' then private.is_list_of(value, '^[A-Za-z0-9][A-Za-z0-9_-]{0,38}/[._-]*[A-Za-z0-9][A-Za-z0-9._-]{0,99}$', 50)
    when 'github.content' then private.is_list_of(value, '^(files|issues|discussions)$', 3)
    when 'github.folders' then private.is_list_of(value, '^[/*][!-~]{0,199}$', 50)
    when 'github.withPictures' then jsonb_typeof(value) = 'boolean'
    when 'github.apiUrl' then private.is_text_like(value, '^https?://([a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$', 500)
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
