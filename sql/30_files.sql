-- Files: bytes in the storage bucket "files" at teams/{team_id}/{uuid}, and a row that names them.

-- True when a text is the key of a stored object. The platform uses such texts with the service key, so nothing else may be stored in those
-- columns.
create function private.is_object_key(key text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select key ~ '^teams/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;
revoke all on function private.is_object_key(text) from public;
grant execute on function private.is_object_key(text) to authenticated, service_role;

create table public.files (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references private.roots (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  type text not null check (type in ('document', 'image', 'other')),
  content_type text not null check (char_length(content_type) between 1 and 255),
  size bigint not null check (size >= 0),
  path text not null unique,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The current version's number (31_file_versions.sql).
  version int not null default 1 check (version > 0),
  primary key (id),
  unique (team_id, id),
  constraint files_path_check check (private.is_object_key(path) and starts_with(path, 'teams/' || team_id::text || '/'))
);
create index files_team_type_idx on public.files (team_id, type, id);
create index files_team_name_idx on public.files (team_id, name collate private.natural_order, id);
create index files_team_size_idx on public.files (team_id, size, id);
create index files_created_by_idx on public.files (created_by);
create trigger touch_files before update on public.files
  for each row execute function private.touch_updated_at();

revoke all on public.files from public, anon, authenticated;
grant select, delete on public.files to authenticated;
grant select, insert, update, delete on public.files to service_role;
alter table public.files enable row level security;
-- Clients do not insert: path, size and digest are known to the service, which stored the bytes.
create policy "members read their team's files" on public.files for select to authenticated
  using (team_id = any ((select private.teams_with('files.read'))::uuid[]));
create policy "editors delete their team's files" on public.files for delete to authenticated
  using (team_id = any ((select private.teams_with('files.write'))::uuid[]));

-- Stored objects that no row names any more. Recorded in the transaction that deletes the row, so that a crash cannot separate the two. The
-- record stays for two hours after storage has deleted the object: a client that saw it just before may still be registering it, and the
-- signed URL that it was uploaded to is valid that long. Service only.
create table private.unwanted_objects (
  path text primary key constraint unwanted_objects_path_check check (private.is_object_key(path)),
  attempts int not null default 0,
  removed_at timestamptz,
  run_after timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index unwanted_objects_run_after_idx on private.unwanted_objects (run_after);
create trigger touch_unwanted_objects before update on private.unwanted_objects
  for each row execute function private.touch_updated_at();
revoke all on private.unwanted_objects from public, anon, authenticated;
grant select, insert, update, delete on private.unwanted_objects to service_role;
alter table private.unwanted_objects enable row level security;

-- Deleting a row marks its object as unwanted, from PostgREST and /v1 alike. Security definer: no client may write the record.
-- Who may: callers the policies let delete, by a trigger. Checks: the path is that of the deleted row.
create function private.disown_file() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path) values (old.path) on conflict do nothing;
  return null;
end
$$;
revoke all on function private.disown_file() from public;
create trigger disown_file after delete on public.files for each row execute function private.disown_file();

-- The teams that were deleted here. Bytes of theirs whose record was never written are still found (84_kept_objects.sql); those of teams of
-- another database are left alone. Service only.
create table private.deleted_teams (
  id uuid primary key,
  created_at timestamptz not null default now()
);
revoke all on private.deleted_teams from public, anon, authenticated, service_role;
alter table private.deleted_teams enable row level security;

-- Marks stored objects of a team as unwanted, at most so many that are not yet. Returns their number.
create function private.disown_objects(team uuid, most int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  disowned int;
begin
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.name like 'teams/' || team::text || '/%' and private.is_object_key(o.name)
     and not exists (select from private.unwanted_objects u where u.path = o.name)
   limit most
  on conflict do nothing;
  get diagnostics disowned = row_count;
  return disowned;
end
$$;
revoke all on function private.disown_objects(uuid, int) from public;

-- Deleting a team records it, and marks objects that were uploaded for it and never registered; of very many private.remove_detached() does.
-- Security definer: as above, and reads storage.
-- Who may: callers the policies let delete, by a trigger. Checks: objects under the deleted team's id alone.
create function private.disown_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.deleted_teams (id) values (old.id) on conflict do nothing;
  if (select private.count_hanging(r) <= 1000 from private.roots r where r.id = old.id) then
    perform private.disown_objects(old.id, 1000);
  end if;
  return null;
end
$$;
revoke all on function private.disown_team() from public;
create trigger disown_team after delete on public.teams for each row execute function private.disown_team();

-- Refuses to register an object that is marked for deletion: the row would soon point to nothing. Inserting and deleting a record of its
-- own serialises this with a concurrent mark of the same path. Also refuses the object of another file's version, which would be deleted
-- with it, and copies kept for a deleted file. Security definer: no client may read the records.
-- Who may: whoever may register files, by a trigger. Checks: the path of the new row alone.
create function private.refuse_unwanted_object() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path) values (new.path) on conflict do nothing;
  if not found then
    raise exception 'no such object' using errcode = 'PT404';
  end if;
  delete from private.unwanted_objects u where u.path = new.path;
  if exists (select 1 from public.file_versions v where v.path = new.path and v.file_id <> new.id)
     or exists (select 1 from private.kept_objects k where k.path = new.path)
  then
    raise exception 'the bytes are those of another file' using errcode = '23505';
  end if;
  return new;
end
$$;
revoke all on function private.refuse_unwanted_object() from public;
create trigger refuse_unwanted_object before insert or update of path on public.files
  for each row when (not private.is_restoring()) execute function private.refuse_unwanted_object();

-- Deletes bytes that arrive at a signed URL after their file was deleted: the next tick claims them again. A refusal would leave them on
-- the local disk, where storage writes bytes before their record. Security definer: storage's role may not write our records.
-- Who may: storage, by a trigger. Checks: the path of the new object alone.
create function private.disown_late_object() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.unwanted_objects u set removed_at = null, attempts = 0, run_after = clock_timestamp() where u.path = new.name;
  return null;
end
$$;
revoke all on function private.disown_late_object() from public;
create trigger disown_late_object after insert on storage.objects
  for each row when (new.bucket_id = 'files') execute function private.disown_late_object();

-- Marks objects uploaded to a signed URL more than a day ago and never registered. Returns their number; 0 while the clock is not trusted
-- (86_clock.sql). Scans all of storage: runs once an hour. Security definer: no role may read which objects are kept for deleted files.
-- Who may: the service. Checks: objects that neither a version of a file nor its deletion names.
create function private.disown_unregistered_objects() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  disowned bigint;
begin
  if not private.is_clock_trusted() then
    return 0;
  end if;
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.created_at < now() - interval '1 day' and private.is_object_key(o.name)
     and not exists (select 1 from public.file_versions v where v.path = o.name)
     and not exists (select 1 from private.kept_objects k where k.path = o.name)
     -- An archive that waits to be imported. One whose import has ended is unwanted already (54_team_imports.sql).
     and not exists (select 1 from public.team_imports i
                      where i.archive = split_part(o.name, '/', 2)::uuid and i.report is null)
   limit 1000
  on conflict do nothing;
  get diagnostics disowned = row_count;
  -- The insert has waited for those that were just being registered: their bytes stay.
  delete from private.unwanted_objects u using public.file_versions v where v.path = u.path;
  delete from private.unwanted_objects u using private.kept_objects k where k.path = u.path;
  -- Their bytes without a record are found and deleted within ten days.
  delete from private.import_archives a
   where a.created_at < now() - interval '60 days' and not exists (select 1 from public.team_imports i where i.archive = a.id);
  return disowned;
end
$$;
revoke all on function private.disown_unregistered_objects() from public;
grant execute on function private.disown_unregistered_objects() to service_role;

-- Claims due records (or those of the given paths), each for one worker. A claim lasts a minute, and one minute longer after each failure,
-- up to an hour, and at random up to twice that: of objects that fail together, one that storage cannot delete would fail the others each time.
-- Deletes records two hours after their object was deleted.
create function private.claim_unwanted_objects(only_paths text[] default null) returns setof text
language sql volatile set search_path = '' as $$
  delete from private.unwanted_objects u where u.run_after <= (select clock_timestamp()) and u.removed_at is not null;
  update private.unwanted_objects u
     set attempts = u.attempts + 1, run_after = clock_timestamp() + least(u.attempts + 1, 60) * (1 + random()) * interval '1 minute'
   -- An array, which is made once: a plan may run a subquery of in () again, and its limit counts anew.
   where u.path = any (array(
     select due.path from private.unwanted_objects due
      where due.removed_at is null
        and due.run_after <= (select case when only_paths is null then clock_timestamp() else 'infinity' end)
        and (only_paths is null or due.path = any (only_paths))
      order by due.run_after limit 100 for update skip locked))
  returning u.path
$$;
revoke all on function private.claim_unwanted_objects(text[]) from public;
grant execute on function private.claim_unwanted_objects(text[]) to service_role;

-- Records that storage has deleted these objects.
create function private.unwanted_objects_removed(paths text[]) returns void
language sql volatile set search_path = '' as $$
  update private.unwanted_objects u
     set removed_at = clock_timestamp(), run_after = clock_timestamp() + interval '2 hours'
   where u.path = any (paths)
$$;
revoke all on function private.unwanted_objects_removed(text[]) from public;
grant execute on function private.unwanted_objects_removed(text[]) to service_role;
