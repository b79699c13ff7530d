-- The figures of sources and knowledge bases follow added, deleted and restored documents at once.

-- The figures of sources and knowledge bases, true in the transaction that changes their documents. Rows are locked before they are
-- counted: a count that was taken while waiting for another's change would undo that one.
create function private.recount_sources(source_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.sources s where s.id = any (source_ids) order by s.id for no key update;
  update public.sources s set documents_count = (select count(*) from public.documents d where d.source_id = s.id)
   where s.id = any (source_ids);
end
$$;
revoke all on function private.recount_sources(uuid[]) from public;
create function private.recount_knowledges(knowledge_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.knowledges k where k.id = any (knowledge_ids) order by k.id for no key update;
  update public.knowledges k
     set documents_count = (select count(*) from public.document_indexes i where i.knowledge_id = k.id and i.status = 'ready'),
         chunks_count = (select coalesce(sum(i.chunks_count), 0) from public.document_indexes i where i.knowledge_id = k.id)
   where k.id = any (knowledge_ids);
end
$$;
revoke all on function private.recount_knowledges(uuid[]) from public;

-- Adds new documents to their source's figure. Security definer: clients do not write it.
-- Who may: callers the policies let insert, by a trigger. Checks: the sources of the inserted rows.
create function private.count_new_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.sources s where s.id in (select a.source_id from added a) order by s.id for no key update;
  update public.sources s set documents_count = s.documents_count + n.documents
    from (select a.source_id, count(*) as documents from added a group by a.source_id) n
   where s.id = n.source_id;
  return null;
end
$$;
revoke all on function private.count_new_documents() from public;
create trigger count_new_documents after insert on public.documents
  referencing new table as added for each statement when (not private.is_restoring()) execute function private.count_new_documents();

-- Once a statement, however many rows it deletes. Security definer: clients do not write the figures.
-- Who may: callers the policies let delete, by a trigger. Checks: the sources of the deleted rows.
create function private.count_deleted_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recount_sources(array(select distinct g.source_id from gone g));
  return null;
end
$$;
revoke all on function private.count_deleted_documents() from public;
create trigger count_deleted_documents after delete on public.documents
  referencing old table as gone for each statement execute function private.count_deleted_documents();

-- The same for knowledge bases. Security definer: clients do not write the figures.
-- Who may: callers the policies let delete the document, by a trigger. Checks: the knowledge bases of the deleted rows.
create function private.count_deleted_indexes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recount_knowledges(array(select distinct g.knowledge_id from gone g));
  return null;
end
$$;
revoke all on function private.count_deleted_indexes() from public;
create trigger count_deleted_indexes after delete on public.document_indexes
  referencing old table as gone for each statement execute function private.count_deleted_indexes();

create or replace function public.forget_indexes(source uuid) returns void
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

-- Restored documents count again in the knowledge bases of their sources.
create function private.recount_linked(team uuid, source_ids uuid[]) returns void
language sql volatile set search_path = '' as $$
  select private.recount_knowledges(array(
    select distinct ks.knowledge_id from public.knowledge_sources ks where ks.team_id = team and ks.source_id = any (source_ids)))
$$;
revoke all on function private.recount_linked(uuid, uuid[]) from public;

create or replace function private.follow_restored(kind text, team uuid, target uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  gone text[];
  with_files uuid[];
begin
  if kind = 'agents' then
    update public.agent_test_runs r set status = 'stopped', finished_at = clock_timestamp()
     where r.team_id = team and r.agent_id = target and r.status in ('queued', 'running') and not exists (
       select from public.tasks t
        where t.team_id = team and t.id = r.task_id and t.status in ('queued', 'waiting', 'running', 'stopping'));
  elsif kind = 'knowledges' then
    -- Some of its documents may have been deleted meanwhile.
    perform private.recount_knowledges(array[target]);
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || target, null, target, null)
       from public.knowledges k where k.team_id = team and k.id = target and k.status = 'ready';
  elsif kind = 'sources' then
    -- Files that were deleted meanwhile, with their documents; one that is being deleted is waited for.
    perform 1 from public.sources s
       join public.files f on f.team_id = team and s.config -> 'fileIds' ? f.id::text
      where s.team_id = team and s.id = target and s.type = 'file' order by f.id for key share of f;
    gone := array(select listed.id from public.sources s, jsonb_array_elements_text(s.config -> 'fileIds') as listed (id)
                   where s.team_id = team and s.id = target and s.type = 'file' and jsonb_typeof(s.config -> 'fileIds') = 'array'
                     and not exists (select from public.files f where f.team_id = team and f.id::text = listed.id));
    if cardinality(gone) > 0 then
      update public.sources s set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - gone)
       where s.team_id = team and s.id = target;
      delete from public.documents d where d.team_id = team and d.source_id = target and d.external_id = any (gone);
    end if;
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks
     where ks.team_id = team and ks.source_id = target and k.team_id = team and k.id = ks.knowledge_id
       and k.status not in ('none', 'indexing', 'stopping');
    perform private.recount_linked(team, array[target]);
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || k.id, null, k.id, null)
       from public.knowledge_sources ks join public.knowledges k on k.team_id = team and k.id = ks.knowledge_id
      where ks.team_id = team and ks.source_id = target and k.status <> 'none';
  elsif kind = 'files' then
    with_files := array(select s.id from public.sources s
                         where s.team_id = team and s.type = 'file' and s.config -> 'fileIds' ? target::text);
    perform private.recount_sources(with_files);
    perform private.recount_linked(team, with_files);
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks
     where ks.source_id = any (with_files) and ks.team_id = team and k.team_id = team and k.id = ks.knowledge_id and k.status not in ('none', 'indexing', 'stopping');
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || used.id, null, used.id, null)
       from (select distinct k.id
               from public.knowledge_sources ks join public.knowledges k on k.team_id = team and k.id = ks.knowledge_id
              where ks.source_id = any (with_files) and ks.team_id = team and k.status <> 'none'
              order by k.id) used;
  elsif kind = 'qa_entries' then
    perform private.recount_sources(array[e.source_id]), private.recount_linked(team, array[e.source_id])
       from public.qa_entries e where e.team_id = team and e.id = target;
    perform private.enqueue_task(team, 'sync', 'sync:source:' || e.source_id, e.source_id, null, null)
       from public.qa_entries e where e.team_id = team and e.id = target;
  end if;
end
$$;

-- What earlier deletions left behind.
select private.recount_sources(array(
  select s.id from public.sources s
   where s.documents_count <> (select count(*) from public.documents d where d.source_id = s.id)));
