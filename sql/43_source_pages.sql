-- What is remembered of the addresses of a source: by what to ask for them again, and why one was left out.

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
  -- The code of the problem, by which addresses are counted; null where there is none.
  reason text,
  -- How many more were left out for the reason than are listed, on the one line that says so.
  further integer,
  primary key (source_id, address)
);
create index source_pages_team_idx on private.source_pages (team_id);
create index source_pages_problem_idx on private.source_pages (source_id, address) where problem is not null;
revoke all on private.source_pages from public, anon, authenticated;
grant select, insert, update, delete on private.source_pages to service_role;
alter table private.source_pages enable row level security;

-- What of a source was left out, with why: addresses that were not read, and documents that could not be, or not all of. Security definer: the
-- addresses are the service's alone.
-- Who may: those who read the source. Checks: sources.read in the team of the rows.
create function private.skipped_items(source uuid)
returns table (address text, title text, document_id uuid, problem text)
language sql stable security definer set search_path = '' as $$
  select p.address, coalesce(d.title, p.title), d.id, p.problem
    from private.source_pages p left join public.documents d on d.source_id = p.source_id and d.external_id = p.address
   where p.source_id = source and p.problem is not null and p.team_id = any ((select private.teams_with('sources.read'))::uuid[])
  union all
  select coalesce(d.url, d.title), d.title, d.id, coalesce(d.error, d.note)
    from public.documents d
   where d.source_id = source and (d.error is not null or d.note is not null) and d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
     and not exists (select 1 from private.source_pages p
                      where p.source_id = d.source_id and p.address = d.external_id and p.problem is not null)
$$;
revoke all on function private.skipped_items(uuid) from public;
grant execute on function private.skipped_items(uuid) to authenticated, service_role;
