-- Files: bytes in the storage bucket "files" under teams/{team_id}/, and a row that names them.

create table public.files (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  type text not null check (type in ('document', 'image', 'other')),
  content_type text not null check (char_length(content_type) between 1 and 255),
  size bigint not null check (size >= 0),
  path text not null unique check (path like 'teams/' || team_id::text || '/%'),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id)
);
create index files_team_type_idx on public.files (team_id, type, id);
create index files_created_by_idx on public.files (created_by);
create trigger touch_files before update on public.files
  for each row execute function private.touch_updated_at();

revoke all on public.files from public, anon, authenticated;
grant select, delete on public.files to authenticated;
grant insert (id, team_id, name, type, content_type, size, path, sha256) on public.files to authenticated;
grant select, insert, update, delete on public.files to service_role;
alter table public.files enable row level security;
create policy "members read their team's files" on public.files for select to authenticated
  using (team_id = any (array(select private.teams_with('files.read'))));
create policy "editors add files to their team" on public.files for insert to authenticated
  with check (team_id = any (array(select private.teams_with('files.write'))));
create policy "editors delete their team's files" on public.files for delete to authenticated
  using (team_id = any (array(select private.teams_with('files.write'))));
