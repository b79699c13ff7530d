-- The cells of tables in what a team stores (45_storage.sql): their size and 64 bytes for each row, noted on the table when they are
-- written. A table is counted with its rows, so removing them in slices or restoring them reads none.

-- Security definer: as private.count_table_bytes().
-- Who may: the service, which alone writes tables, by a trigger. Checks: the rows of the statement.
create function private.measure_table_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.document_tables t set bytes = t.bytes + n.bytes
    from (select a.team_id, a.table_id, sum(64 + pg_column_size(a.cells) + pg_column_size(a.numbers)) as bytes
            from added a group by a.team_id, a.table_id) n
   where t.team_id = n.team_id and t.id = n.table_id;
  return null;
end
$$;
revoke all on function private.measure_table_rows() from public;
create trigger measure_table_rows after insert on public.table_rows
  referencing new table as added for each statement when (not private.is_restoring()) execute function private.measure_table_rows();

-- Never refused by itself: the passages of the same text are, and these bytes with them, unless they replace others. Security definer: no
-- client writes the changes.
-- Who may: whoever indexes or deletes what is indexed, by a trigger. Checks: the tables of the statement.
create function private.count_table_bytes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_level = 'ROW' then
    perform private.note_storage(new.team_id, new.bytes - old.bytes, false);
  elsif tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes, false)
       from (select a.team_id, sum(a.bytes)::bigint as bytes from added a group by a.team_id) n;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select g.team_id, sum(g.bytes)::bigint as bytes from gone g group by g.team_id) n;
  end if;
  return null;
end
$$;
revoke all on function private.count_table_bytes() from public;
create trigger count_new_tables after insert on public.document_tables
  referencing new table as added for each statement execute function private.count_table_bytes();
create trigger count_gone_tables after delete on public.document_tables
  referencing old table as gone for each statement execute function private.count_table_bytes();
create trigger count_changed_tables after update on public.document_tables
  for each row when (old.bytes <> new.bytes) execute function private.count_table_bytes();
