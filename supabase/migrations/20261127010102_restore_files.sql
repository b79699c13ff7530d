-- Files are a kind of what is deleted and restored, with the documents that were made of them.
create or replace function private.deleting_permission(kind text) returns text
language sql immutable set search_path = '' as $$
  select case kind when 'agents' then 'agents.write' when 'agent_tests' then 'agents.write' when 'knowledges' then 'knowledges.write'
                   when 'sources' then 'sources.write' when 'qa_entries' then 'sources.write'
                   when 'files' then 'files.write' end
$$;

create or replace function private.deletion_tables(kind text) returns table (relation regclass, depth int)
language sql stable set search_path = '' as $$
  with recursive tree (relation, depth) as (
    select root.name::regclass, 0
      from unnest(array['public.' || kind] || case when kind in ('qa_entries', 'files') then array['public.documents'] else '{}' end) as root (name)
    union
    select c.conrelid::regclass, t.depth + 1
      from tree t join pg_catalog.pg_constraint c on c.contype = 'f' and c.confdeltype = 'c' and c.confrelid = t.relation
     where c.conrelid not in ('private.builds'::regclass, 'private.staged_chunks'::regclass, 'private.document_pieces'::regclass,
                              'private.listings'::regclass, 'private.listed_items'::regclass, 'private.slack_states'::regclass)
  )
  select t.relation, max(t.depth) from tree t
   group by t.relation order by max(t.depth), private.full_name(t.relation) <> 'public.' || kind, t.relation::text
$$;

create or replace function private.keep_deleted(kind text, team uuid, target uuid) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant int := 20000;
  deletion uuid := private.uuid_v7();
  until timestamptz := clock_timestamp() + interval '5 minutes';
  is_there boolean;
  one record;
  wanted text;
  kept regclass[] := array(select t.relation from private.deletion_tables(kind) t);
  rows_left int := most;
begin
  if private.is_admin() or private.deleting_permission(kind) is null
     or not team = any (private.teams_with(private.deleting_permission(kind))) then
    return null;
  end if;
  execute format('select exists (select from %s t where t.team_id = $1 and t.id = $2)',
                 private.full_name(kept[1]))
    into is_there using team, target;
  if not is_there then
    return null;
  end if;
  -- Of a row that was restored since and is deleted again, or of one whose deletion did not come to its end.
  delete from private.deletions d where d.kind = keep_deleted.kind and d.row_id = target;
  insert into private.deletions (id, team_id, kind, row_id, expires_at) values (deletion, team, kind, target, until);
  for one in select t.relation, t.depth from private.deletion_tables(kind) t loop
    if one.depth = 0 then
      wanted := format('select t.id from %s t where t.team_id = $2 and t.id = $3', private.full_name(one.relation));
      -- A written answer has a document, which a trigger deletes with it.
      if kind = 'qa_entries' and one.relation = 'public.documents'::regclass then
        wanted := 'select t.id from public.documents t
                     join public.qa_entries e on e.team_id = t.team_id and e.source_id = t.source_id and e.id::text = t.external_id
                    where t.type = ''qa'' and e.team_id = $2 and e.id = $3';
      -- So do files, one in every source that lists them.
      elsif kind = 'files' and one.relation = 'public.documents'::regclass then
        wanted := 'select t.id from public.documents t
                     join public.sources s on s.team_id = t.team_id and s.id = t.source_id
                    where s.type = ''file'' and s.config -> ''fileIds'' ? $3::text and t.team_id = $2 and t.external_id = $3::text';
      end if;
    else
      select string_agg(format('select %s from %s',
               (select string_agg('c.' || quote_ident(k), ', ') from unnest(private.primary_key(f.child)) k),
               private.rows_referring(f.child, f.parent, f.children, f.parents, f.types)), ' union ')
        into wanted
        from private.foreign_keys(one.relation, kept) f
       where f.action = 'c';
    end if;
    rows_left := rows_left - private.keep_rows(deletion, team, target, one.relation, wanted, rows_left);
    if rows_left < 0 then
      delete from private.deletions d where d.id = deletion;
      return null;
    end if;
  end loop;
  if kind = 'files' and not private.take_copies(deletion, team, target) then
    delete from private.deletions d where d.id = deletion;
    return null;
  end if;
  -- Rows that stay and only name what goes.
  for one in
    select f.*, private.full_name(f.child) as name
      from private.foreign_keys(null, array(select t.relation from private.deletion_tables(kind) t)) f where f.action = 'n'
  loop
    execute format('insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
                    select $1, %L, true, jsonb_build_object(%s) from %s', one.name,
                   (select string_agg(distinct format('%L, c.%I', k, k), ', ') from unnest(private.primary_key(one.child) || one.children) k),
                   private.rows_referring(one.child, one.parent, one.children, one.parents, one.types)) using deletion;
  end loop;
  return until;
end
$$;

create or replace function private.follow_restored(kind text, team uuid, target uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  gone text[];
begin
  if kind = 'agents' then
    update public.agent_test_runs r set status = 'stopped', finished_at = clock_timestamp()
     where r.team_id = team and r.agent_id = target and r.status in ('queued', 'running') and not exists (
       select from public.tasks t
        where t.team_id = team and t.id = r.task_id and t.status in ('queued', 'waiting', 'running', 'stopping'));
  elsif kind = 'knowledges' then
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
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || k.id, null, k.id, null)
       from public.knowledge_sources ks join public.knowledges k on k.team_id = team and k.id = ks.knowledge_id
      where ks.team_id = team and ks.source_id = target and k.status <> 'none';
  elsif kind = 'files' then
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks join public.sources s on s.team_id = team and s.id = ks.source_id
     where s.type = 'file' and s.config -> 'fileIds' ? target::text
       and ks.team_id = team and k.team_id = team and k.id = ks.knowledge_id and k.status not in ('none', 'indexing', 'stopping');
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || used.id, null, used.id, null)
       from (select distinct k.id
               from public.knowledge_sources ks join public.sources s on s.team_id = team and s.id = ks.source_id
               join public.knowledges k on k.team_id = team and k.id = ks.knowledge_id
              where s.type = 'file' and s.config -> 'fileIds' ? target::text and ks.team_id = team and k.status <> 'none'
              order by k.id) used;
  elsif kind = 'qa_entries' then
    perform private.enqueue_task(team, 'sync', 'sync:source:' || e.source_id, e.source_id, null, null)
       from public.qa_entries e where e.team_id = team and e.id = target;
  end if;
end
$$;

create function private.leave_unlinked(deletion uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.documents d using private.deleted_rows r, public.sources s
   where r.deletion_id = deletion and r.table_name = 'public.documents' and not r.is_reference
     and d.id = (r.content ->> 'id')::uuid and s.team_id = d.team_id and s.id = d.source_id and s.type = 'file'
     and not coalesce(s.config -> 'fileIds' ? d.external_id, false);
  delete from public.chunks c using private.deleted_rows r, public.documents d
   where r.deletion_id = deletion and r.table_name = 'public.documents' and not r.is_reference
     and d.id = (r.content ->> 'id')::uuid and c.team_id = d.team_id and c.document_id = d.id
     and not exists (select from public.knowledge_sources ks
                      where ks.team_id = d.team_id and ks.source_id = d.source_id and ks.knowledge_id = c.knowledge_id);
  delete from public.document_indexes i using private.deleted_rows r, public.documents d
   where r.deletion_id = deletion and r.table_name = 'public.documents' and not r.is_reference
     and d.id = (r.content ->> 'id')::uuid and i.team_id = d.team_id and i.document_id = d.id
     and not exists (select from public.knowledge_sources ks
                      where ks.team_id = d.team_id and ks.source_id = d.source_id and ks.knowledge_id = i.knowledge_id);
end
$$;
revoke all on function private.leave_unlinked(uuid) from public;

create or replace function private.restore_deleted(kind text, team uuid, target uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  deletion uuid;
  root_query constant text := format('select exists (select from %s t where t.team_id = $1 and t.id = $2)',
    (select private.full_name(t.relation) from private.deletion_tables(kind) t limit 1));
  is_there boolean;
  one record;
begin
  if private.deleting_permission(kind) is null or not team = any (private.teams_with(private.deleting_permission(kind))) then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  select d.id into deletion from private.deletions d
   where d.kind = restore_deleted.kind and d.team_id = team and d.row_id = target and d.expires_at > clock_timestamp() for update;
  execute root_query into is_there using team, target;
  if is_there then
    raise exception 'this is not deleted' using errcode = 'PT409', hint = 'notDeleted';
  elsif deletion is null then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  if kind = 'files' then
    -- What a worker has made of it since that had it on its list before: the documents of then come back.
    delete from public.documents d using public.sources s
     where s.team_id = team and s.type = 'file' and d.team_id = team and d.source_id = s.id and d.external_id = target::text;
  end if;
  perform set_config('parley.restoring', 'on', true);
  for one in select t.relation from private.deletion_tables(kind) t loop
    perform private.put_back_rows(deletion, one.relation);
  end loop;
  for one in
    select f.*, private.full_name(f.child) as name
      from private.foreign_keys(null, array(select t.relation from private.deletion_tables(kind) t)) f where f.action = 'n'
  loop
    execute format('update %s t set %s from private.deleted_rows d cross join lateral jsonb_populate_record(null::%s, d.content) r
                     where d.deletion_id = $1 and d.table_name = %L and d.is_reference and d.content ?& %L and %s and %s and %s',
      one.name, (select string_agg(format('%I = r.%I', k, k), ', ') from unnest(one.emptied) k), one.name, one.name, one.children,
      (select string_agg(format('t.%I = r.%I', k, k), ' and ') from unnest(private.primary_key(one.child)) k),
      (select string_agg(format('t.%I is null', k), ' and ') from unnest(one.emptied) k),
      private.is_held(one.children, one.parents, one.parent)) using deletion;
  end loop;
  perform private.list_file_again(deletion, team, target) where kind = 'files';
  perform set_config('parley.restoring', '', true);
  execute root_query into is_there using team, target;
  if not is_there then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
  end if;
  perform private.leave_unlinked(deletion) where kind in ('files', 'qa_entries');
  perform private.follow_restored(kind, team, target);
  delete from private.deletions d where d.id = deletion;
exception
  -- Something has taken its place, or what it needs went in this moment.
  when unique_violation or foreign_key_violation or check_violation or not_null_violation then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
end
$$;

create or replace function private.purge_deletions(most int) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  purged int;
begin
  delete from private.deletions d
   where d.id = any (array(select o.id from private.deletions o where o.expires_at <= clock_timestamp()
                            order by o.expires_at limit most for update skip locked));
  get diagnostics purged = row_count;
  perform private.purge_copies(most);
  return purged;
end
$$;
