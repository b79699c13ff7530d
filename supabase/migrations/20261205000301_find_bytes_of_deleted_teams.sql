-- Takes a database with data from the schema before to that of sql/: find bytes of deleted teams.
-- The teams that were deleted here. Bytes of theirs whose record was never written are still found; those of teams of another database are
-- left alone. Service only.
create table private.deleted_teams (
  id uuid primary key,
  created_at timestamptz not null default now()
);
revoke all on private.deleted_teams from public, anon, authenticated, service_role;
alter table private.deleted_teams enable row level security;

create or replace function private.disown_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.deleted_teams (id) values (old.id) on conflict do nothing;
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.name like 'teams/' || old.id::text || '/%' and private.is_object_key(o.name)
  on conflict do nothing;
  return null;
end
$$;

create or replace function private.unrecorded_objects(paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select p.path
    from unnest(paths) as p (path)
   cross join lateral (select case when private.is_object_key(p.path) then split_part(p.path, '/', 2)::uuid end as id) team
   where (exists (select 1 from public.teams t where t.id = team.id) or exists (select 1 from private.deleted_teams g where g.id = team.id))
     and not exists (select 1 from storage.objects o where o.bucket_id = 'files' and o.name = p.path)
     and not exists (select 1 from public.file_versions v where v.path = p.path)
     and not exists (select 1 from private.kept_objects k where k.path = p.path)
$$;
