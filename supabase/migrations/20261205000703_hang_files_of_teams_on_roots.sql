-- Takes a database with data from the schema before to that of sql/: hang a team's files on its root.

alter table private.roots drop constraint roots_kind_check,
  add constraint roots_kind_check check (kind in ('users', 'api_keys', 'agents', 'knowledges', 'sources', 'teams'));
insert into private.roots (id, team_id, kind) select t.id, null, 'teams' from public.teams t;

-- How many rows hang on a root: each message, passage and row of a table, or a chat or document without any; of a team, files, stored
-- objects, and copies of what was deleted. Each kind stops at 1,001.
create or replace function private.count_hanging(root private.roots) returns int
language plpgsql stable set search_path = '' as $$
begin
  return case root.kind
    when 'agents' then (select count(*) from (
      select from public.chats c left join public.messages m on m.team_id = c.team_id and m.chat_id = c.id
       where c.team_id = root.team_id and c.agent_id = root.id limit 1001) h)
    when 'knowledges' then (select count(*) from (
      select from public.document_indexes i
        left join public.chunks c on c.knowledge_id = i.knowledge_id and c.document_id = i.document_id
       where i.team_id = root.team_id and i.knowledge_id = root.id limit 1001) h) + (select count(*) from (
      select from public.document_tables t join public.table_rows r on r.team_id = t.team_id and r.table_id = t.id
       where t.team_id = root.team_id and t.knowledge_id = root.id limit 1001) h)
    when 'sources' then (select count(*) from (
      select from public.documents d left join public.chunks c on c.team_id = d.team_id and c.document_id = d.id
       where d.team_id = root.team_id and d.source_id = root.id limit 1001) h) + (select count(*) from (
      select from public.documents d
        join public.document_indexes i on i.document_id = d.id
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id
        join public.table_rows r on r.team_id = t.team_id and r.table_id = t.id
       where d.team_id = root.team_id and d.source_id = root.id limit 1001) h)
    when 'users' then (select count(*) from (
      (select from public.chats c where c.user_id = root.id limit 1001)
      union all (select from public.messages m where m.user_id = root.id limit 1001)) h)
    when 'api_keys' then (select count(*) from (
      (select from public.chats c where c.api_key_id = root.id limit 1001)
      union all (select from public.messages m where m.api_key_id = root.id limit 1001)) h)
    when 'teams' then (select count(*) from (
      (select from public.files f where f.team_id = root.id limit 1001)
      union all (select from storage.objects o
                  where o.bucket_id = 'files' and o.name like 'teams/' || root.id::text || '/%' limit 1001)
      union all (select from private.deletions d join private.deleted_rows c on c.deletion_id = d.id
                  where d.team_id = root.id limit 1001)) h)
    end;
end
$$;

-- Deletes the root of a deleted row with all that hangs on it, or detaches it: one transaction deletes at most 1,000 rows so.
-- private.keep_deleted() decides first where the deletion may be undone. Security definer: no role may write roots.
-- Who may: callers the policies let delete, by a trigger. Checks: the root of the deleted row.
create or replace function private.leave_root() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  root private.roots;
  kept constant text := coalesce(current_setting('parley.kept', true), '');
  deleted int := coalesce(nullif(current_setting('parley.deleted', true), ''), '0');
begin
  select r.* into root from private.roots r where r.id = old.id for no key update;
  if kept <> old.id || ' copied' then
    deleted := deleted + case when kept = old.id || ' in place' then 1001 else private.count_hanging(root) end;
    if deleted > 1000 then
      update private.roots r set detached_at = clock_timestamp() where r.id = old.id;
      if root.kind = 'sources' then
        perform private.recount_knowledges(array(
          select distinct i.knowledge_id from public.documents d join public.document_indexes i on i.document_id = d.id
           where d.team_id = root.team_id and d.source_id = root.id));
      elsif root.kind = 'teams' then
        -- Nobody is left who may restore them.
        update private.deletions d set expires_at = '-infinity' where d.team_id = root.id;
      end if;
      return null;
    end if;
    perform set_config('parley.deleted', deleted::text, true);
  end if;
  delete from private.roots r where r.id = old.id;
  return null;
end
$$;

create trigger make_root after insert on public.teams for each row execute function private.make_root();
create trigger leave_root after delete on public.teams for each row execute function private.leave_root();

alter table public.files drop constraint files_team_id_fkey,
  add constraint files_team_id_fkey foreign key (team_id) references private.roots (id) on delete cascade;
alter table private.deletions drop constraint deletions_team_id_fkey,
  add constraint deletions_team_id_fkey foreign key (team_id) references private.roots (id) on delete cascade;

-- Marks stored objects of a team as unwanted, at most so many that are not yet. Returns their number.
create function private.disown_objects(team uuid, most int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  disowned int;
begin
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.name like 'teams/' || team::text || '/%' and private.is_object_key(o.name)
     and not exists (select from private.unwanted_objects u where u.path = o.name)
   limit most
  on conflict do nothing;
  get diagnostics disowned = row_count;
  return disowned;
end
$$;
revoke all on function private.disown_objects(uuid, int) from public;

-- Deleting a team records it, and marks objects that were uploaded for it and never registered; of very many private.remove_detached() does.
-- Security definer: as above, and reads storage.
-- Who may: callers the policies let delete, by a trigger. Checks: objects under the deleted team's id alone.
create or replace function private.disown_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.deleted_teams (id) values (old.id) on conflict do nothing;
  if (select private.count_hanging(r) <= 1000 from private.roots r where r.id = old.id) then
    perform private.disown_objects(old.id, 1000);
  end if;
  return null;
end
$$;

create or replace view private.relations with (security_invoker = true) as
  select c.oid, c.conrelid, c.conkey, c.confkey, c.confdeltype, c.confdelsetcols, c.confrelid = 'private.roots'::regclass as is_by_root,
         case when c.confrelid <> 'private.roots'::regclass then c.confrelid::regclass
              else case a.attname when 'agent_id' then 'public.agents' when 'knowledge_id' then 'public.knowledges'
                                  when 'source_id' then 'public.sources' when 'user_id' then 'public.users'
                                  when 'api_key_id' then 'public.api_keys' when 'team_id' then 'public.teams' end::regclass end as confrelid
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[cardinality(c.conkey)]
   where c.contype = 'f';

-- Removes one slice: of a clearing (51_removals.sql), for which tasks wait, else of the longest detached root whose deletion nobody can undo
-- any more. At most `most` messages, passages or rows of tables with what hangs on them. Returns false when there is none. Security definer:
-- no role writes roots.
-- Who may: the service. Checks: that the root is detached, and that no deletion which can be undone has it.
create or replace function private.remove_detached(most int) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  root private.roots;
  chosen uuid[];
  removed int;
begin
  if private.remove_cleared(most) then
    return true;
  end if;
  select r.* into root from private.roots r
   where r.detached_at is not null and not exists (select from private.deletions d where d.kind = r.kind and d.row_id = r.id)
   order by r.detached_at limit 1 for no key update skip locked;
  if root.id is null then
    return false;
  end if;

  if root.kind in ('users', 'api_keys') then
    if root.kind = 'users' then
      update public.messages m set user_id = null
       where m.id = any (array(select o.id from public.messages o where o.user_id = root.id limit most));
    else
      update public.messages m set api_key_id = null
       where m.id = any (array(select o.id from public.messages o where o.api_key_id = root.id limit most));
    end if;
    get diagnostics removed = row_count;
    if removed = 0 and root.kind = 'users' then
      update public.chats c set user_id = null where c.id = any (array(select o.id from public.chats o where o.user_id = root.id limit most));
      get diagnostics removed = row_count;
    elsif removed = 0 then
      update public.chats c set api_key_id = null
       where c.id = any (array(select o.id from public.chats o where o.api_key_id = root.id limit most));
      get diagnostics removed = row_count;
    end if;
  elsif root.kind = 'teams' then
    -- Each has versions, and its bytes a record.
    delete from public.files f where f.id = any (array(select o.id from public.files o where o.team_id = root.id limit least(most, 100)));
    get diagnostics removed = row_count;
    if removed = 0 then
      removed := private.disown_objects(root.id, most);
    end if;
    if removed = 0 and exists (select from private.deletions d where d.team_id = root.id) then
      removed := private.purge_deletions(most);
    end if;
  elsif root.kind = 'agents' then
    chosen := array(select c.id from public.chats c where c.team_id = root.team_id and c.agent_id = root.id order by c.id limit 50);
    removed := private.remove_messages(root.team_id, chosen, most);
    if removed = 0 then
      delete from public.chats c where c.id = any (chosen);
      get diagnostics removed = row_count;
    end if;
  else
    if root.kind = 'knowledges' then
      chosen := array(select i.document_id from public.document_indexes i
                       where i.team_id = root.team_id and i.knowledge_id = root.id order by i.document_id limit 100);
    else
      chosen := array(select d.id from public.documents d where d.team_id = root.team_id and d.source_id = root.id order by d.id limit 100);
    end if;
    removed := private.remove_passages(root.team_id, chosen, case root.kind when 'knowledges' then root.id end, most);
    if removed = 0 and root.kind = 'knowledges' then
      delete from public.document_indexes i where i.knowledge_id = root.id and i.document_id = any (chosen);
      get diagnostics removed = row_count;
    elsif removed = 0 then
      delete from public.documents d where d.id = any (chosen);
      get diagnostics removed = row_count;
    end if;
  end if;

  -- Takes with it a row that came meanwhile: whoever adds one holds a lock of the root, for which this waits.
  if removed = 0 then
    delete from private.roots r where r.id = root.id;
  end if;
  return true;
end
$$;

create function public.teams(file public.files) returns setof public.teams rows 1
language sql stable set search_path = '' as $$ select t.* from public.teams t where t.id = file.team_id $$;

create function public.files(team public.teams) returns setof public.files
language sql stable set search_path = '' as $$ select f.* from public.files f where f.team_id = team.id $$;

revoke all on function public.teams(public.files), public.files(public.teams) from public, anon;
grant execute on function public.teams(public.files), public.files(public.teams) to authenticated, service_role;
