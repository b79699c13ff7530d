-- How old documents are, what of a source was left out, and after how many days a knowledge base warns.

alter table public.documents
  add column changed_at timestamptz,
  add column synced_at timestamptz;
create index documents_error_idx on public.documents (source_id, id) where error is not null;

alter table public.knowledges add column warn_after_days int check (warn_after_days between 1 and 3650);
grant insert (warn_after_days), update (warn_after_days) on public.knowledges to authenticated;

-- How old documents are: as of when their text is what the source has, and when it was last changed there. Of a text that somebody
-- has edited here neither is known. Security definer: an answering agent reads no sources.
-- Who may: readers of the documents. Checks: sources.read in the document's team, or a knowledge base of the agent that answers.
create function private.document_ages(documents uuid[])
returns table (document_id uuid, source_type text, synced_at timestamptz, changed_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select d.id, s.type, case when d.type = s.type then coalesce(d.synced_at, s.synced_at) end, d.changed_at
    from public.documents d join public.sources s on s.team_id = d.team_id and s.id = d.source_id
   where d.id = any (documents) and d.content_hash is not null
     and (d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
       or exists (select 1 from public.document_indexes i
                   where i.document_id = d.id and i.knowledge_id = any ((select private.agent_knowledge_ids())::uuid[])))
$$;
revoke all on function private.document_ages(uuid[]) from public;
grant execute on function private.document_ages(uuid[]) to authenticated, service_role;

drop function private.skipped_pages(uuid);

-- What of a source was left out, with why: addresses that were not read, and documents that could not be. Security definer: the
-- addresses are the service's alone.
-- Who may: those who read the source. Checks: sources.read in the team of the rows.
create function private.skipped_items(source uuid)
returns table (address text, title text, document_id uuid, problem text)
language sql stable security definer set search_path = '' as $$
  select p.address, coalesce(d.title, p.title), d.id, p.problem
    from private.source_pages p left join public.documents d on d.source_id = p.source_id and d.external_id = p.address
   where p.source_id = source and p.problem is not null and p.team_id = any ((select private.teams_with('sources.read'))::uuid[])
  union all
  select coalesce(d.url, d.title), d.title, d.id, d.error
    from public.documents d
   where d.source_id = source and d.error is not null and d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
     and not exists (select 1 from private.source_pages p
                      where p.source_id = d.source_id and p.address = d.external_id and p.problem is not null)
$$;
revoke all on function private.skipped_items(uuid) from public;
grant execute on function private.skipped_items(uuid) to authenticated, service_role;
