-- The task of one document decides itself that its file is read anew (edge-functions/indexing/steps/plan.ts).

-- Queues the indexing of one document, whose file its task reads anew. Security definer: as above.
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
  update public.documents set status = 'queued' where id = document and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:document:' || document, source, null, document);
end
$$;
