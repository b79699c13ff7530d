-- Re-indexing an uploaded document kept the text that an earlier release had read of its file.

-- Queues the parsing and indexing of one document. A file is parsed anew: an earlier release may have read less. Security definer: as above.
-- Who may: those who write its source. Checks: sources.read, then sources.write, in the document's own team.
create or replace function public.index_document(document uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
  source uuid;
begin
  select d.team_id, s.id into team, source from public.documents d join public.sources s on s.id = d.source_id
   where d.id = document and d.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such document' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not index this document' using errcode = '42501';
  end if;
  update public.documents d set content_hash = null
   where d.id = document and d.type = 'file'
     and exists (select from public.files f where f.team_id = team and f.sha256 = d.content_hash
                    and f.id = case when d.external_id ~ '^[0-9a-f-]{36}$' then d.external_id::uuid end);
  update public.documents set status = 'queued' where id = document and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:document:' || document, source, null, document);
end
$$;
