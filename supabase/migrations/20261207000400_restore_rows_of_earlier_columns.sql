-- An undo after an upgrade that added a column: its default is restored. A column that may not be null refused the undo.
create or replace function private.put_back_rows(deletion uuid, relation regclass) returns void
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
         else 'r.deletion_id = $1' end || ' and ' || held) using deletion;
end
$$;
