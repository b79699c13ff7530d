-- Rows in the order of a column, and figures for each group of rows.
-- Counts, sums and extremes of a column (from 0; null to count rows alone) over the rows of a table that are wanted, and up to so
-- many of these rows: those with the smallest or largest number where op asks for it (all that share it), those with the lowest or
-- highest numbers in that order, else the first ones.
-- blanks: wanted rows without a number in that column. Runs as the caller, who sees what row-level security lets them see.
create or replace function private.compute_table(table_id uuid, op text, value_column int default null, wanted jsonb default '[]', most_rows int default 8)
returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  result jsonb;
begin
  if op is null or op not in ('count', 'sum', 'average', 'smallest', 'largest', 'lowest', 'highest', 'list') then
    raise exception 'op is count, sum, average, smallest, largest, lowest, highest or list' using errcode = '22023';
  end if;
  if jsonb_typeof(wanted) <> 'array' or jsonb_array_length(wanted) > 20 then
    raise exception 'wanted is a list of at most 20 conditions' using errcode = '22023';
  end if;
  with found as materialized (
    select r.position, r.cells, r.start_offset, r.end_offset, r.numbers[value_column + 1] as value
      from public.document_tables t join public.table_rows r on r.team_id = t.team_id and r.table_id = t.id
     where t.id = compute_table.table_id and private.is_row_wanted(r.cells, r.numbers, wanted)
  ), figures as (
    select count(*) as rows, count(f.value) as numbers, sum(f.value) as sum, avg(f.value) as average,
           min(f.value) as smallest, max(f.value) as largest from found f
  )
  select jsonb_build_object('rows', g.rows, 'blanks', case when value_column is null then 0 else g.rows - g.numbers end,
           'sum', g.sum, 'average', g.average, 'smallest', g.smallest, 'largest', g.largest,
           'shown', coalesce((
             select jsonb_agg(jsonb_build_object('cells', to_jsonb(s.cells), 'start', s.start_offset, 'end', s.end_offset)
                              order by s.sorted, s.position)
               from (select f.*, case op when 'lowest' then f.value when 'highest' then - f.value end as sorted from found f
                      where case op when 'smallest' then f.value = g.smallest when 'largest' then f.value = g.largest
                                    when 'lowest' then f.value is not null when 'highest' then f.value is not null else true end
                      order by sorted, f.position limit least(greatest(most_rows, 0), 50)) s), '[]'))
    into result from figures g;
  return result;
end
$$;
revoke all on function private.compute_table(uuid, text, int, jsonb, int) from public;
grant execute on function private.compute_table(uuid, text, int, jsonb, int) to authenticated, service_role;

-- The same for each group of the rows that are wanted: those with the same cell in a column, whatever its case and spaces, or the
-- dates of one month or year; the groups with the most first, and with each its first row. op as above, without rows to list.
-- A month is written YYYY-MM, a year YYYY; what has no date is a group with the name ''. Runs as the caller.
create function private.compute_groups(
  table_id uuid, op text, value_column int, group_column int, part text default 'value', wanted jsonb default '[]', most_groups int default 8)
returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  result jsonb;
begin
  if op is null or op not in ('count', 'sum', 'average', 'smallest', 'largest') then
    raise exception 'op is count, sum, average, smallest or largest' using errcode = '22023';
  end if;
  if part is null or part not in ('value', 'month', 'year') then
    raise exception 'part is value, month or year' using errcode = '22023';
  end if;
  if jsonb_typeof(wanted) <> 'array' or jsonb_array_length(wanted) > 20 then
    raise exception 'wanted is a list of at most 20 conditions' using errcode = '22023';
  end if;
  with found as materialized (
    select r.position, r.cells, r.start_offset, r.end_offset, r.numbers[value_column + 1] as value,
           case part when 'value' then btrim(r.cells[group_column + 1])
                else coalesce(to_char(date '1970-01-01' + r.numbers[group_column + 1]::int,
                                      case part when 'month' then 'YYYY-MM' else 'YYYY' end), '') end as name
      from public.document_tables t join public.table_rows r on r.team_id = t.team_id and r.table_id = t.id
     where t.id = compute_groups.table_id and private.is_row_wanted(r.cells, r.numbers, wanted)
  ), grouped as (
    select (array_agg(f.name order by f.position))[1] as name, min(f.position) as first, count(*) as rows, count(f.value) as numbers,
           case op when 'count' then count(*) when 'sum' then sum(f.value) when 'average' then avg(f.value)
                   when 'smallest' then min(f.value) else max(f.value) end as value
      from found f group by lower(f.name)
  )
  select jsonb_build_object('rows', (select count(*) from found), 'groups', (select count(*) from grouped),
           'blanks', case when op = 'count' then 0 else (select count(*) from found f where f.value is null) end,
           'shown', coalesce((
             select jsonb_agg(jsonb_build_object('name', s.name, 'rows', s.rows, 'value', s.value,
                                                 'start', f.start_offset, 'end', f.end_offset) order by s.at)
               from (select g.*, row_number() over (order by case when part = 'value' then - g.value end nulls last, g.name, g.first) as at
                       from grouped g order by at limit least(greatest(most_groups, 0), 50)) s
               join found f on f.position = s.first), '[]'))
    into result;
  return result;
end
$$;
revoke all on function private.compute_groups(uuid, text, int, int, text, jsonb, int) from public;
grant execute on function private.compute_groups(uuid, text, int, int, text, jsonb, int) to authenticated, service_role;
