-- Takes a database with data from the schema before to that of sql/: restore without taken places.

drop function private.put_back_rows(uuid, regclass);

-- Restores the rows of one table. A row whose reference is deleted by now is left out, or its reference is set to null. Left out is also, below
-- the deleted row, one whose place was taken since, such as a Slack thread in which another app was asked.
create or replace function private.put_back_rows(deletion uuid, relation regclass, is_below boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  copy text := private.deleted_copy(relation);
  held text;
  columns text;
  defaults text;
begin
  select coalesce(string_agg(private.is_held(f.children, f.parents, f.parent), ' and ') filter (where f.action <> 'n'), 'true') into held
    from private.foreign_keys(relation, null) f;
  select string_agg(coalesce(e.expression, 'r.' || quote_ident(a.attname)), ', ' order by a.attnum) into columns
    from pg_catalog.pg_attribute a
    left join lateral (
      select format('case when %s then r.%I end', string_agg(private.is_held(f.children, f.parents, f.parent), ' and '), a.attname) as expression
        from private.foreign_keys(relation, null) f where f.action = 'n' and a.attname = any (f.emptied)
      having count(*) > 0) e on true
   where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  -- Of columns that an upgrade added since.
  select format('jsonb_build_object(%s) || ', string_agg(format('%L, %s', a.attname, pg_catalog.pg_get_expr(f.adbin, f.adrelid)), ', '))
    into defaults
    from (select d.content from private.deleted_rows d
           where d.deletion_id = put_back_rows.deletion and d.table_name = private.full_name(relation) and not d.is_reference limit 1) one
    join pg_catalog.pg_attribute a on a.attrelid = relation and a.attgenerated = '' and not one.content ? a.attname
    join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
  having count(*) > 0;
  execute format('insert into %s (%s) select %s from %s where %s', private.full_name(relation), private.written_columns(relation, ''),
    columns,
    coalesce(copy || ' r', format('private.deleted_rows d cross join lateral jsonb_populate_record(null::%s, %sd.content) r',
      private.full_name(relation), defaults)),
    case when copy is null then format('d.deletion_id = $1 and d.table_name = %L and not d.is_reference', private.full_name(relation))
         else 'r.deletion_id = $1' end || ' and ' || held || case when is_below then ' on conflict do nothing' else '' end) using deletion;
end
$$;
revoke all on function private.put_back_rows(uuid, regclass, boolean) from public;

-- Undoes a deletion. Raises PT404 when it does not exist or has expired, and PT409 when the row exists again or a row that it needs is
-- missing. Insert triggers skip these rows (private.is_restoring()), because they are not new. Security definer: as keep_deleted.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the team of the deletion.
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
  for one in select t.relation, t.depth > 0 as is_below from private.deletion_tables(kind) t loop
    perform private.put_back_rows(deletion, one.relation, one.is_below);
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
  perform private.rebuild_moved(deletion), private.follow_restored(kind, team, target);
  delete from private.deletions d where d.id = deletion;
exception
  -- Something has taken its place, or what it needs went in this moment.
  when unique_violation or foreign_key_violation or check_violation or not_null_violation then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
end
$$;
revoke all on function private.restore_deleted(text, uuid, uuid) from public;
grant execute on function private.restore_deleted(text, uuid, uuid) to authenticated;
