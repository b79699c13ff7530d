-- Takes a database with data from the schema before to that of sql/: remove late uploads.

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

-- Records that storage has deleted these objects.
create or replace function private.unwanted_objects_removed(paths text[]) returns void
language sql volatile set search_path = '' as $$
  update private.unwanted_objects u
     set removed_at = clock_timestamp(), run_after = clock_timestamp() + interval '2 hours'
   where u.path = any (paths)
$$;
