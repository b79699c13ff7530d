-- Takes a database with data from the schema before to that of sql/: find unrecorded objects.
-- Which of these stored objects no record names: a process died between an object's bytes and its record. Only of teams that exist, since
-- the folder of files may be opened with another database by mistake. For the local storage, as the database's owner.
create function private.unrecorded_objects(paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select p.path from unnest(paths) as p (path)
   where exists (select 1 from public.teams t
                  where t.id = case when private.is_object_key(p.path) then split_part(p.path, '/', 2)::uuid end)
     and not exists (select 1 from storage.objects o where o.bucket_id = 'files' and o.name = p.path)
     and not exists (select 1 from public.file_versions v where v.path = p.path)
     and not exists (select 1 from private.kept_objects k where k.path = p.path)
$$;
revoke all on function private.unrecorded_objects(text[]) from public;
