-- Team imports: the archive that a team is created from, what has been read so far, and the report. The team is empty while its import
-- runs. Documents, chats, messages and handovers are written in slices below hidden roots; all else, which shows them, with the task's end.

create table public.team_imports (
  team_id uuid primary key references public.teams (id) on delete cascade,
  -- The archive's parts are objects under this id, which belongs to no team.
  archive uuid not null,
  parts int not null check (parts between 1 and 1000),
  size bigint not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Names of the files read from the archive: a worker that resumes starts after them.
  finished text[] not null default '{}',
  -- How far the hidden rows are written, by kind: { last, rows, leftOut }, where last is the position of a row.
  written jsonb not null default '{}',
  -- { brought, toDo } when the import is complete.
  report jsonb,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index team_imports_created_by_idx on public.team_imports (created_by);
create trigger touch_team_imports before update on public.team_imports
  for each row execute function private.touch_updated_at();

revoke all on public.team_imports from public, anon, authenticated;
grant select (team_id, size, sha256, report, created_by, created_at, updated_at) on public.team_imports to authenticated;
grant select, insert, update, delete on public.team_imports to service_role;
alter table public.team_imports enable row level security;
create policy "those who may change a team see what its import brought" on public.team_imports for select to authenticated
  using (team_id = any ((select private.teams_with('team.update'))::uuid[]));

-- The ids that archives of this database are stored under, noted before the first part is. A process that is killed between a part's bytes and
-- their record leaves bytes that only this finds (84_kept_objects.sql); those of another database are left alone. Service only.
create table private.import_archives (
  id uuid primary key,
  created_at timestamptz not null default now()
);
create index import_archives_created_idx on private.import_archives (created_at);
revoke all on private.import_archives from public, anon, authenticated;
grant select, insert, delete on private.import_archives to service_role;
alter table private.import_archives enable row level security;

-- Rows of an archive, validated one by one and not yet in their tables. old_id is the archive's and means nothing here; new_id is the id
-- from now on.
create table private.import_rows (
  -- No reference: private.remove_staged() removes them.
  team_id uuid not null,
  kind text not null,
  position int not null,
  old_id uuid,
  new_id uuid,
  content jsonb not null,
  primary key (team_id, kind, position)
);
create unique index import_rows_old_key on private.import_rows (team_id, kind, old_id);
revoke all on private.import_rows from public, anon, authenticated;
grant select, insert, update, delete on private.import_rows to service_role;
alter table private.import_rows enable row level security;

-- Counts the staged rows and the chats for the planner, before an import looks thousands of them up by their ids: without it Postgres takes
-- the tables for small ones and compares every row with every other. Not in the transaction that writes them: it would hold up other imports.
-- Security definer: only a table's owner may.
-- Who may: the service. Checks: none; it changes no row.
create function private.analyze_imports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- The columns that are looked up alone: computing the words of 20,000 chats takes seconds, in which all others wait.
  analyze private.import_rows (team_id, kind, position, old_id, new_id), public.chats (id, team_id, agent_id);
end
$$;
revoke all on function private.analyze_imports() from public;
grant execute on function private.analyze_imports() to service_role;

-- Storage paths of an archive's parts. edge-functions/importing/parts.ts stores them there.
create function private.archive_paths(archive uuid, parts int) returns setof text
language sql immutable set search_path = '' as $$
  select 'teams/' || archive || '/00000000-0000-7000-8000-' || lpad(to_hex(part), 12, '0')
    from generate_series(0, parts - 1) as part
$$;
revoke all on function private.archive_paths(uuid, int) from public;

-- Draws the ids of an import's agents and sources and makes their roots, which hide what hangs on them until the import is complete. Leaves
-- some sources out. Locks the import first: a deletion of its team waits, and then finds the roots. Security definer: no role writes roots.
-- Who may: the service. Checks: the team has an import.
create function private.make_hidden_roots(team uuid, left_out uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform 1 from public.team_imports i where i.team_id = team for no key update;
  if not found then
    raise exception 'no such import' using errcode = 'PT404';
  end if;
  -- In the archive's order, which lists sorted by id keep.
  update private.import_rows r set new_id = case when r.old_id <> all (left_out) then d.id end
    from (select o.kind, o.position, private.uuid_v7() as id
            from (select s.kind, s.position from private.import_rows s
                   where s.team_id = team and s.kind in ('agents', 'sources') order by s.kind, s.position) o) d
   where r.team_id = team and r.kind = d.kind and r.position = d.position;
  insert into private.roots (id, team_id, kind, detached_at)
  select r.new_id, r.team_id, r.kind, 'infinity' from private.import_rows r
   where r.team_id = team and r.kind in ('agents', 'sources') and r.new_id is not null;
end
$$;
revoke all on function private.make_hidden_roots(uuid, uuid[]) from public;
grant execute on function private.make_hidden_roots(uuid, uuid[]) to service_role;

-- What all documents of a source count as in storage, from their lengths alone.
create function private.documents_bytes(source uuid) returns bigint
language sql stable set search_path = '' as $$
  select coalesce(sum(private.document_bytes(d.content)), 0)::bigint from public.documents d where d.source_id = source
$$;
revoke all on function private.documents_bytes(uuid) from public;

-- Leaves the hidden roots of an import that did not complete to 84_detached.sql. Their documents are counted first, because their removal
-- takes that off.
create function private.leave_hidden_roots(team uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.note_storage(team, private.documents_bytes(r.id), false) from private.roots r
    where r.team_id = team and r.detached_at = 'infinity' and r.kind = 'sources';
  update private.roots r set detached_at = clock_timestamp() where r.team_id = team and r.detached_at = 'infinity';
end
$$;
revoke all on function private.leave_hidden_roots(uuid) from public;

-- Removes a slice of what an import has staged, once that is over or its team is deleted: others would wait for all of it at once. Returns
-- false when there is none.
create function private.remove_staged(most int) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  team uuid;
begin
  -- One look at the index for each team that has staged rows.
  with recursive staged (team_id) as (
    (select r.team_id from private.import_rows r order by r.team_id limit 1)
    union all
    select (select r.team_id from private.import_rows r where r.team_id > s.team_id order by r.team_id limit 1)
      from staged s where s.team_id is not null)
  select s.team_id into team from staged s
   where s.team_id is not null
     and not exists (select from public.tasks k
                      where k.team_id = s.team_id and k.type = 'import' and k.status in ('queued', 'waiting', 'running', 'stopping'))
   limit 1;
  delete from private.import_rows r
   where (r.team_id, r.kind, r.position) in (
     select o.team_id, o.kind, o.position from private.import_rows o where o.team_id = team limit most);
  return found;
end
$$;
revoke all on function private.remove_staged(int) from public;

-- Deletes the archive when an import ends, however it ends; after a failure, its files and hidden rows too. Security definer: a team is
-- deleted by its owner, who may not write the records.
-- Who may: the service, which alone writes tasks, by a trigger. Checks: the import of the task's own team.
create function private.end_import() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path)
  select private.archive_paths(i.archive, i.parts) from public.team_imports i where i.team_id = new.team_id
  on conflict do nothing;
  if new.status <> 'succeeded' then
    insert into private.unwanted_objects (path)
    select 'teams/' || r.team_id || '/' || r.new_id from private.import_rows r
     where r.team_id = new.team_id and r.kind = 'files'
    on conflict do nothing;
  end if;
  perform private.leave_hidden_roots(new.team_id);
  return null;
end
$$;
revoke all on function private.end_import() from public;
create trigger end_import after update of status on public.tasks
  for each row when (new.type = 'import' and new.status in ('succeeded', 'failed', 'stopped'))
  execute function private.end_import();

-- The same for a team that is deleted while its import runs. Security definer: as above.
-- Who may: callers the policies let delete the team, by a trigger. Checks: the archive of the deleted row.
create function private.disown_archive() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path) select private.archive_paths(old.archive, old.parts) on conflict do nothing;
  perform private.leave_hidden_roots(old.team_id);
  return null;
end
$$;
revoke all on function private.disown_archive() from public;
create trigger disown_archive after delete on public.team_imports
  for each row execute function private.disown_archive();
