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

-- The passages of a source that left one knowledge base or, with null, all of them. From the commit on nobody reads them (19_roots.sql), and
-- private.remove_cleared() removes them in slices. No task indexes the source there before that is done, so what it adds is never removed.
create table private.clearings (
  id uuid primary key default private.uuid_v7(),
  team_id uuid not null,
  source_id uuid not null,
  knowledge_id uuid,
  -- The last document that was looked at; null at the start.
  reached uuid,
  -- Whether something was removed since the start. A walk that removes nothing is the last one.
  is_removing boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (team_id, source_id, knowledge_id),
  foreign key (team_id, source_id) references private.roots (team_id, id) on delete cascade,
  foreign key (team_id, knowledge_id) references private.roots (team_id, id) on delete cascade
);
create index clearings_team_knowledge_idx on private.clearings (team_id, knowledge_id);
revoke all on private.clearings from public, anon, authenticated;
grant select, insert on private.clearings to service_role;
alter table private.clearings enable row level security;

-- The documents that a knowledge base hides, because their source or their passages there are being removed.
create function private.documents_hidden_in(team uuid, knowledge uuid) returns setof uuid
language sql stable set search_path = '' as $$
  select private.documents_detached_in(team)
  union all
  select d.id from private.clearings c join public.documents d on d.source_id = c.source_id
   where c.team_id = team and (c.knowledge_id = knowledge or c.knowledge_id is null)
$$;
revoke all on function private.documents_hidden_in(uuid, uuid) from public;
grant execute on function private.documents_hidden_in(uuid, uuid) to service_role;

-- True while passages of a source are being removed from a knowledge base or from all: until their slice comes, its documents keep the status
-- that they had. Security definer: no client reads the clearings.
-- Who may: readers of the source. Checks: sources.read in the team.
create function private.is_being_cleared(team uuid, source uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.clearings c where c.team_id = team and c.source_id = source)
     and team = any (private.teams_with('sources.read'));
end
$$;
revoke all on function private.is_being_cleared(uuid, uuid) from public;
grant execute on function private.is_being_cleared(uuid, uuid) to authenticated, service_role;

-- The state of a document whose source is being cleared, as it is after that: what its other indexes leave. Security definer: as
-- is_being_cleared, and its reader may not see knowledge bases.
-- Who may: readers of the document. Checks: sources.read in its team.
create function private.state_when_cleared(document uuid) returns table (status text, chunks_count int, error text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select case when c.is_whole then 'none' when i.many > 0 or d.status in ('queued', 'indexing', 'stopping') then d.status
                when d.error is not null then 'failed' else 'none' end,
           case when c.is_whole then 0 when d.status in ('queued', 'indexing', 'stopping') then d.chunks_count else i.chunks end, case when not c.is_whole then d.error end
      from public.documents d
     cross join lateral (
       select exists (select from private.clearings o
                       where o.team_id = d.team_id and o.source_id = d.source_id and o.knowledge_id is null) as is_whole) c
     cross join lateral (
       select count(*) as many, coalesce(max(x.chunks_count), 0) as chunks
         from public.document_indexes x join public.knowledges k on k.id = x.knowledge_id
        where x.document_id = d.id
          and not exists (select from private.clearings o where o.team_id = d.team_id and o.source_id = d.source_id
                             and o.knowledge_id = x.knowledge_id)) i
     where d.id = document and d.team_id = any (private.teams_with('sources.read'));
end
$$;
revoke all on function private.state_when_cleared(uuid) from public;
grant execute on function private.state_when_cleared(uuid) to authenticated, service_role;

-- Removes one slice of a clearing: at most `most` passages, rows of tables or staged passages, or what is left of 100 documents. Requires its
-- lock. Locks documents before their indexes, as workers do.
create function private.remove_cleared_slice(clearing private.clearings, most int) returns void
language plpgsql volatile set search_path = '' as $$
declare
  next_ones constant uuid[] := array(
    select d.id from public.documents d where d.source_id = clearing.source_id and (clearing.reached is null or d.id > clearing.reached)
     order by d.id limit 1000);
  chosen uuid[];
begin
  chosen := array(
    select d.id from public.documents d
     where d.id = any (next_ones)
       and (exists (select from public.document_indexes i
                     where i.document_id = d.id and (clearing.knowledge_id is null or i.knowledge_id = clearing.knowledge_id))
         or clearing.knowledge_id is null and (d.status <> 'none' or d.chunks_count <> 0 or d.error is not null))
     order by d.id limit 100 for no key update);
  if cardinality(chosen) = 0 then
    if cardinality(next_ones) > 0 then
      update private.clearings c set reached = next_ones[cardinality(next_ones)] where c.id = clearing.id;
    elsif clearing.is_removing then
      -- Once more from the start: a worker may have planned indexes behind this walk.
      update private.clearings c set reached = null, is_removing = false where c.id = clearing.id;
    else
      delete from private.clearings c where c.id = clearing.id;
    end if;
    return;
  end if;
  perform 1 from public.document_indexes i
    where i.document_id = any (chosen) and (clearing.knowledge_id is null or i.knowledge_id = clearing.knowledge_id)
    order by i.document_id, i.knowledge_id for update;
  if private.remove_passages(clearing.team_id, chosen, clearing.knowledge_id, most) = 0 then
    delete from public.document_indexes i
     where i.document_id = any (chosen) and (clearing.knowledge_id is null or i.knowledge_id = clearing.knowledge_id);
    if clearing.knowledge_id is null then
      update public.documents d set status = 'none', chunks_count = 0, error = null where d.id = any (chosen);
    else
      -- A worker that holds a document sets these itself.
      update public.documents d
         set status = case when i.many > 0 then d.status when d.error is not null then 'failed' else 'none' end, chunks_count = i.chunks
        from (select c.id, count(k.id) as many, coalesce(max(x.chunks_count) filter (where k.id is not null), 0) as chunks
                from unnest(chosen) c (id)
                left join public.document_indexes x on x.document_id = c.id
                left join public.knowledges k on k.id = x.knowledge_id
               group by c.id) i
       where d.id = i.id and d.status not in ('queued', 'indexing', 'stopping');
    end if;
  end if;
  if not clearing.is_removing then
    update private.clearings c set is_removing = true where c.id = clearing.id;
  end if;
end
$$;
revoke all on function private.remove_cleared_slice(private.clearings, int) from public;

-- Removes a slice of the longest waiting clearing, or of those of some sources. Returns false when there is none, or another worker removes
-- it. A deletion of the source or of the knowledge base waits for the slice, or goes first and takes all along. One that fails
-- waits for an hour, unless its own sources are asked for. Security definer: no role removes clearings.
-- Who may: the service. Checks: nothing beyond a clearing is removed.
create function private.remove_cleared(most int, sources uuid[] default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  candidate private.clearings;
  clearing private.clearings;
begin
  for candidate in
    select c.* from private.clearings c
     where (c.source_id = any (sources) or sources is null and c.created_at <= (select clock_timestamp()))
       and exists (select from public.sources s where s.id = c.source_id)
       and (c.knowledge_id is null or exists (select from public.knowledges k where k.id = c.knowledge_id))
     order by c.created_at limit 10
  loop
    begin
      perform 1 from public.sources s where s.id = candidate.source_id for key share;
      continue when not found;
      if candidate.knowledge_id is not null then
        perform 1 from public.knowledges k where k.id = candidate.knowledge_id for key share;
        continue when not found;
      end if;
      select c.* into clearing from private.clearings c where c.id = candidate.id for no key update skip locked;
      if found then
        perform private.remove_cleared_slice(clearing, most);
        return true;
      end if;
    exception
      when others then
        if sources is not null or private.is_no_rows_fault(sqlstate) then
          raise;
        end if;
        raise warning 'nothing of clearing % could be removed: % (%)', candidate.id, sqlerrm, sqlstate;
        update private.clearings c set created_at = clock_timestamp() + interval '1 hour' where c.id = candidate.id;
    end;
  end loop;
  return false;
end
$$;
revoke all on function private.remove_cleared(int, uuid[]) from public;
grant execute on function private.remove_cleared(int, uuid[]) to service_role;

-- Removes a source's passages from every knowledge base; its documents stay, unindexed. Up to 1,000 go at once; more are hidden, and go in
-- slices. Security definer: clients may not write chunks.
-- Raises PT404 when the caller cannot see the source, 42501 when they may not change it.
-- Who may: those who write the source. Checks: sources.read, then sources.write, in the source's own team.
create function public.forget_indexes(source uuid) returns void
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
revoke all on function public.forget_indexes(uuid) from public, anon;
grant execute on function public.forget_indexes(uuid) to authenticated, service_role;

-- A source that is unlinked from a knowledge base leaves no passages in it: they are hidden at once and removed in slices, and the knowledge
-- base is re-indexed. Once per statement, however many links it deletes: each count reads the whole knowledge base. Security definer: a caller
-- who may change the link may lack the right to write tasks.
-- Who may: callers the policies let delete, by a trigger. Checks: the knowledges of the deleted links, in the links' team.
create function private.forget_links() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Not for a knowledge, or a team, that is being deleted itself.
  touched constant uuid[] := array(
    select k.id from public.knowledges k join public.teams t on t.id = k.team_id
     where k.id in (select g.knowledge_id from gone g) order by k.id for no key update of k);
begin
  update public.knowledges k set status = 'queued' where k.id = any (touched) and k.status not in ('indexing', 'stopping');
  -- A deleted source's passages go with its root.
  insert into private.clearings (team_id, source_id, knowledge_id)
  select g.team_id, g.source_id, g.knowledge_id from gone g join public.sources s on s.id = g.source_id
   where g.knowledge_id = any (touched) order by g.source_id, g.knowledge_id
  on conflict do nothing;
  if found then
    perform private.recount_knowledges(touched);
  end if;
  perform private.enqueue_task(k.team_id, 'index', 'index:knowledge:' || k.id, null, k.id, null)
     from public.knowledges k where k.id = any (touched) order by k.id;
  return null;
end
$$;
revoke all on function private.forget_links() from public;
create trigger forget_links after delete on public.knowledge_sources
  referencing old table as gone for each statement execute function private.forget_links();
