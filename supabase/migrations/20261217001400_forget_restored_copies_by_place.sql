-- Takes a database with data from the schema before to that of sql/: forget restored copies by place.

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
