-- Takes a database with data from the schema before to that of sql/: find bytes of killed imports.

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

insert into private.import_archives (id) select i.archive from public.team_imports i on conflict do nothing;

create or replace function private.disown_unregistered_objects() returns bigint
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

create or replace function private.unrecorded_objects(paths text[]) returns setof text
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
