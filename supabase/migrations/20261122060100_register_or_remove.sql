-- A file that is registered while its bytes are being given up either keeps them or is refused. Before, both could happen:
-- the row was there, and the bytes went.

create or replace function private.refuse_unwanted_object() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path) values (new.path) on conflict do nothing;
  if not found then
    raise exception 'no such object' using errcode = 'PT404';
  end if;
  delete from private.unwanted_objects u where u.path = new.path;
  return new;
end
$$;

create or replace function private.disown_unregistered_objects() returns bigint
language plpgsql volatile set search_path = '' as $$
declare
  disowned bigint;
begin
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.created_at < now() - interval '1 day' and private.is_object_key(o.name)
     and not exists (select 1 from public.files f where f.path = o.name)
   limit 1000
  on conflict do nothing;
  get diagnostics disowned = row_count;
  -- The insert has waited for those that were just being registered: their bytes stay.
  delete from private.unwanted_objects u using public.files f where f.path = u.path;
  return disowned;
end
$$;

-- Files whose bytes are noted but still there keep them.
delete from private.unwanted_objects u using public.files f where f.path = u.path and u.removed_at is null;
