-- Undoing a deletion: its copies (84_deletions.sql) are put back. Whoever deletes a knowledge base and then its source may undo the first before
-- the second: a copy that refers to what is still deleted waits for that.

-- Builds a condition on the row r: its foreign key is null or refers to an existing row.
create function private.is_held(f_children name[], f_parents name[], parent regclass) returns text
language plpgsql stable set search_path = '' as $$
begin
  return format('(%s or exists (select from %s p where %s))',
                (select string_agg(format('r.%I is null', k), ' or ') from unnest(f_children) k), private.full_name(parent),
                (select string_agg(format('p.%I = r.%I', k.parent, k.child), ' and ') from unnest(f_children, f_parents) as k (child, parent)));
end
$$;
revoke all on function private.is_held(name[], name[], regclass) from public;

-- A condition on the copy r of a table's row: what it refers to exists. A document of a source of files also needs its file.
create function private.is_copy_held(relation regclass) returns text
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
create function private.copies_of(deletion uuid, relation regclass) returns text
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
create function private.put_back_rows(deletion uuid, relation regclass, is_below boolean, waits boolean) returns void
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
create function private.put_back_references(deletion uuid, drops boolean) returns void
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
create function private.put_back(of private.deletions, is_again boolean, waits boolean) returns void
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
  perform private.end_restored_replies(of.id), private.drop_full_links(of.id);
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

-- Undoes a deletion. Raises PT404 when it does not exist or has expired, PT409 when the row exists again, lacks a row that it needs, or belongs
-- to a list that is full. Insert triggers skip these rows (private.is_restoring()): they are not new. Security definer: as keep_deleted.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the team of the deletion.
create function private.restore_deleted(kind text, team uuid, target uuid) returns void
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
  perform private.refuse_full_list(deletion.id);
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
