-- Addresses that the crawl of a source has visited: their validators for conditional requests, and why they were skipped.

create table private.source_pages (
  source_id uuid not null references public.sources (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  address text not null check (char_length(address) between 1 and 512),
  -- The document's title; null when no document was made from the address.
  title text,
  revision text,
  -- The response's validators, sent with the next request.
  etag text,
  last_modified text,
  -- The page's links.
  links text[],
  -- Why it was skipped, as a sentence; null when it was not.
  problem text,
  -- The task that visited it last. The task may be deleted.
  task_id uuid not null,
  -- The problem's code; the number of skipped addresses is counted by it. Null without a problem.
  reason text,
  -- On a summary row: the number of further addresses skipped for the same reason and not listed.
  further integer,
  primary key (source_id, address)
);
create index source_pages_team_idx on private.source_pages (team_id);
create index source_pages_problem_idx on private.source_pages (source_id, address) where problem is not null;
revoke all on private.source_pages from public, anon, authenticated;
grant select, insert, update, delete on private.source_pages to service_role;
alter table private.source_pages enable row level security;

-- What a source skipped and why: addresses that were not fetched, and documents that could not be parsed or only in part. Security definer:
-- the addresses are service only.
-- Who may: those who read the source. Checks: sources.read in the team of the rows.
create function private.skipped_items(source uuid)
returns table (address text, title text, document_id uuid, problem text)
language plpgsql stable security definer set search_path = '' as $$
declare
  -- Their errors go with their passages.
  is_cleared constant boolean := exists (select from private.clearings c where c.source_id = source and c.knowledge_id is null);
begin
  return query
  select p.address, coalesce(d.title, p.title), d.id, p.problem
    from private.source_pages p left join public.documents d on d.source_id = p.source_id and d.external_id = p.address
   where p.source_id = source and p.problem is not null and p.team_id = any ((select private.teams_with('sources.read'))::uuid[])
  union all
  select coalesce(d.url, d.title), d.title, d.id, case when is_cleared then d.note else coalesce(d.error, d.note) end
    from public.documents d
   where d.source_id = source and (d.error is not null and not is_cleared or d.note is not null) and d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
     and not exists (select 1 from private.source_pages p
                      where p.source_id = d.source_id and p.address = d.external_id and p.problem is not null);
end
$$;
revoke all on function private.skipped_items(uuid) from public;
grant execute on function private.skipped_items(uuid) to authenticated, service_role;
