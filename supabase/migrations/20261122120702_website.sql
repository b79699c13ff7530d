-- Takes a database with data from the schema before to that of sql/: sources of web pages, and what is remembered of addresses.

-- The types of sources, and of the documents that connectors alone write.
create or replace function private.source_types() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{file,website,jira,shopify,hubspot,agentChat}'::text[]
$$;
revoke all on function private.source_types() from public;
grant execute on function private.source_types() to authenticated, service_role;

-- The settings of a type that say where its credentials are sent.
create or replace function private.source_addresses(type text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select case type
    when 'website' then '{start}'::text[]
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
    when 'website.start' then private.is_text_like(value, '^https?://[^[:space:]/@\\]+(/[^[:space:]]*)?$', 2000)
    when 'website.include' then private.is_list_of(value, '^[/*][!-~]{0,199}$', 50)
    when 'website.exclude' then private.is_list_of(value, '^[/*][!-~]{0,199}$', 50)
    when 'website.depth' then private.is_whole_number(value, 0, 20)
    when 'website.pages' then private.is_whole_number(value, 1, 5000)
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

-- Documents that were written by hand under this label stay their team's to change.
update public.documents d set type = 'page'
  from public.sources s
 where s.id = d.source_id and d.type = 'website' and s.type <> 'website';

create table private.source_pages (
  source_id uuid not null references public.sources (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  address text not null check (char_length(address) between 1 and 512),
  -- Of the document that is made of it; null where none is.
  title text,
  revision text,
  -- What the service sent along with it, and is asked by.
  etag text,
  last_modified text,
  -- Where it leads.
  links text[],
  -- Why it was left out, in a sentence; null where it was not.
  problem text,
  -- The task that met it last. It may be gone.
  task_id uuid not null,
  primary key (source_id, address)
);
create index source_pages_team_idx on private.source_pages (team_id);
create index source_pages_problem_idx on private.source_pages (source_id, address) where problem is not null;
revoke all on private.source_pages from public, anon, authenticated;
grant select, insert, update, delete on private.source_pages to service_role;
alter table private.source_pages enable row level security;

-- The addresses of a source that were left out, with why. Security definer: the table is the service's alone.
-- Who may: those who read the source. Checks: sources.read in the team of the rows.
create function private.skipped_pages(source uuid) returns table (address text, problem text)
language sql stable security definer set search_path = '' as $$
  select p.address, p.problem from private.source_pages p
   where p.source_id = source and p.problem is not null
     and p.team_id = any ((select private.teams_with('sources.read'))::uuid[])
$$;
revoke all on function private.skipped_pages(uuid) from public;
grant execute on function private.skipped_pages(uuid) to authenticated, service_role;
