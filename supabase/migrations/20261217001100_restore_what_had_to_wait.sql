-- Takes a database with data from the schema before to that of sql/: restore what had to wait.

alter table private.deletions add column is_restored boolean not null default false;

drop function private.put_back_rows(uuid, regclass, boolean);

-- A condition on the copy r of a table's row: what it refers to exists. A document of a source of files also needs its file.
create or replace function private.is_copy_held(relation regclass) returns text
language sql stable set search_path = '' as $$
  select coalesce((select string_agg(private.is_held(f.children, f.parents, f.parent), ' and ')
                     from private.foreign_keys(relation, null) f where f.action <> 'n'), 'true')
         || case when relation <> 'public.documents'::regclass then ''
                 else ' and not exists (select from public.sources s
                                         where s.team_id = r.team_id and s.id = r.source_id and s.type = ''file'' and s.config -> ''fileIds'' ? r.external_id
                                           and not exists (select from public.files f where f.team_id = r.team_id and f.id::text = r.external_id))' end
$$;
revoke all on function private.is_copy_held(regclass) from public;

-- The copies of a table's rows as the rows r, with the defaults of columns that an upgrade added since. $1: the deletion.
create or replace function private.copies_of(deletion uuid, relation regclass) returns text
language plpgsql volatile set search_path = '' as $$
declare
  copy text := private.deleted_copy(relation);
  defaults text;
begin
  if copy is not null then
    return format('%s r where r.deletion_id = $1', copy);
  end if;
  select format('jsonb_build_object(%s) || ', string_agg(format('%L, %s', a.attname, pg_catalog.pg_get_expr(f.adbin, f.adrelid)), ', '))
    into defaults
    from (select d.content from private.deleted_rows d
           where d.deletion_id = deletion and d.table_name = private.full_name(relation) and not d.is_reference limit 1) one
    join pg_catalog.pg_attribute a on a.attrelid = relation and a.attgenerated = '' and not one.content ? a.attname
    join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
  having count(*) > 0;
  return format('private.deleted_rows d cross join lateral jsonb_populate_record(null::%s, %sd.content) r
                  where d.deletion_id = $1 and d.table_name = %L and not d.is_reference', private.full_name(relation), defaults, private.full_name(relation));
end
$$;
revoke all on function private.copies_of(uuid, regclass) from public;

-- Restores the rows of one table. A row whose reference is deleted is left out, or its reference is set to null, and noted for later. Left out is
-- also, below the deleted row, one whose place was taken since, such as a Slack thread in which another app was asked.
create or replace function private.put_back_rows(deletion uuid, relation regclass, is_below boolean, waits boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  copies text := private.copies_of(deletion, relation);
  held text := private.is_copy_held(relation);
  one record;
  columns text;
begin
  for one in select f.* from private.foreign_keys(relation, null) f where waits and f.action = 'n' loop
    execute format('insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
                    select $1, %L, true, jsonb_build_object(%s) from %s and %s and not %s', private.full_name(relation),
                   (select string_agg(distinct format('%L, r.%I', k, k), ', ') from unnest(private.primary_key(relation) || one.children) k),
                   copies, held, private.is_held(one.children, one.parents, one.parent)) using deletion;
  end loop;
  select string_agg(coalesce(e.expression, 'r.' || quote_ident(a.attname)), ', ' order by a.attnum) into columns
    from pg_catalog.pg_attribute a
    left join lateral (
      select format('case when %s then r.%I end', string_agg(private.is_held(f.children, f.parents, f.parent), ' and '), a.attname) as expression
        from private.foreign_keys(relation, null) f where f.action = 'n' and a.attname = any (f.emptied)
      having count(*) > 0) e on true
   where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  execute format('insert into %s (%s) select %s from %s and %s%s', private.full_name(relation), private.written_columns(relation, ''),
    columns, copies, held, case when is_below then ' on conflict do nothing' end) using deletion;
end
$$;
revoke all on function private.put_back_rows(uuid, regclass, boolean, boolean) from public;

-- Writes references of a deletion back into the rows that stayed, where nothing has taken their place. With drops, it forgets these instead.
create or replace function private.put_back_references(deletion uuid, drops boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  one record;
  found text;
begin
  for one in
    select f.*, private.full_name(f.child) as name
      from (select distinct d.table_name::regclass as child from private.deleted_rows d where d.deletion_id = deletion and d.is_reference) t
     cross join lateral private.foreign_keys(t.child, null) f where f.action = 'n'
  loop
    found := format('private.deleted_rows d cross join lateral jsonb_populate_record(null::%s, d.content) r
                      where d.deletion_id = $1 and d.table_name = %L and d.is_reference and d.content ?& %L and %s and %s', one.name, one.name,
      one.children, (select string_agg(format('t.%I = r.%I', k, k), ' and ') from unnest(private.primary_key(one.child)) k),
      private.is_held(one.children, one.parents, one.parent));
    if drops then
      execute format('delete from private.deleted_rows x where x.ctid = any (array(select d.ctid from %s t cross join %s))', one.name, found)
        using deletion;
    else
      execute format('update %s t set %s from %s and %s', one.name,
        (select string_agg(format('%I = r.%I', k, k), ', ') from unnest(one.emptied) k), found,
        (select string_agg(format('t.%I is null', k), ' and ') from unnest(one.emptied) k)) using deletion;
    end if;
  end loop;
end
$$;
revoke all on function private.put_back_references(uuid, boolean) from public;

-- Puts back what can be of a deletion. is_again: its row is back already, and this is what had to wait. waits: something else of the team can
-- still be restored, for which the rest stays.
create or replace function private.put_back(of private.deletions, is_again boolean, waits boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  one record;
begin
  perform set_config('parley.restoring', 'on', true);
  for one in select t.relation, t.depth from private.deletion_tables(of.kind) t loop
    perform private.put_back_rows(of.id, one.relation, is_again or one.depth > 0, waits);
  end loop;
  perform private.put_back_references(of.id, false);
  perform private.list_file_again(of.id, of.team_id, of.row_id) where of.kind = 'files';
  perform set_config('parley.restoring', '', true);
  perform private.leave_unlinked(of.id) where of.kind in ('files', 'qa_entries');
  perform private.rebuild_moved(of.id);
  if waits then
    for one in select t.relation, private.deleted_copy(t.relation) as copy from private.deletion_tables(of.kind) t loop
      -- By place: joined by number, they are compared with each other where the planner expects few.
      execute format(case when one.copy is null then 'delete from private.deleted_rows x where x.ctid = any (array(select d.ctid from %2$s and %3$s))'
                          else 'delete from %1$s r where r.deletion_id = $1 and %3$s' end,
                     one.copy, private.copies_of(of.id, one.relation), private.is_copy_held(one.relation)) using of.id;
    end loop;
    perform private.put_back_references(of.id, true);
    delete from private.deleted_rows d using public.sources s
     where d.deletion_id = of.id and d.is_reference and d.table_name = 'public.sources' and of.kind = 'files'
       and s.team_id = of.team_id and s.id = (d.content ->> 'id')::uuid;
  end if;
end
$$;
revoke all on function private.put_back(private.deletions, boolean, boolean) from public;

-- Undoes a deletion. Raises PT404 when it does not exist or has expired, PT409 when the row exists again or lacks a row that it needs. Insert
-- triggers skip these rows (private.is_restoring()): they are not new. Security definer: as keep_deleted.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the team of the deletion.
create or replace function private.restore_deleted(kind text, team uuid, target uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  deletion private.deletions;
  earlier private.deletions;
  -- When the last of what else can be restored expires.
  until timestamptz;
  root_query constant text := 'select exists (select from %s t where t.team_id = $1 and t.id = $2)';
  is_there boolean;
begin
  if private.deleting_permission(kind) is null or not team = any (private.teams_with(private.deleting_permission(kind))) then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  -- One after the other in a team, each with what the others left.
  perform 1 from private.deletions d where d.team_id = team and d.expires_at > clock_timestamp() order by d.id for update;
  select d.* into deletion from private.deletions d
   where d.kind = restore_deleted.kind and d.team_id = team and d.row_id = target and d.expires_at > clock_timestamp() and not d.is_restored;
  execute format(root_query, private.full_name(('public.' || kind)::regclass)) into is_there using team, target;
  if is_there then
    raise exception 'this is not deleted' using errcode = 'PT409', hint = 'notDeleted';
  elsif deletion.id is null then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  if kind = 'files' then
    -- What a worker has made of it since that had it on its list before: the documents of then come back.
    delete from public.documents d using public.sources s
     where s.team_id = team and s.type = 'file' and d.team_id = team and d.source_id = s.id and d.external_id = target::text;
  end if;
  select max(d.expires_at) into until from private.deletions d
   where d.team_id = team and d.id <> deletion.id and d.expires_at > clock_timestamp() and not d.is_restored;
  perform private.put_back(deletion, false, until is not null);
  execute format(root_query, private.full_name(('public.' || kind)::regclass)) into is_there using team, target;
  if not is_there then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
  end if;
  for earlier in select d.* from private.deletions d where d.team_id = team and d.is_restored and d.expires_at > clock_timestamp() loop
    execute format(root_query, private.full_name(('public.' || earlier.kind)::regclass)) into is_there using team, earlier.row_id;
    begin
      perform private.put_back(earlier, true, until is not null) where is_there;
    exception
      -- It has been changed meanwhile, so that what it had no longer fits.
      when unique_violation or foreign_key_violation or check_violation or not_null_violation then
        delete from private.deleted_rows r where r.deletion_id = earlier.id;
    end;
  end loop;
  perform private.follow_restored(kind, team, target);
  delete from private.deletions d where d.team_id = team and (d.id = deletion.id or d.is_restored) and not exists (
    select from private.deleted_rows r where r.deletion_id = d.id and until is not null);
  update private.deletions d set is_restored = true, expires_at = until
   where d.team_id = team and (d.id = deletion.id or d.is_restored);
exception
  -- Something has taken its place, or what it needs went in this moment.
  when unique_violation or foreign_key_violation or check_violation or not_null_violation then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
end
$$;
revoke all on function private.restore_deleted(text, uuid, uuid) from public;
grant execute on function private.restore_deleted(text, uuid, uuid) to authenticated;

-- Repeats what the deletion prevented: ends the runs whose tasks it deleted, re-indexes knowledge bases that were indexed without the rows,
-- and asks questions again whose task found the agent or the written answer gone. What somebody stopped stays stopped.
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
      -- One whose deletion can be undone is listed again then.
      insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
      select d.id, 'public.sources', true, jsonb_build_object('id', target, 'place', listed.place - 1)
        from public.sources s cross join lateral jsonb_array_elements_text(s.config -> 'fileIds') with ordinality as listed (id, place)
        join private.deletions d on d.kind = 'files' and d.team_id = team and d.row_id::text = listed.id
       where s.team_id = team and s.id = target and listed.id = any (gone);
      update public.sources s set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - gone)
       where s.team_id = team and s.id = target;
      delete from public.documents d where d.team_id = team and d.source_id = target and d.external_id = any (gone);
    end if;
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks
     where ks.team_id = team and ks.source_id = target and k.team_id = team and k.id = ks.knowledge_id
       and k.status not in ('none', 'indexing', 'stopping');
    perform private.recount_sources(array[target]), private.recount_linked(team, array[target]);
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
  update public.gaps g set task_id = private.enqueue_task(team, 'gaps', 'gaps:gap:' || g.id)
   where g.team_id = team and g.id in (
     select w.id from public.gaps w
       join public.tasks t on t.team_id = team and t.id = w.task_id and t.status not in ('stopping', 'stopped')
      where w.team_id = team
        and (w.agent_id = target
             or w.entry_id in (select e.id from public.qa_entries e where e.team_id = team and target in (e.id, e.source_id)))
        and exists (select from public.gap_questions q where q.team_id = team and q.gap_id = w.id and q.again = 'waiting'));
  -- keep_deleted() lets a deletion be undone for five minutes.
  perform private.ask_again_since(team, private.knowledges_reading(d.kind, team, target), d.expires_at - interval '5 minutes')
     from private.deletions d
    where d.kind = follow_restored.kind and d.kind not in ('agents', 'agent_tests') and d.team_id = team and d.row_id = target;
end
$$;
revoke all on function private.follow_restored(text, uuid, uuid) from public;
