-- Deletions of files are taken back, too: their bytes are copied aside for as long as that is possible.
alter table private.deletions drop constraint deletions_kind_check;
alter table private.deletions add constraint deletions_kind_check
  check (kind in ('agents', 'knowledges', 'sources', 'qa_entries', 'agent_tests', 'files'));

create table private.kept_objects (
  path text primary key,
  team_id uuid not null references public.teams (id) on delete cascade,
  file_id uuid not null,
  -- Where the bytes are until the file is deleted.
  copy_of text not null,
  copied_at timestamptz,
  -- The deletion that needs it; null until there is one.
  deletion_id uuid references private.deletions (id) on delete cascade,
  -- Until when a deletion may come.
  expires_at timestamptz not null default clock_timestamp() + interval '10 minutes',
  constraint kept_objects_path_check check (private.is_object_key(path) and starts_with(path, 'teams/' || team_id::text || '/'))
);
create index kept_objects_team_file_idx on private.kept_objects (team_id, file_id);
create index kept_objects_deletion_idx on private.kept_objects (deletion_id);
create index kept_objects_expires_idx on private.kept_objects (expires_at) where deletion_id is null;
revoke all on private.kept_objects from public, anon, authenticated, service_role;
alter table private.kept_objects enable row level security;

-- A copy that is kept no longer is disowned as a version is, unless its file came back with it.
create trigger disown_kept_object after delete on private.kept_objects
  for each row execute function private.disown_file_version();

-- Says where to copy the bytes of a file's versions; nothing where they are more than a deletion should wait for. Security definer:
-- no role writes what is noted here.
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

-- Storage has made these copies: a deletion may count on them. Security definer: as note_copies.
-- Who may: the service. Checks: copies that no deletion has yet.
create function private.copies_made(paths text[]) returns void
language sql volatile security definer set search_path = '' as $$
  update private.kept_objects k set copied_at = clock_timestamp() where k.path = any (paths) and k.deletion_id is null
$$;
revoke all on function private.copies_made(text[]) from public;
grant execute on function private.copies_made(text[]) to service_role;

-- Lets copies go that no deletion has taken. Security definer: as note_copies.
-- Who may: the service. Checks: that no deletion has them; one that is just taking them is waited for.
create function private.drop_copies(paths text[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.kept_objects k where k.path = any (paths) and k.deletion_id is null
$$;
revoke all on function private.drop_copies(text[]) from public;
grant execute on function private.drop_copies(text[]) to service_role;

-- Gives a file's deletion a copy of each version, which its kept rows name from now on. False where one has none, such as a version that
-- came after the copies were made.
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

-- Puts a file back where sources listed it (private.forget_file() notes that), those that are still there.
create function private.list_file_again(deletion uuid, team uuid, file uuid) returns void
language sql volatile set search_path = '' as $$
  update public.sources s set config = jsonb_insert(s.config, array['fileIds', d.content ->> 'place'], to_jsonb(file))
    from private.deleted_rows d
   where d.deletion_id = deletion and d.table_name = 'public.sources' and d.is_reference
     and s.team_id = team and s.id = (d.content ->> 'id')::uuid and s.type = 'file'
     and jsonb_typeof(s.config -> 'fileIds') = 'array' and not s.config -> 'fileIds' ? file::text
$$;
revoke all on function private.list_file_again(uuid, uuid, uuid) from public;

-- Lets copies go that were made for a deletion that never came, at most so many.
create function private.purge_copies(most int) returns void
language sql volatile set search_path = '' as $$
  delete from private.kept_objects k
   where k.path = any (array(select o.path from private.kept_objects o
                              where o.deletion_id is null and o.expires_at <= clock_timestamp()
                              order by o.expires_at limit most for update skip locked))
$$;
revoke all on function private.purge_copies(int) from public;

create or replace function private.refuse_unwanted_object() returns trigger
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

drop trigger refuse_unwanted_object on public.files;
create trigger refuse_unwanted_object before insert or update of path on public.files
  for each row when (not private.is_restoring()) execute function private.refuse_unwanted_object();
drop trigger begin_file_versions on public.files;
create trigger begin_file_versions after insert on public.files
  for each row when (not private.is_restoring()) execute function private.begin_file_versions();

create or replace function private.disown_unregistered_objects() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  disowned bigint;
begin
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.created_at < now() - interval '1 day' and private.is_object_key(o.name)
     and not exists (select 1 from public.file_versions v where v.path = o.name)
     and not exists (select 1 from private.kept_objects k where k.path = o.name)
   limit 1000
  on conflict do nothing;
  get diagnostics disowned = row_count;
  -- The insert has waited for those that were just being registered: their bytes stay.
  delete from private.unwanted_objects u using public.file_versions v where v.path = u.path;
  delete from private.unwanted_objects u using private.kept_objects k where k.path = u.path;
  return disowned;
end
$$;

create or replace function private.forget_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid;
  place int;
begin
  -- A team that is being deleted takes everything along by itself.
  if not exists (select 1 from public.teams t where t.id = old.team_id) then
    return null;
  end if;
  for touched, place in
    select s.id, (select listed.place - 1
                    from jsonb_array_elements_text(case jsonb_typeof(s.config -> 'fileIds') when 'array' then s.config -> 'fileIds' else '[]' end)
                         with ordinality as listed (id, place)
                   where listed.id = old.id::text order by listed.place limit 1)
      from public.sources s
     where s.team_id = old.team_id and s.type = 'file' and s.config -> 'fileIds' ? old.id::text
     order by s.id for no key update of s
  loop
    -- For private.list_file_again(), where the deletion may be taken back.
    insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
    select d.id, 'public.sources', true, jsonb_build_object('id', touched, 'place', place)
      from private.deletions d where d.kind = 'files' and d.team_id = old.team_id and d.row_id = old.id;
    update public.sources s
       set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - old.id::text)
     where s.id = touched;
    delete from public.documents d where d.source_id = touched and d.external_id = old.id::text;
    perform private.enqueue_task(old.team_id, 'index', 'index:knowledge:' || ks.knowledge_id, null, ks.knowledge_id, null)
       from public.knowledge_sources ks where ks.source_id = touched;
  end loop;
  return null;
end
$$;
