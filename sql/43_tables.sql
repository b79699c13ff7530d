-- Tables of documents as cells, beside the passages made from the same text. Clients read. The indexing service writes them in the
-- transaction that switches a document's chunks; removing a document from a knowledge base deletes them.

create table public.document_tables (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  knowledge_id uuid not null,
  document_id uuid not null,
  position int not null,
  caption text not null default '',
  -- [{ "name", "kind": "text" | "number" | "date", "unit", "values" }], as edge-functions/_shared/text/cell-values.ts says.
  columns jsonb not null,
  rows_count int not null,
  created_at timestamptz not null default now(),
  -- What its rows count as in the team's storage (45_table_storage.sql).
  bytes bigint not null default 0,
  primary key (id),
  unique (team_id, id),
  unique (knowledge_id, document_id, position),
  foreign key (knowledge_id, document_id) references public.document_indexes (knowledge_id, document_id) on delete cascade
);
create index document_tables_team_knowledge_idx on public.document_tables (team_id, knowledge_id);

-- One row of a table. cells as text; numbers: the same cells as numbers, null for a cell that is not one, and days since 1970-01-01 for a
-- date. start_offset, end_offset: the row's range in the document's text, as for chunks.
create table public.table_rows (
  team_id uuid not null,
  knowledge_id uuid not null,
  table_id uuid not null,
  position int not null,
  cells text[] not null,
  numbers float8[] not null,
  start_offset int not null,
  end_offset int not null,
  primary key (team_id, table_id, position),
  foreign key (team_id, table_id) references public.document_tables (team_id, id) on delete cascade
);

revoke all on public.document_tables, public.table_rows from public, anon, authenticated;
grant select, insert, update, delete on public.document_tables, public.table_rows to service_role;
grant select on public.document_tables, public.table_rows to authenticated;

alter table public.document_tables enable row level security;
create policy "members read their team's tables" on public.document_tables for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "nobody reads tables of a deleted knowledge base or source" on public.document_tables as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and document_id not in (select private.detached_documents())
     and (knowledge_id, document_id) not in (select i.knowledge_id, i.document_id from private.cleared_indexes() i));
create policy "an answering agent reads its tables" on public.document_tables for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

alter table public.table_rows enable row level security;
create policy "members read the rows of their team's tables" on public.table_rows for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "nobody reads table rows of a deleted knowledge base or source" on public.table_rows as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and table_id not in (select private.detached_tables()));
create policy "an answering agent reads the rows of its tables" on public.table_rows for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

-- True when a row of a table matches a filter. wanted: [{ "column": index from 0, "op": "is" | "contains" | "between", "texts", "low",
-- "high", "isLowIn", "isHighIn" }]. All conditions must match, and one of each condition's texts.
create function private.is_row_wanted(cells text[], numbers float8[], wanted jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(bool_and(case f.op
           when 'is' then exists (select from unnest(f.texts) x where lower(btrim(x)) = lower(btrim(cells[f."column" + 1])))
           when 'contains' then exists (select from unnest(f.texts) x where strpos(lower(cells[f."column" + 1]), lower(x)) > 0)
           when 'between' then coalesce(
                 (f.low is null or numbers[f."column" + 1] > f.low or (f."isLowIn" and numbers[f."column" + 1] = f.low))
             and (f.high is null or numbers[f."column" + 1] < f.high or (f."isHighIn" and numbers[f."column" + 1] = f.high))
             and numbers[f."column" + 1] is not null, false)
           else false end), true)
    from jsonb_to_recordset(wanted) f ("column" int, op text, texts text[], low float8, high float8, "isLowIn" boolean, "isHighIn" boolean)
$$;
revoke all on function private.is_row_wanted(text[], float8[], jsonb) from public;
grant execute on function private.is_row_wanted(text[], float8[], jsonb) to authenticated, service_role;

-- Counts, sums and extremes of a column (from 0; null only counts rows) over the matching rows of a table, with a limited list of them:
-- those with the smallest or largest number when op asks for it (ties included), those with the lowest or highest numbers in that order,
-- else the first ones. blanks: matching rows without a number in that column. Runs as the caller: row-level security applies.
create function private.compute_table(table_id uuid, op text, value_column int default null, wanted jsonb default '[]', most_rows int default 8)
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

-- The same per group of matching rows: an equal cell in a column, ignoring case and spaces, or dates of one month or year. The largest
-- groups come first, each with its first row. op as above, without listed rows. A month is written YYYY-MM, a year YYYY; rows without a
-- date form a group named ''. Runs as the caller.
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
