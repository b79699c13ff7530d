-- Takes a database with data from the schema before to that of sql/: authorize source writes in one place.

-- The team of a source that the caller may change. Raises PT404 when they cannot see it, 42501 when they may not change it.
-- For the functions that act on a source with the owner's rights.
create function private.authorize_source_write(source uuid) returns uuid
language plpgsql stable set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not change this source' using errcode = '42501';
  end if;
  return team;
end
$$;
revoke all on function private.authorize_source_write(uuid) from public;

create or replace function public.index_source(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
begin
  update public.sources set status = 'queued' where id = source and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:source:' || source, source, null, null);
end
$$;

create or replace function public.load_documents(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
begin
  return private.enqueue_task(team, 'loadDocuments', 'load:source:' || source, source, null, null);
end
$$;

create or replace function public.stop_indexing(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
  task uuid;
begin
  with stopped as (
    update public.tasks t
       set status = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
           message_code = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
           finished_at = case when t.status in ('queued', 'waiting') then clock_timestamp() end
     where t.team_id = team and t.status in ('queued', 'waiting', 'running')
       and (t.source_id = source or t.knowledge_id in (
             select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = source))
    returning t.id, t.status)
  select s.id into task from stopped s order by s.status desc, s.id desc limit 1;
  return task;
end
$$;

create or replace function public.forget_indexes(source uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
  is_small boolean;
begin
  perform public.stop_indexing(source);
  is_small := (select private.count_hanging(r) <= 1000 from private.roots r where r.id = source);
  if is_small then
    -- In the order in which workers lock. One that is about to switch an index ends that first; one that comes later finds none.
    perform 1 from public.documents d where d.team_id = team and d.source_id = source order by d.id for no key update;
    perform 1 from public.document_indexes di join public.documents d on d.id = di.document_id
      where d.team_id = team and d.source_id = source and di.team_id = team
      order by di.document_id, di.knowledge_id for update of di;
  end if;
  -- The counts lock a knowledge base, and workers lock the source first.
  perform 1 from public.sources s where s.id = source for no key update;
  perform 1 from public.knowledges k
    where k.id in (select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = source) order by k.id for no key update;
  insert into private.clearings (team_id, source_id) values (team, source) on conflict do nothing;
  -- Not of one that began before: a worker may be at it, and wait for these documents.
  is_small := is_small and found;
  perform private.recount_knowledges(array(select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = source));
  update public.sources s set status = 'none' where s.id = source and s.team_id = team;
  update public.knowledges k set status = 'stale'
    from public.knowledge_sources ks
   where ks.source_id = source and k.id = ks.knowledge_id and k.team_id = team and k.status = 'ready';
  while is_small and exists (select from private.clearings c where c.source_id = source and c.knowledge_id is null) loop
    perform private.remove_cleared(1000, array[source]);
  end loop;
end
$$;

create or replace function public.sync_source(source uuid, accept_empty boolean default false) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
  task uuid;
begin
  -- A listing that runs may have passed what has changed since: its end must not make the next one incremental. Locked before the source,
  -- as the end of a listing does.
  update private.listings set is_outdated = true where source_id = source and finished_at is null;
  update public.sources
     set sync_cursor = null, status = case when status in ('indexing', 'stopping') then status else 'queued' end
   where id = source;
  task := private.enqueue_task(team, 'sync', 'sync:source:' || source, source, null, null);
  if accept_empty then
    -- Consent to this one sync, with the settings and the credentials that it starts with.
    insert into private.listings (task_id, source_id, team_id, accepts_empty) values (task, source, team, true)
    on conflict (task_id, source_id) do update set accepts_empty = true;
  end if;
  return task;
end
$$;
