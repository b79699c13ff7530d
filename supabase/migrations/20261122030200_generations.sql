-- Takes a database with data from the schema before to that of sql/: attempts at building an index are numbered over all of
-- them, and staged chunks go with their build.

create sequence private.generations;
grant usage on sequence private.generations to service_role;
select setval('private.generations', greatest(
  1, (select max(generation) from public.document_indexes), (select max(fence) from private.builds),
  (select max(fence) from private.staged_chunks)));
alter table public.document_indexes alter column generation type bigint;

-- Left by builds whose index was forgotten: documents failed on them for ever, as their numbers came again.
delete from private.staged_chunks s
 where not exists (
   select 1 from private.builds b where b.knowledge_id = s.knowledge_id and b.document_id = s.document_id);
alter table private.staged_chunks
  drop constraint staged_chunks_knowledge_id_fkey,
  drop constraint staged_chunks_document_id_fkey,
  add foreign key (knowledge_id, document_id) references private.builds (knowledge_id, document_id) on delete cascade;

-- Takes a source's passages out of every knowledge; its documents stay, unindexed. Security definer: clients may not write
-- chunks. Raises PT404 when the caller cannot see the source, 42501 when they may not change it.
create or replace function public.forget_indexes(source uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  perform public.stop_indexing(source);
  select s.team_id into team from public.sources s where s.id = source;
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
  update public.sources s set status = 'none' where s.id = source;
  update public.knowledges k
     set documents_count = (select count(*) from public.document_indexes di
                             where di.team_id = team and di.knowledge_id = k.id and di.status = 'ready'),
         chunks_count = (select coalesce(sum(di.chunks_count), 0) from public.document_indexes di
                          where di.team_id = team and di.knowledge_id = k.id),
         status = case when k.status = 'ready' then 'stale' else k.status end
    from public.knowledge_sources ks
   where ks.source_id = source and k.id = ks.knowledge_id;
end
$$;
