-- A file's path is exactly teams/{team}/{uuid}, and only the service registers files: the platform calls storage with it.

create function private.is_object_key(key text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select key ~ '^teams/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;
revoke all on function private.is_object_key(text) from public;
grant execute on function private.is_object_key(text) to authenticated, service_role;

drop policy "editors add files to their team" on public.files;
revoke insert on public.files from authenticated;
revoke insert (id, team_id, name, type, content_type, size, path, sha256) on public.files from authenticated;

-- The product never wrote another path: such a row was made through PostgREST, and names nothing of the team's. It stays, at a
-- path of its own where no bytes are, and what was read through it goes.
with strays as (
  update public.files f set path = 'teams/' || f.team_id::text || '/' || private.uuid_v7()::text
   where not (private.is_object_key(f.path) and starts_with(f.path, 'teams/' || f.team_id::text || '/'))
  returning f.team_id, f.id)
delete from public.documents d using strays s
 where d.team_id = s.team_id and d.external_id = s.id::text
   and exists (select 1 from public.sources o where o.id = d.source_id and o.type = 'file');
alter table public.files drop constraint files_check;
alter table public.files add constraint files_path_check
  check (private.is_object_key(path) and starts_with(path, 'teams/' || team_id::text || '/'));

-- Notes of anything else came from such rows, and would have storage remove what was never theirs.
delete from private.unwanted_objects u where not private.is_object_key(u.path);
alter table private.unwanted_objects add constraint unwanted_objects_path_check check (private.is_object_key(path));

create or replace function private.disown_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.name like 'teams/' || old.id::text || '/%' and private.is_object_key(o.name)
  on conflict do nothing;
  return null;
end
$$;

create or replace function private.disown_unregistered_objects() returns bigint
language sql volatile set search_path = '' as $$
  with disowned as (
    insert into private.unwanted_objects (path)
    select o.name from storage.objects o
     where o.bucket_id = 'files' and o.created_at < now() - interval '1 day' and private.is_object_key(o.name)
       and not exists (select 1 from public.files f where f.path = o.name)
     limit 1000
    on conflict do nothing returning 1)
  select count(*) from disowned
$$;
