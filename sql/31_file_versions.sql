-- Versions of files: each uploaded state with its author. The file's row is the current one, and its version column counts them. At most 20
-- are stored; the oldest and its bytes are deleted first.

create table public.file_versions (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  file_id uuid not null,
  -- Counts a file's versions from 1.
  number int not null check (number > 0),
  name text not null check (char_length(name) between 1 and 255),
  type text not null check (type in ('document', 'image', 'other')),
  content_type text not null check (char_length(content_type) between 1 and 255),
  size bigint not null check (size >= 0),
  -- A restored version shares the bytes of the version it restores.
  path text not null
    constraint file_versions_path_check check (private.is_object_key(path) and starts_with(path, 'teams/' || team_id::text || '/')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The number of the version that this one restores.
  restored_from int,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  unique (file_id, number),
  foreign key (team_id, file_id) references public.files (team_id, id) on delete cascade
);
create index file_versions_team_file_idx on public.file_versions (team_id, file_id, number);
create index file_versions_path_idx on public.file_versions (path);
create index file_versions_created_by_idx on public.file_versions (created_by);
create trigger touch_file_versions before update on public.file_versions
  for each row execute function private.touch_updated_at();

revoke all on public.file_versions from public, anon, authenticated;
grant select on public.file_versions to authenticated;
grant select, insert, update, delete on public.file_versions to service_role;
alter table public.file_versions enable row level security;
create policy "members read the versions of their team's files" on public.file_versions for select to authenticated
  using (team_id = any ((select private.teams_with('files.read'))::uuid[]));

-- Creates the first versions of new files with them, from PostgREST and /v1 alike. Security definer: clients write no versions.
-- Who may: the service, which alone registers files, by a trigger. Checks: the versions are of the new rows.
create function private.begin_file_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.file_versions
         (team_id, file_id, number, name, type, content_type, size, path, sha256, created_by, created_at)
  select a.team_id, a.id, a.version, a.name, a.type, a.content_type, a.size, a.path, a.sha256, a.created_by, a.created_at from added a;
  return null;
end
$$;
revoke all on function private.begin_file_versions() from public;
create trigger begin_file_versions after insert on public.files
  referencing new table as added for each statement when (not private.is_restoring()) execute function private.begin_file_versions();

-- Deleting a version marks its object as unwanted, unless another version shares it. Security definer: no client may write the record.
-- Who may: whoever may delete or replace the file, by a trigger. Checks: the path is that of the deleted row.
create function private.disown_file_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path)
  select old.path where not exists (select 1 from public.file_versions v where v.path = old.path)
  on conflict do nothing;
  return null;
end
$$;
revoke all on function private.disown_file_version() from public;
create trigger disown_file_version after delete on public.file_versions
  for each row execute function private.disown_file_version();

-- Makes a stored object the current version of a file and queues its documents for parsing. They keep their ids, and their old passages are
-- searched until the new ones replace them. Concurrent calls are serialised: the later one is current. Returns the version's number; null
-- when the file does not exist.
create function private.replace_file(
  team uuid, file uuid, author uuid, new_name text, new_type text, new_content_type text, new_size bigint, new_path text,
  new_sha256 text, restored int default null
) returns int
language plpgsql volatile set search_path = '' as $$
declare
  most constant int := 20;
  latest int;
begin
  update public.files f
     set version = f.version + 1, name = new_name, type = new_type, content_type = new_content_type, size = new_size,
         path = new_path, sha256 = new_sha256
   where f.team_id = team and f.id = file
  returning f.version into latest;
  if latest is null then
    return null;
  end if;
  insert into public.file_versions
         (team_id, file_id, number, name, type, content_type, size, path, sha256, restored_from, created_by)
  values (team, file, latest, new_name, new_type, new_content_type, new_size, new_path, new_sha256, restored, author);
  delete from public.file_versions v where v.team_id = team and v.file_id = file and v.number <= latest - most;
  -- In the order in which workers lock. One that has read the old bytes and not stored them yet finds that they are old.
  perform 1 from public.documents d join public.sources s on s.id = d.source_id
    where s.team_id = team and s.type = 'file' and s.config -> 'fileIds' ? file::text
      and d.source_id = s.id and d.external_id = file::text
    order by d.id for no key update of d;
  update public.documents d set content_hash = null, error = null
    from public.sources s
   where s.team_id = team and s.type = 'file' and s.config -> 'fileIds' ? file::text
     and d.source_id = s.id and d.external_id = file::text;
  update public.knowledges k set status = 'queued'
    from public.knowledge_sources ks join public.sources s on s.id = ks.source_id
   where s.team_id = team and s.type = 'file' and s.config -> 'fileIds' ? file::text
     and k.id = ks.knowledge_id and k.status not in ('indexing', 'stopping');
  perform private.enqueue_task(team, 'index', 'index:knowledge:' || used.id, null, used.id, null)
     from (select distinct ks.knowledge_id as id
             from public.knowledge_sources ks join public.sources s on s.id = ks.source_id
            where s.team_id = team and s.type = 'file' and s.config -> 'fileIds' ? file::text
            order by ks.knowledge_id) used;
  return latest;
end
$$;
revoke all on function private.replace_file(uuid, uuid, uuid, text, text, text, bigint, text, text, int) from public;
grant execute on function private.replace_file(uuid, uuid, uuid, text, text, text, bigint, text, text, int) to service_role;

-- Makes an earlier version current again, as a new version with the same bytes. Null when the version does not exist.
create function private.restore_file_version(team uuid, file uuid, earlier int, author uuid) returns int
language plpgsql volatile set search_path = '' as $$
declare
  kept public.file_versions;
begin
  -- Whoever replaces the file now lets the oldest version go.
  perform 1 from public.files f where f.team_id = team and f.id = file for no key update;
  select v.* into kept from public.file_versions v where v.team_id = team and v.file_id = file and v.number = earlier;
  if kept.id is null then
    return null;
  end if;
  return private.replace_file(
    team, file, author, kept.name, kept.type, kept.content_type, kept.size, kept.path, kept.sha256, earlier);
end
$$;
revoke all on function private.restore_file_version(uuid, uuid, int, uuid) from public;
grant execute on function private.restore_file_version(uuid, uuid, int, uuid) to service_role;
