-- Copies of a deleted file's bytes, kept as long as the deletion can be undone. Their paths are secret: a signed URL that was issued
-- earlier leads to the original bytes, which are deleted at once. Each copy is recorded before it is made, so that a copy that is never
-- used is found after a crash.

create table private.kept_objects (
  path text primary key,
  team_id uuid not null references public.teams (id) on delete cascade,
  file_id uuid not null,
  -- The path of the bytes until the file is deleted.
  copy_of text not null,
  copied_at timestamptz,
  -- The deletion that uses it; null until there is one.
  deletion_id uuid references private.deletions (id) on delete cascade,
  -- The deadline for a deletion to use it.
  expires_at timestamptz not null default clock_timestamp() + interval '10 minutes',
  constraint kept_objects_path_check check (private.is_object_key(path) and starts_with(path, 'teams/' || team_id::text || '/'))
);
create index kept_objects_team_file_idx on private.kept_objects (team_id, file_id);
create index kept_objects_deletion_idx on private.kept_objects (deletion_id);
create index kept_objects_expires_idx on private.kept_objects (expires_at) where deletion_id is null;
revoke all on private.kept_objects from public, anon, authenticated, service_role;
alter table private.kept_objects enable row level security;

-- Deleting the record of a copy marks its object as unwanted, as for a version, unless its file was restored with it.
create trigger disown_kept_object after delete on private.kept_objects
  for each row execute function private.disown_file_version();

-- Chooses paths for copies of a file's versions; none when they are larger than a deletion should wait for. Security definer: no role
-- writes these records.
-- Who may: the service, for a caller who may delete the file. Checks: the versions of that team's file alone.
create function private.note_copies(team uuid, file uuid) returns table (original text, copy text)
language sql volatile security definer set search_path = '' as $$
  with stored as (
    select v.path, max(v.size) as size from public.file_versions v
     where v.team_id = note_copies.team and v.file_id = note_copies.file group by v.path)
  insert into private.kept_objects (path, team_id, file_id, copy_of)
  select 'teams/' || note_copies.team || '/' || gen_random_uuid(), note_copies.team, note_copies.file, s.path
    from stored s where (select sum(all_of.size) from stored all_of) <= 200 * 1024 * 1024
  returning copy_of, path
$$;
revoke all on function private.note_copies(uuid, uuid) from public;
grant execute on function private.note_copies(uuid, uuid) to service_role;

-- Records that storage has made these copies, so that a deletion may use them. Security definer: as note_copies.
-- Who may: the service. Checks: copies that no deletion has yet.
create function private.copies_made(paths text[]) returns void
language sql volatile security definer set search_path = '' as $$
  update private.kept_objects k set copied_at = clock_timestamp() where k.path = any (paths) and k.deletion_id is null
$$;
revoke all on function private.copies_made(text[]) from public;
grant execute on function private.copies_made(text[]) to service_role;

-- Deletes the records of copies that no deletion uses. Security definer: as note_copies.
-- Who may: the service. Checks: that no deletion uses them; waits for one that is just claiming them.
create function private.drop_copies(paths text[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.kept_objects k where k.path = any (paths) and k.deletion_id is null
$$;
revoke all on function private.drop_copies(text[]) from public;
grant execute on function private.drop_copies(text[]) to service_role;

-- Assigns each version of a file its copy, to which the deleted rows then point. False when one has none, such as a version added after the
-- copies were made.
create function private.take_copies(deletion uuid, team uuid, file uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  missing boolean;
begin
  with chosen as (
    select distinct on (k.copy_of) k.path
      from private.kept_objects k
     where k.team_id = team and k.file_id = file and k.deletion_id is null and k.copied_at is not null
     order by k.copy_of, k.copied_at desc)
  update private.kept_objects k set deletion_id = deletion from chosen where k.path = chosen.path and k.deletion_id is null;
  select exists (
    select from private.deleted_rows d
     where d.deletion_id = deletion and d.table_name in ('public.files', 'public.file_versions')
       and not exists (select from private.kept_objects k where k.deletion_id = deletion and k.copy_of = d.content ->> 'path'))
    into missing;
  if missing then
    return false;
  end if;
  update private.deleted_rows d set content = jsonb_set(d.content, '{path}', to_jsonb(k.path))
    from private.kept_objects k
   where k.deletion_id = deletion and d.deletion_id = deletion and d.table_name in ('public.files', 'public.file_versions')
     and k.copy_of = d.content ->> 'path';
  return true;
end
$$;
revoke all on function private.take_copies(uuid, uuid, uuid) from public;

-- Adds a file back to the sources that listed it (recorded by private.forget_file()), where they still exist and have room. Adds the number of
-- those that have none to the setting parley.left_out.
create function private.list_file_again(deletion uuid, team uuid, file uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  sources_full int;
begin
  update public.sources s set config = jsonb_insert(s.config, array['fileIds', d.content ->> 'place'], to_jsonb(file))
    from private.deleted_rows d
   where d.deletion_id = deletion and d.table_name = 'public.sources' and d.is_reference
     and s.team_id = team and s.id = (d.content ->> 'id')::uuid and s.type = 'file'
     and jsonb_typeof(s.config -> 'fileIds') = 'array' and not s.config -> 'fileIds' ? file::text
     and private.is_source_setting(s.type, 'fileIds', (s.config -> 'fileIds') || to_jsonb(file));
  select count(*) into sources_full
    from private.deleted_rows d join public.sources s on s.team_id = team and s.id = (d.content ->> 'id')::uuid
   where d.deletion_id = deletion and d.table_name = 'public.sources' and d.is_reference and s.type = 'file'
     and jsonb_typeof(s.config -> 'fileIds') = 'array' and not s.config -> 'fileIds' ? file::text;
  perform set_config('parley.left_out',
    (coalesce(nullif(current_setting('parley.left_out', true), ''), '0')::int + sources_full)::text, true);
end
$$;
revoke all on function private.list_file_again(uuid, uuid, uuid) from public;

-- Deletes the records of copies made for a deletion that never happened, at most `most`.
create function private.purge_copies(most int) returns void
language sql volatile set search_path = '' as $$
  delete from private.kept_objects k
   where k.path = any (array(select o.path from private.kept_objects o
                              where o.deletion_id is null and o.expires_at <= clock_timestamp()
                              order by o.expires_at limit most for update skip locked))
$$;
revoke all on function private.purge_copies(int) from public;

-- Which of these stored objects no record names: a process died between an object's bytes and its record. Only of this database's teams and
-- archives, since the folder of files may be opened with another database by mistake. For the local storage, as the database's owner.
create function private.unrecorded_objects(paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select p.path
    from unnest(paths) as p (path)
   cross join lateral (select case when private.is_object_key(p.path) then split_part(p.path, '/', 2)::uuid end as id) team
   where (exists (select 1 from public.teams t where t.id = team.id) or exists (select 1 from private.deleted_teams g where g.id = team.id)
          or exists (select 1 from private.import_archives a where a.id = team.id))
     and not exists (select 1 from storage.objects o where o.bucket_id = 'files' and o.name = p.path)
     and not exists (select 1 from public.file_versions v where v.path = p.path)
     and not exists (select 1 from private.kept_objects k where k.path = p.path)
$$;
revoke all on function private.unrecorded_objects(text[]) from public;
