-- Takes a database with data from the schema before to that of sql/: clear passages in slices.

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

-- The passages of a source that left a knowledge base, or every one, are cleared in the same way (51_removals.sql). Knowledge bases with
-- sources whose passages there are being removed. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.cleared_links() returns table (knowledge_id uuid, source_id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.clearings) then
    return query
      select c.knowledge_id, c.source_id from private.clearings c
       where c.knowledge_id is not null and c.team_id = any (private.own_teams())
      union all
      select ks.knowledge_id, c.source_id from private.clearings c join public.knowledge_sources ks on ks.source_id = c.source_id
       where c.knowledge_id is null and c.team_id = any (private.own_teams());
  end if;
end
$$;
revoke all on function private.cleared_links() from public;
grant execute on function private.cleared_links() to authenticated, service_role;

-- The same, with each document. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.cleared_indexes() returns table (knowledge_id uuid, document_id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.clearings) then
    return query select l.knowledge_id, d.id from private.cleared_links() l join public.documents d on d.source_id = l.source_id;
  end if;
end
$$;
revoke all on function private.cleared_indexes() from public;
grant execute on function private.cleared_indexes() to authenticated, service_role;

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

-- The chunks of these documents, and those that are cleared. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create or replace function private.detached_chunks() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select c.id from private.detached_documents() d (id) join public.chunks c on c.document_id = d.id;
  end if;
  return query
    select c.id from private.cleared_indexes() i join public.chunks c on c.knowledge_id = i.knowledge_id and c.document_id = i.document_id;
end
$$;

-- The tables of these documents, and those that are cleared. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create or replace function private.detached_tables() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query
      select t.id from private.detached_documents() d (id)
        join public.document_indexes i on i.document_id = d.id
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
  end if;
  return query
    select t.id from private.cleared_indexes() i
      join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
end
$$;

alter policy "nobody reads indexes of a deleted knowledge base or source" on public.document_indexes
  using (knowledge_id not in (select private.detached_roots()) and document_id not in (select private.detached_documents())
     and (knowledge_id, document_id) not in (select i.knowledge_id, i.document_id from private.cleared_indexes() i));
alter policy "nobody reads chunks of a deleted knowledge base or source" on public.chunks
  using (knowledge_id not in (select private.detached_roots()) and source_id not in (select private.detached_roots())
     and (knowledge_id, source_id) not in (select l.knowledge_id, l.source_id from private.cleared_links() l));
alter policy "nobody reads tables of a deleted knowledge base or source" on public.document_tables
  using (knowledge_id not in (select private.detached_roots()) and document_id not in (select private.detached_documents())
     and (knowledge_id, document_id) not in (select i.knowledge_id, i.document_id from private.cleared_indexes() i));

create or replace function private.recount_knowledges(knowledge_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.knowledges k where k.id = any (knowledge_ids) order by k.id for no key update;
  update public.knowledges k
     set (documents_count, chunks_count) = (
           select count(*) filter (where i.status = 'ready'), coalesce(sum(i.chunks_count), 0) from public.document_indexes i
            where i.knowledge_id = k.id and i.document_id not in (select private.documents_hidden_in(k.team_id, k.id)))
   where k.id = any (knowledge_ids);
end
$$;

-- The same for knowledge bases. Security definer: clients do not write the counts.
-- Who may: callers the policies let delete the document, by a trigger. Checks: the knowledge bases of the deleted rows.
create or replace function private.count_deleted_indexes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recount_knowledges(array(
    select distinct g.knowledge_id from gone g
     -- What is being removed in slices was left out of the counts when that began.
     where not exists (select from public.documents d join private.clearings c on c.source_id = d.source_id
                        where d.id = g.document_id and (c.knowledge_id = g.knowledge_id or c.knowledge_id is null))));
  return null;
end
$$;

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
    end if;
  end if;
  if not clearing.is_removing then
    update private.clearings c set is_removing = true where c.id = clearing.id;
  end if;
end
$$;
revoke all on function private.remove_cleared_slice(private.clearings, int) from public;

-- Removes a slice of the longest waiting clearing, or of those of some sources. Returns false when there is none, or another worker removes
-- it. A deletion of the source or of the knowledge base waits for the slice, or goes first and takes all along. Security definer: no role
-- removes clearings.
-- Who may: the service. Checks: nothing beyond a clearing is removed.
create function private.remove_cleared(most int, sources uuid[] default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  candidate private.clearings;
  clearing private.clearings;
begin
  for candidate in
    select c.* from private.clearings c
     where (sources is null or c.source_id = any (sources)) and exists (select from public.sources s where s.id = c.source_id)
       and (c.knowledge_id is null or exists (select from public.knowledges k where k.id = c.knowledge_id))
     order by c.created_at limit 10
  loop
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
create or replace function public.forget_indexes(source uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
  is_small boolean;
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

-- A source that is unlinked from a knowledge base leaves no passages in it: they are hidden at once and removed in slices, and the knowledge
-- base is re-indexed. Security definer: a caller who may change the link may lack the right to write tasks.
-- Who may: callers the policies let delete, by a trigger. Checks: the knowledge of the deleted link, in the link's team.
create or replace function private.forget_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not for a knowledge, or a team, that is being deleted itself.
  update public.knowledges k set status = 'queued'
   where k.id = old.knowledge_id and k.status not in ('indexing', 'stopping')
     and exists (select 1 from public.teams t where t.id = old.team_id);
  if exists (select 1 from public.knowledges k join public.teams t on t.id = k.team_id where k.id = old.knowledge_id) then
    -- A deleted source's passages go with its root.
    if exists (select 1 from public.sources s where s.id = old.source_id) then
      insert into private.clearings (team_id, source_id, knowledge_id) values (old.team_id, old.source_id, old.knowledge_id)
      on conflict do nothing;
      perform private.recount_knowledges(array[old.knowledge_id]);
    end if;
    perform private.enqueue_task(
      old.team_id, 'index', 'index:knowledge:' || old.knowledge_id, null, old.knowledge_id, null);
  end if;
  return null;
end
$$;

-- Removes one slice: of a clearing (51_removals.sql), for which tasks wait, else of the longest detached root whose deletion nobody can undo
-- any more. At most `most` messages, passages or rows of tables with what hangs on them. Returns false when there is none. Security definer:
-- no role writes roots.
-- Who may: the service. Checks: that the root is detached, and that no deletion which can be undone has it.
create or replace function private.remove_detached(most int) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  root private.roots;
  chosen uuid[];
  removed int;
begin
  if private.remove_cleared(most) then
    return true;
  end if;
  select r.* into root from private.roots r
   where r.detached_at is not null and not exists (select from private.deletions d where d.kind = r.kind and d.row_id = r.id)
   order by r.detached_at limit 1 for no key update skip locked;
  if root.id is null then
    return false;
  end if;

  if root.kind in ('users', 'api_keys') then
    if root.kind = 'users' then
      update public.messages m set user_id = null
       where m.id = any (array(select o.id from public.messages o where o.user_id = root.id limit most));
    else
      update public.messages m set api_key_id = null
       where m.id = any (array(select o.id from public.messages o where o.api_key_id = root.id limit most));
    end if;
    get diagnostics removed = row_count;
    if removed = 0 and root.kind = 'users' then
      update public.chats c set user_id = null where c.id = any (array(select o.id from public.chats o where o.user_id = root.id limit most));
      get diagnostics removed = row_count;
    elsif removed = 0 then
      update public.chats c set api_key_id = null
       where c.id = any (array(select o.id from public.chats o where o.api_key_id = root.id limit most));
      get diagnostics removed = row_count;
    end if;
  elsif root.kind = 'agents' then
    chosen := array(select c.id from public.chats c where c.team_id = root.team_id and c.agent_id = root.id order by c.id limit 50);
    removed := private.remove_messages(root.team_id, chosen, most);
    if removed = 0 then
      delete from public.chats c where c.id = any (chosen);
      get diagnostics removed = row_count;
    end if;
  else
    if root.kind = 'knowledges' then
      chosen := array(select i.document_id from public.document_indexes i
                       where i.team_id = root.team_id and i.knowledge_id = root.id order by i.document_id limit 100);
    else
      chosen := array(select d.id from public.documents d where d.team_id = root.team_id and d.source_id = root.id order by d.id limit 100);
    end if;
    removed := private.remove_passages(root.team_id, chosen, case root.kind when 'knowledges' then root.id end, most);
    if removed = 0 and root.kind = 'knowledges' then
      delete from public.document_indexes i where i.knowledge_id = root.id and i.document_id = any (chosen);
      get diagnostics removed = row_count;
    elsif removed = 0 then
      delete from public.documents d where d.id = any (chosen);
      get diagnostics removed = row_count;
    end if;
  end if;

  -- Takes with it a row that came meanwhile: whoever adds one holds a lock of the root, for which this waits.
  if removed = 0 then
    delete from private.roots r where r.id = root.id;
  end if;
  return true;
end
$$;
