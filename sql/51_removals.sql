-- Consequences of deleting a file and of unindexing a source, from PostgREST and /v1 alike.

-- A deleted file is removed from its team's sources, its documents are deleted, and the knowledge bases that had it are re-indexed.
-- Security definer: a caller who may delete the file may lack the right to write sources or tasks.
-- Who may: callers the policies let delete, by a trigger. Checks: sources and documents of the deleted file's team alone.
create function private.forget_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid;
  place int;
begin
  -- A team that is being deleted takes everything along by itself.
  if not exists (select 1 from public.teams t where t.id = old.team_id) then
    return null;
  end if;
  -- Documents before their source, as workers lock them.
  perform 1 from public.documents d join public.sources s on s.id = d.source_id
    where s.team_id = old.team_id and s.type = 'file' and s.config -> 'fileIds' ? old.id::text
      and d.source_id = s.id and d.external_id = old.id::text
    order by d.id for update of d;
  for touched, place in
    select s.id, (select listed.place - 1
                    from jsonb_array_elements_text(case jsonb_typeof(s.config -> 'fileIds') when 'array' then s.config -> 'fileIds' else '[]' end)
                         with ordinality as listed (id, place)
                   where listed.id = old.id::text order by listed.place limit 1)
      from public.sources s
     where s.team_id = old.team_id and s.type = 'file' and s.config -> 'fileIds' ? old.id::text
     order by s.id for no key update of s
  loop
    -- For private.list_file_again(), where the deletion may be taken back.
    insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
    select d.id, 'public.sources', true, jsonb_build_object('id', touched, 'place', place)
      from private.deletions d where d.kind = 'files' and d.team_id = old.team_id and d.row_id = old.id;
    update public.sources s
       set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - old.id::text)
     where s.id = touched;
    delete from public.documents d where d.source_id = touched and d.external_id = old.id::text;
    perform private.enqueue_task(old.team_id, 'index', 'index:knowledge:' || ks.knowledge_id, null, ks.knowledge_id, null)
       from public.knowledge_sources ks where ks.source_id = touched;
  end loop;
  return null;
end
$$;
revoke all on function private.forget_file() from public;
create trigger forget_file after delete on public.files for each row execute function private.forget_file();

-- Removes a source's passages from every knowledge base; its documents stay, unindexed. Security definer: clients may not write chunks.
-- Raises PT404 when the caller cannot see the source, 42501 when they may not change it.
-- Who may: those who write the source. Checks: sources.read, then sources.write, in the source's own team.
create function public.forget_indexes(source uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not forget the indexes of this source' using errcode = '42501';
  end if;
  perform public.stop_indexing(source);
  -- In the order in which workers lock. One that is about to switch an index ends that first; one that comes later finds none.
  perform 1 from public.documents d where d.team_id = team and d.source_id = source order by d.id for no key update;
  perform 1 from public.document_indexes di join public.documents d on d.id = di.document_id
    where d.team_id = team and d.source_id = source and di.team_id = team
    order by di.document_id, di.knowledge_id for update of di;
  -- The triggers that count would lock a knowledge base before its source, and workers lock the source first.
  perform 1 from public.sources s where s.id = source for no key update;
  perform 1 from public.knowledges k
    where k.id in (select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = source) order by k.id for no key update;
  delete from public.chunks c
   using public.documents d
   where d.team_id = team and d.source_id = source and c.team_id = team and c.document_id = d.id;
  delete from public.document_indexes di
   using public.documents d
   where d.team_id = team and d.source_id = source and di.team_id = team and di.document_id = d.id;
  update public.documents d set status = 'none', chunks_count = 0, error = null
   where d.team_id = team and d.source_id = source;
  update public.sources s set status = 'none' where s.id = source and s.team_id = team;
  update public.knowledges k set status = 'stale'
    from public.knowledge_sources ks
   where ks.source_id = source and k.id = ks.knowledge_id and k.team_id = team and k.status = 'ready';
end
$$;
revoke all on function public.forget_indexes(uuid) from public, anon;
grant execute on function public.forget_indexes(uuid) to authenticated, service_role;

-- A source that is unlinked from a knowledge base, or deleted, leaves no passages in it: the knowledge base is re-indexed. Security
-- definer: a caller who may change the link may lack the right to write tasks.
-- Who may: callers the policies let delete, by a trigger. Checks: the knowledge of the deleted link, in the link's team.
create function private.forget_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not for a knowledge, or a team, that is being deleted itself.
  update public.knowledges k set status = 'queued'
   where k.id = old.knowledge_id and k.status not in ('indexing', 'stopping')
     and exists (select 1 from public.teams t where t.id = old.team_id);
  if exists (select 1 from public.knowledges k join public.teams t on t.id = k.team_id where k.id = old.knowledge_id) then
    perform private.enqueue_task(
      old.team_id, 'index', 'index:knowledge:' || old.knowledge_id, null, old.knowledge_id, null);
  end if;
  return null;
end
$$;
revoke all on function private.forget_link() from public;
create trigger forget_link after delete on public.knowledge_sources
  for each row execute function private.forget_link();
