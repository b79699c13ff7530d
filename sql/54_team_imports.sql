-- Team imports: the archive that a team is created from, what has been read so far, and the report. The team is empty while its import
-- runs; all of its rows are inserted in one transaction, with the end of the task.

create table public.team_imports (
  team_id uuid primary key references public.teams (id) on delete cascade,
  -- The archive's parts are objects under this id, which belongs to no team.
  archive uuid not null,
  parts int not null check (parts between 1 and 1000),
  size bigint not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Names of the files read from the archive: a worker that resumes starts after them.
  finished text[] not null default '{}',
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
  team_id uuid not null references public.team_imports (team_id) on delete cascade,
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

-- Counts the staged rows for the planner, before an import looks thousands of them up by their old ids: without it Postgres takes the table
-- for a small one and compares every row with every other. Not in the transaction that writes them: it would hold up other imports.
-- Security definer: only a table's owner may.
-- Who may: the service. Checks: none; it changes no row.
create function private.analyze_imports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  analyze private.import_rows;
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

-- Deletes the archive and its staged rows when an import ends, however it ends; after a failure, its files too. Security definer: a team is
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
  delete from private.import_rows r where r.team_id = new.team_id;
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
  return null;
end
$$;
revoke all on function private.disown_archive() from public;
create trigger disown_archive after delete on public.team_imports
  for each row execute function private.disown_archive();
