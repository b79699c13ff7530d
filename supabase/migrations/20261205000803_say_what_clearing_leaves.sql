-- Takes a database with data from the schema before to that of sql/: say what clearing leaves.

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
create or replace function private.remove_cleared_slice(clearing private.clearings, most int) returns void
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

-- What a source skipped and why: addresses that were not fetched, and documents that could not be parsed or only in part. Security definer:
-- the addresses are service only.
-- Who may: those who read the source. Checks: sources.read in the team of the rows.
create or replace function private.skipped_items(source uuid)
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

-- Documents whose source was unlinked before from the only knowledge base that had them.
update public.documents d
   set status = case when d.error is not null then 'failed' else 'none' end, chunks_count = 0
 where d.status in ('ready', 'stale', 'stopped')
   and not exists (select from public.document_indexes i join public.knowledges k on k.id = i.knowledge_id where i.document_id = d.id)
   and not exists (select from private.clearings c where c.source_id = d.source_id);
