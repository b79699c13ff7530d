-- Deletions that can be undone. Deleted rows leave their tables in full, at once and for everybody: no policy, view or query has to filter
-- them. They are stored here for a few minutes, where no role reads them, and are restored unchanged or purged.

create table private.deletions (
  id uuid primary key default private.uuid_v7(),
  team_id uuid not null references private.roots (id) on delete cascade,
  kind text not null check (kind in ('agents', 'knowledges', 'sources', 'qa_entries', 'agent_tests', 'files')),
  row_id uuid not null,
  expires_at timestamptz not null,
  -- The row is back. What is left here waits for something whose deletion can be undone, too.
  is_restored boolean not null default false,
  unique (kind, row_id)
);
create index deletions_team_idx on private.deletions (team_id);
create index deletions_expires_idx on private.deletions (expires_at);

-- The rows of a deletion. keys: the row's columns that others refer to, stored apart, so that finding those reads nothing else.
-- is_reference: the row stays and only named what was deleted; a restore writes these columns back.
create table private.deleted_rows (
  deletion_id uuid not null references private.deletions (id) on delete cascade,
  number bigint not null generated always as identity,
  table_name text not null,
  is_reference boolean not null default false,
  keys jsonb not null default '{}',
  content jsonb not null,
  primary key (deletion_id, number)
);
create index deleted_rows_table_idx on private.deleted_rows (deletion_id, table_name);

-- Tables whose values are slow to convert to text and back have a typed copy, column by column.
create table private.deleted_chunk_words (
  deletion_id uuid not null references private.deletions (id) on delete cascade,
  team_id uuid not null,
  knowledge_id uuid not null,
  chunk_id uuid not null,
  lot int not null,
  words extensions.sparsevec not null,
  language text not null default '',
  primary key (deletion_id, chunk_id)
);
create table private.deleted_chunk_embeddings (
  deletion_id uuid not null references private.deletions (id) on delete cascade,
  team_id uuid not null,
  knowledge_id uuid not null,
  vector_id uuid not null,
  chunk_id uuid not null,
  dimensions int not null,
  embedding extensions.halfvec not null,
  primary key (deletion_id, chunk_id, vector_id)
);

revoke all on private.deletions, private.deleted_rows, private.deleted_chunk_words, private.deleted_chunk_embeddings
  from public, anon, authenticated, service_role;
alter table private.deletions enable row level security;
alter table private.deleted_rows enable row level security;
alter table private.deleted_chunk_words enable row level security;
alter table private.deleted_chunk_embeddings enable row level security;

-- The permission to delete a row of a kind, and to undo that.
create function private.deleting_permission(kind text) returns text
language sql immutable set search_path = '' as $$
  select case kind when 'agents' then 'agents.write' when 'agent_tests' then 'agents.write' when 'knowledges' then 'knowledges.write'
                   when 'sources' then 'sources.write' when 'qa_entries' then 'sources.write'
                   when 'files' then 'files.write' end
$$;
revoke all on function private.deleting_permission(text) from public;

-- Only the functions from here on and in 84_restoring.sql build statements dynamically, and only from names in Postgres's catalog: a list
-- of tables written by hand would miss one. Values from rows and callers are parameters. PL/pgSQL keeps the plans of what is called often.

-- A table's qualified name, which an empty search path makes of any; and its typed copy for deleted rows, if any.
create function private.full_name(relation regclass) returns text
language plpgsql stable set search_path = '' as $$ begin return relation::text; end $$;
revoke all on function private.full_name(regclass) from public;
create function private.deleted_copy(relation regclass) returns text
language sql stable set search_path = '' as $$
  select case private.full_name(relation) when 'public.chunk_words' then 'private.deleted_chunk_words'
                                          when 'public.chunk_embeddings' then 'private.deleted_chunk_embeddings' end
$$;
revoke all on function private.deleted_copy(regclass) from public;

-- The foreign keys of the database. One to a root (19_roots.sql) is shown as one to the table that the root stands for.
create view private.relations with (security_invoker = true) as
  select c.oid, c.conrelid, c.conkey, c.confkey, c.confdeltype, c.confdelsetcols, c.confrelid = 'private.roots'::regclass as is_by_root,
         case when c.confrelid <> 'private.roots'::regclass then c.confrelid::regclass
              else case a.attname when 'agent_id' then 'public.agents'::regclass when 'knowledge_id' then 'public.knowledges'::regclass
                                  when 'source_id' then 'public.sources'::regclass when 'user_id' then 'public.users'::regclass
                                  when 'api_key_id' then 'public.api_keys'::regclass when 'team_id' then 'public.teams'::regclass end end as confrelid
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[cardinality(c.conkey)]
   where c.contype = 'f';
revoke all on private.relations from public, anon, authenticated, service_role;

-- The tables whose rows are deleted with a row of a kind, found by their foreign keys: first its own table, then each table after those
-- that it refers to. Leaves out intermediate work, which a worker that resumes recreates, and, in place, what hangs on its root.
create function private.deletion_tables(kind text, in_place boolean default false) returns table (relation regclass, depth int)
language sql stable set search_path = '' as $$
  with recursive tree (relation, depth) as (
    select root.name::regclass, 0
      from unnest(array['public.' || kind] || case when kind in ('qa_entries', 'files') then array['public.documents'] else '{}' end) as root (name)
    union
    select c.conrelid::regclass, t.depth + 1
      from tree t join private.relations c on c.confdeltype = 'c' and c.confrelid = t.relation
     where not (in_place and c.is_by_root) and c.conrelid not in ('private.builds'::regclass, 'private.staged_chunks'::regclass, 'private.document_pieces'::regclass,
                              'private.listings'::regclass, 'private.listed_items'::regclass, 'private.slack_states'::regclass)
  )
  select t.relation, max(t.depth) from tree t
   group by t.relation order by max(t.depth), private.full_name(t.relation) <> 'public.' || kind, t.relation::text
$$;
revoke all on function private.deletion_tables(text, boolean) from public;

-- The writable columns of a table, each after a prefix.
create function private.written_columns(relation regclass, prefix text) returns text
language sql stable set search_path = '' as $$
  select string_agg(prefix || quote_ident(a.attname), ', ' order by a.attnum)
    from pg_catalog.pg_attribute a
   where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
$$;
revoke all on function private.written_columns(regclass, text) from public;

-- The foreign keys of a table, or to some tables, null for any: the columns of both sides, in pairs, and those that a deletion empties.
create function private.foreign_keys(of_child regclass, to_parents regclass[])
returns table (child regclass, parent regclass, action "char", children name[], parents name[], types text[], emptied name[])
language plpgsql stable set search_path = '' as $$
begin
  return query
  select c.conrelid::regclass, c.confrelid, c.confdeltype,
         array_agg(a.attname order by k.place), array_agg(p.attname order by k.place),
         array_agg(format_type(p.atttypid, p.atttypmod) order by k.place),
         array_agg(a.attname order by k.place) filter (where c.confdelsetcols is null or k.child = any (c.confdelsetcols))
    from private.relations c
   cross join lateral unnest(c.conkey, c.confkey) with ordinality as k (child, parent, place)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.child
    join pg_catalog.pg_attribute p on p.attrelid = case when c.is_by_root then 'private.roots'::regclass else c.confrelid end
                                  and p.attnum = k.parent
   where (of_child is null or c.conrelid = of_child) and (to_parents is null or c.confrelid = any (to_parents))
   group by c.oid, c.conrelid, c.confrelid, c.confdeltype;
end
$$;
revoke all on function private.foreign_keys(regclass, regclass[]) from public;

create function private.primary_key(relation regclass) returns name[]
language plpgsql stable set search_path = '' as $$
begin
  return (select array_agg(a.attname order by a.attnum)
            from pg_catalog.pg_constraint c join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
           where c.conrelid = relation and c.contype = 'p');
end
$$;
revoke all on function private.primary_key(regclass) from public;

-- Copies rows of a table into the deletion and locks them until they are deleted. wanted: a query of their primary keys, in which $1 is the
-- deletion and $2 and $3 are the team and the deleted row. Returns their number, above `most` when there are too many.
create function private.keep_rows(deletion uuid, team uuid, target uuid, relation regclass, wanted text, most int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  kept int;
  copy text := private.deleted_copy(relation);
  chosen text := format('select c.* from %s c where (%s) in (%s) limit %s for update', private.full_name(relation),
    (select string_agg('c.' || quote_ident(k), ', ') from unnest(private.primary_key(relation)) k), wanted, most + 1);
begin
  if copy is not null then
    execute format('insert into %s (deletion_id, %s) select $1, %s from (%s) r', copy, private.written_columns(relation, ''),
                   private.written_columns(relation, 'r.'), chosen) using deletion, team, target;
  else
    execute format('insert into private.deleted_rows (deletion_id, table_name, keys, content)
                    select $1, %L, jsonb_build_object(%s), to_jsonb(r) from (%s) r', private.full_name(relation),
                   coalesce((select string_agg(distinct format('%L, r.%I', k, k), ', ')
                               from private.foreign_keys(null, array[relation]) f, unnest(f.parents) k), ''), chosen)
      using deletion, team, target;
  end if;
  get diagnostics kept = row_count;
  return kept;
end
$$;
revoke all on function private.keep_rows(uuid, uuid, uuid, regclass, text, int) from public;

-- A query for the rows of a table that refer to copied rows: a join, in which c is the row. $1: the deletion.
create function private.rows_referring(child regclass, parent regclass, children name[], parents name[], types text[]) returns text
language plpgsql stable set search_path = '' as $$
begin
  return format('private.deleted_rows d join %s c on %s where d.deletion_id = $1 and d.table_name = %L and not d.is_reference',
                private.full_name(child),
                (select string_agg(format('c.%I = (d.keys ->> %L)::%s', k.child, k.parent, k.type), ' and ')
                   from unnest(children, parents, types) as k (child, parent, type)), private.full_name(parent));
end
$$;
revoke all on function private.rows_referring(regclass, regclass, name[], name[], text[]) from public;

-- Has a deletion wait for the team's workers before it locks anything: each of their transactions locks its task first. Otherwise a deletion
-- loses one deadlock after the other in a team whose sources are read, until it fails. Security definer: no client may lock tasks.
-- Who may: those who delete. Checks: the permission to delete, in the team.
create function private.hold_tasks(team uuid, permission text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if team = any (private.teams_with(permission)) then
    perform 1 from public.tasks t where t.team_id = team and t.status in ('running', 'stopping') order by t.id for update;
  end if;
end
$$;
revoke all on function private.hold_tasks(uuid, text) from public;
grant execute on function private.hold_tasks(uuid, text) to authenticated;

-- Copies a row and all that is deleted with it, just before the delete in the same transaction. Returns the deadline for undoing it; null
-- when it cannot be undone: too many rows, a file's bytes were not copied, a platform admin deletes it, or the caller may not. Every row is
-- locked before its referring rows are looked up, so that no new one can appear in between. Security definer: no role reads the copies.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the row's own team.
create function private.keep_deleted(kind text, team uuid, target uuid) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant int := 20000;
  deletion uuid := private.uuid_v7();
  until timestamptz := clock_timestamp() + interval '5 minutes';
  is_there boolean;
  one record;
  wanted text;
  -- Of many conversations or passages nothing is copied: they stay where they are, hidden, until the deletion is undone or purged.
  in_place boolean;
  kept regclass[];
  rows_left int := most;
begin
  perform private.hold_tasks(team, private.deleting_permission(kind));
  if private.is_admin() or private.deleting_permission(kind) is null
     or not team = any (private.teams_with(private.deleting_permission(kind))) then
    return null;
  end if;
  -- Of two who delete it at once, the second waits and finds nothing: otherwise it would replace the first one's copies with none.
  execute format('select exists (select from (select from %s t where t.team_id = $1 and t.id = $2 for update) r)',
                 private.full_name(('public.' || kind)::regclass))
    into is_there using team, target;
  if not is_there then
    return null;
  end if;
  -- A source's passages are among those of others, which a search that leaves them out for minutes would be slow to find.
  if kind = 'sources' and (select count(*) from (
       select from public.documents d join public.chunks c on c.team_id = d.team_id and c.document_id = d.id
        where d.team_id = team and d.source_id = target limit 5001) h) > 5000 then
    return null;
  end if;
  in_place := coalesce((select r.kind in ('agents', 'knowledges') and private.count_hanging(r) > 1000
                          from private.roots r where r.team_id = team and r.id = target), false);
  kept := array(select t.relation from private.deletion_tables(kind, in_place) t);
  -- Of a row that was restored since and is deleted again, or of one whose deletion did not come to its end.
  delete from private.deletions d where d.kind = keep_deleted.kind and d.row_id = target;
  insert into private.deletions (id, team_id, kind, row_id, expires_at) values (deletion, team, kind, target, until);
  for one in select t.relation, t.depth from private.deletion_tables(kind, in_place) t loop
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
      from private.foreign_keys(null, kept) f where f.action = 'n'
  loop
    execute format('insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
                    select $1, %L, true, jsonb_build_object(%s) from %s', one.name,
                   (select string_agg(distinct format('%L, c.%I', k, k), ', ') from unnest(private.primary_key(one.child) || one.children) k),
                   private.rows_referring(one.child, one.parent, one.children, one.parents, one.types)) using deletion;
  end loop;
  perform private.count_kept_links(deletion), private.count_kept_list(deletion);
  perform set_config('parley.kept', target || case when in_place then ' in place' else ' copied' end, true);
  return until;
end
$$;
revoke all on function private.keep_deleted(text, uuid, uuid) from public;
grant execute on function private.keep_deleted(text, uuid, uuid) to authenticated;
