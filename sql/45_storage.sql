-- What each team stores, in bytes, and the operator's limit on it. Counted are files with their versions, files that were uploaded and not
-- registered yet, documents with their texts, and their passages with vectors and tables in each knowledge base. Changes are recorded as rows
-- without a lock and added up later. Where the operator sets a limit, a transaction that adds is checked as it commits, one after the other in a team:
-- two that would both take the last place cannot, and a lock that is taken last cannot deadlock.

create table private.team_storage (
  team_id uuid primary key references public.teams (id) on delete cascade,
  -- Without the changes that are not added up yet.
  bytes bigint not null default 0
);
revoke all on private.team_storage from public, anon, authenticated;
grant select on private.team_storage to service_role;
alter table private.team_storage enable row level security;

-- No reference to the team, which each row would lock: forget_storage() deletes a team's.
create table private.storage_changes (
  id bigint primary key generated always as identity,
  team_id uuid not null,
  bytes bigint not null,
  -- Whether the limit may refuse it: not what replaces something, nor what is stored already.
  is_checked boolean not null,
  -- The transaction that made it: what it adds is refused as a whole.
  transaction_id xid8 not null default pg_current_xact_id()
);
create index storage_changes_team_idx on private.storage_changes (team_id);
revoke all on private.storage_changes from public, anon, authenticated;
grant select on private.storage_changes to service_role;
alter table private.storage_changes enable row level security;

create function private.note_storage(team uuid, change bigint, is_checked boolean default true) returns void
language sql volatile set search_path = '' as $$
  insert into private.storage_changes (team_id, bytes, is_checked)
  select note_storage.team, note_storage.change, note_storage.is_checked
   where note_storage.change <> 0 and exists (select from public.teams t where t.id = note_storage.team)
$$;
revoke all on function private.note_storage(uuid, bigint, boolean) from public;

-- Security definer: a team is deleted by its owner, who may not write the changes.
-- Who may: callers the policies let delete the team, by a trigger. Checks: the changes of the deleted team alone.
create function private.forget_storage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.storage_changes c where c.team_id = old.id;
  return null;
end
$$;
revoke all on function private.forget_storage() from public;
create trigger forget_storage after delete on public.teams for each row execute function private.forget_storage();

-- Adds a team's changes up, of committed transactions and of this one. Locks the team's row until the commit. Returns the sum; null when the
-- team is deleted.
create function private.sum_storage(team uuid) returns bigint
language plpgsql volatile set search_path = '' as $$
declare
  total bigint;
begin
  insert into private.team_storage (team_id) select t.id from public.teams t where t.id = team on conflict do nothing;
  perform 1 from private.team_storage s where s.team_id = team for no key update;
  -- A statement of its own, which sees what was committed while this one waited.
  with summed as (delete from private.storage_changes c where c.team_id = team returning c.bytes)
  update private.team_storage s set bytes = s.bytes + coalesce((select sum(c.bytes) from summed c), 0)
   where s.team_id = team
  returning s.bytes into total;
  return total;
end
$$;
revoke all on function private.sum_storage(uuid) from public;

-- Adds the changes of at most `most` teams up; teams whose row is locked are left for the next time. Security definer: no role writes these
-- tables.
-- Who may: the service. Checks: nothing is lost, since changes and sum are written together.
create function private.sum_storage_of_teams(most int) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  for team in
    select c.team_id from (select distinct n.team_id from private.storage_changes n) c order by c.team_id limit most
  loop
    if exists (select from public.teams t where t.id = team)
       and exists (select from private.team_storage s where s.team_id = team)
       and not exists (select from private.team_storage s where s.team_id = team for no key update skip locked) then
      continue;
    end if;
    perform private.sum_storage(team);
  end loop;
end
$$;
revoke all on function private.sum_storage_of_teams(int) from public;
grant execute on function private.sum_storage_of_teams(int) to service_role;

-- Refuses a transaction that adds bytes to a team beyond the operator's limit. A team that is above a newly set limit keeps all, and may
-- delete and replace. Deferred to the commit. Security definer: no client reads the sums.
-- Who may: every writer, by a trigger. Checks: the bytes of the changed team alone.
create function private.limit_storage() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant bigint := (select l.team_storage from private.operator_limits l);
  added bigint;
  total bigint;
begin
  if most is null then
    return null;
  end if;
  -- Null when an earlier change of this transaction was checked, and took this one along.
  select sum(c.bytes) into added from private.storage_changes c
   where c.team_id = new.team_id and c.transaction_id = pg_current_xact_id();
  if coalesce(added, 0) <= 0 then
    return null;
  end if;
  total := private.sum_storage(new.team_id);
  if total > most then
    perform private.refuse_storage(total - added, most, added);
  end if;
  return null;
end
$$;
revoke all on function private.limit_storage() from public;
create constraint trigger limit_storage after insert on private.storage_changes
  deferrable initially deferred
  for each row when (new.is_checked and new.bytes > 0) execute function private.limit_storage();

-- The one refusal. PostgREST answers it with 402; edge-functions/_shared/requests/errors.ts reads the numbers in its detail.
create function private.refuse_storage(used bigint, most bigint, added bigint) returns void
language plpgsql volatile set search_path = '' as $$
begin
  raise exception 'this does not fit: the team stores % of the % MiB that it may; delete files or documents, or ask whoever runs this installation for more',
                  used / 1048576, most / 1048576
    using errcode = 'PT402', hint = 'storageReached', detail = json_build_object('used', used, 'limit', most, 'added', added);
end
$$;
revoke all on function private.refuse_storage(bigint, bigint, bigint) from public;

-- What a team stores, with the changes that are not added up yet.
create function private.storage_used(team uuid) returns bigint
language sql stable set search_path = '' as $$
  select greatest(0, coalesce((select s.bytes from private.team_storage s where s.team_id = storage_used.team), 0)
                     + coalesce((select sum(c.bytes) from private.storage_changes c where c.team_id = storage_used.team), 0))::bigint
$$;
revoke all on function private.storage_used(uuid) from public;
grant execute on function private.storage_used(uuid) to service_role;

-- What a team stores and may store; without a limit the latter is null. No row for others. Security definer: no client reads the sums.
-- Who may: those who read or add the team's files. Checks: files.read or files.write in that team.
create function private.storage_of(team uuid) returns table (used bigint, most bigint)
language sql stable security definer set search_path = '' as $$
  select private.storage_used(storage_of.team), l.team_storage
    from private.operator_limits l
   where storage_of.team = any ((select private.teams_with('files.read') || private.teams_with('files.write'))::uuid[])
$$;
revoke all on function private.storage_of(uuid) from public;
grant execute on function private.storage_of(uuid) to authenticated;

-- Files. A restored version shares the bytes of the one that it restores. Security definer: no client writes the changes.
-- Who may: whoever registers or deletes files, by a trigger. Checks: the versions of the statement.
create function private.count_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes)
       from (select v.team_id, sum(v.size)::bigint as bytes
               from (select distinct on (a.path) a.team_id, a.size from added a
                      where not exists (select from public.file_versions o
                                         where o.path = a.path and not exists (select from added b where b.id = o.id))) v
              group by v.team_id) n;
    delete from private.signed_uploads s using added a where s.path = a.path;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select v.team_id, sum(v.size)::bigint as bytes
               from (select distinct on (g.path) g.team_id, g.size from gone g
                      where not exists (select from public.file_versions o where o.path = g.path)) v
              group by v.team_id) n;
  end if;
  return null;
end
$$;
revoke all on function private.count_versions() from public;
create trigger count_new_versions after insert on public.file_versions
  referencing new table as added for each statement execute function private.count_versions();
create trigger count_deleted_versions after delete on public.file_versions
  referencing old table as gone for each statement execute function private.count_versions();

-- A document counts as a kibibyte and its text: title, address and status are stored, too. Postgres knows a text's length without reading it.
create function private.document_bytes(content text) returns bigint
language sql immutable parallel safe set search_path = '' as $$ select 1024 + coalesce(octet_length(content), 0) $$;
revoke all on function private.document_bytes(text) from public;

-- Documents that an import writes before their source count with that (private.make_root). Security definer: no client writes the changes.
-- Who may: whoever writes documents, by a trigger. Checks: the documents of the statement.
create function private.count_document_bytes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_level = 'ROW' then
    perform private.note_storage(new.team_id, private.document_bytes(new.content) - private.document_bytes(old.content));
  elsif tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes)
       from (select a.team_id, sum(private.document_bytes(a.content))::bigint as bytes from added a
              where not exists (select from private.roots r where r.id = a.source_id and r.detached_at = 'infinity')
              group by a.team_id) n;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select g.team_id, sum(private.document_bytes(g.content))::bigint as bytes from gone g group by g.team_id) n;
  end if;
  return null;
end
$$;
revoke all on function private.count_document_bytes() from public;
create trigger count_new_document_bytes after insert on public.documents
  referencing new table as added for each statement execute function private.count_document_bytes();
create trigger count_deleted_document_bytes after delete on public.documents
  referencing old table as gone for each statement execute function private.count_document_bytes();
create trigger count_changed_document_bytes after update of content on public.documents
  for each row when (octet_length(old.content) is distinct from octet_length(new.content))
  execute function private.count_document_bytes();

-- The passages of a document in a knowledge base count as its text once more, and for each passage its vector, the vector's signs and half a
-- kibibyte for words and indexes. Worked out when they are switched, so that nothing reads the passages. Security definer: reads tables that
-- the writer may not see.
-- Who may: the service, which alone writes indexes, by a trigger. Checks: the document and the space of the row.
create function private.measure_index() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.bytes := case when new.chunks_count = 0 then 0 else coalesce((
    select coalesce(octet_length(d.content), 0) + new.chunks_count::bigint * (2 * v.dimensions + v.dimensions / 8 + 512)
      from public.documents d, public.knowledges k join public.vectors v on v.id = k.vector_id
     where d.id = new.document_id and k.id = new.knowledge_id), 0) end;
  return new;
end
$$;
revoke all on function private.measure_index() from public;
create trigger measure_index before update of chunks_count on public.document_indexes
  for each row execute function private.measure_index();

-- Passages that replace others are not refused: a knowledge base whose model is changed must not stay in its old space. Security definer: no
-- client writes the changes.
-- Who may: whoever indexes or deletes what is indexed, by a trigger. Checks: the rows of the statement.
create function private.count_indexes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_level = 'ROW' then
    perform private.note_storage(new.team_id, new.bytes - old.bytes, old.bytes = 0);
  elsif tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes)
       from (select a.team_id, sum(a.bytes)::bigint as bytes from added a group by a.team_id) n;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select g.team_id, sum(g.bytes)::bigint as bytes from gone g group by g.team_id) n;
  end if;
  return null;
end
$$;
revoke all on function private.count_indexes() from public;
create trigger count_new_indexes after insert on public.document_indexes
  referencing new table as added for each statement execute function private.count_indexes();
create trigger count_gone_indexes after delete on public.document_indexes
  referencing old table as gone for each statement execute function private.count_indexes();
create trigger count_changed_indexes after update on public.document_indexes
  for each row when (old.bytes <> new.bytes) execute function private.count_indexes();

-- The objects that a signed URL was issued for and that are not registered as files yet. A client may upload without ever registering.
create table private.signed_uploads (
  path text primary key constraint signed_uploads_path_check check (private.is_object_key(path)),
  team_id uuid not null references public.teams (id) on delete cascade,
  -- Its size once it is in storage.
  bytes bigint not null default 0,
  -- True when it did not fit: its bytes are unwanted, and registering it says why.
  is_refused boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- Who asked for the URL: no references, since whoever is gone may not upload.
  user_id uuid,
  api_key_id uuid
);
create index signed_uploads_team_idx on private.signed_uploads (team_id);
create index signed_uploads_created_idx on private.signed_uploads (created_at);
revoke all on private.signed_uploads from public, anon, authenticated;
grant select on private.signed_uploads to service_role;
alter table private.signed_uploads enable row level security;

-- Security definer: no client writes the changes.
-- Who may: storage and whoever registers the file, by a trigger. Checks: the upload of the row.
create function private.count_signed_uploads() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Not checked here: bytes that are in storage already are refused by count_arrival().
  perform private.note_storage(old.team_id, case tg_op when 'UPDATE' then new.bytes else 0 end - old.bytes, false);
  return null;
end
$$;
revoke all on function private.count_signed_uploads() from public;
create trigger count_signed_uploads after update of bytes or delete on private.signed_uploads
  for each row execute function private.count_signed_uploads();

-- Chooses the id of a file that will be uploaded to a signed URL, and records it. Security definer: no client writes these records.
-- Who may: those who add files. Checks: files.write in that team.
create function private.sign_upload(team uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  id constant uuid := private.uuid_v7();
begin
  if not team = any (private.teams_with('files.write')) then
    raise exception 'may not add files' using errcode = '42501';
  end if;
  insert into private.signed_uploads (path, team_id, user_id, api_key_id)
  values ('teams/' || team || '/' || id, team, private.user_id(), private.api_key_id());
  return id;
end
$$;
revoke all on function private.sign_upload(uuid) from public;
grant execute on function private.sign_upload(uuid) to authenticated;

-- True when a signed upload did not fit. Security definer: as above.
-- Who may: those who add files. Checks: files.write in the team of the upload.
create function private.is_refused_upload(object text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.signed_uploads s
                  where s.path = object and s.is_refused and s.team_id = any ((select private.teams_with('files.write'))::uuid[]))
$$;
revoke all on function private.is_refused_upload(text) from public;
grant execute on function private.is_refused_upload(text) to authenticated;

-- True while whoever asked for a signed URL may add files to its team. The URL itself is valid for two hours, whatever happens to them.
create function private.may_still_upload(signed private.signed_uploads) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if signed.api_key_id is not null then
    return exists (
      select from private.key_makers k
       where k.id = signed.api_key_id and 'files.write' = any (k.permissions)
         and ('files.write' = any (k.maker_permissions) or k.is_admins)
       group by k.makers having count(*) = k.makers);
  end if;
  -- Of a URL of the release before, nobody is known.
  return signed.user_id is null or exists (
    select from public.users u
      left join public.team_users tu on tu.user_id = u.id and tu.team_id = signed.team_id and tu.status = 'accepted'
      left join public.roles r on r.id = tu.role_id
     where u.id = signed.user_id and u.banned_at is null and (u.is_admin or 'files.write' = any (r.permissions)));
end
$$;
revoke all on function private.may_still_upload(private.signed_uploads) from public;

-- Counts an object that arrives at a signed URL; the local storage writes its metadata as a text in JSON. Without a size it counts as the largest
-- file. One that does not fit, or comes from somebody who has left, is marked for deletion: a refusal would leave its bytes on the local
-- disk, where storage writes them before their record. Security definer: storage's role may not write our records.
-- Who may: storage, by a trigger. Checks: the upload of the new object alone.
create function private.count_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant bigint := (select l.team_storage from private.operator_limits l);
  signed private.signed_uploads;
begin
  update private.signed_uploads s
     set bytes = coalesce(substring(new.metadata #>> '{}' from '"size": ?([0-9]{1,15})')::bigint, 52428800)
   where s.path = new.name and not s.is_refused
  returning s.* into signed;
  if signed.path is null then
    return null;
  end if;
  if not private.may_still_upload(signed) then
    delete from private.signed_uploads s where s.path = new.name;
    insert into private.unwanted_objects (path) values (new.name) on conflict do nothing;
  elsif private.sum_storage(signed.team_id) > most then
    update private.signed_uploads s set bytes = 0, is_refused = true where s.path = new.name;
    insert into private.unwanted_objects (path) values (new.name) on conflict do nothing;
  end if;
  return null;
end
$$;
revoke all on function private.count_arrival() from public;
create trigger count_arrival after insert on storage.objects
  for each row when (new.bucket_id = 'files') execute function private.count_arrival();

-- Bytes that are gone before they were registered count no more. Security definer: as count_arrival.
-- Who may: storage, by a trigger. Checks: the upload of the deleted object alone.
create function private.forget_signed_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.signed_uploads s where s.path = old.name and not s.is_refused;
  return null;
end
$$;
revoke all on function private.forget_signed_upload() from public;
create trigger forget_signed_upload after delete on storage.objects
  for each row when (old.bucket_id = 'files') execute function private.forget_signed_upload();

-- Deletes the records of signed URLs that nothing arrived at, or that were refused, once they are no longer valid. Security definer: as
-- sign_upload.
-- Who may: the service. Checks: no stored object has the record.
create function private.sweep_signed_uploads() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.signed_uploads s where s.created_at < now() - interval '3 hours' and s.bytes = 0
$$;
revoke all on function private.sweep_signed_uploads() from public;
grant execute on function private.sweep_signed_uploads() to service_role;
