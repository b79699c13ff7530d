-- Takes a database with data from the schema before to that of sql/: hang many rows on roots.
create table private.roots (
  id uuid primary key,
  -- Null for an account.
  team_id uuid,
  kind text not null check (kind in ('users', 'api_keys', 'agents', 'knowledges', 'sources')),
  -- Set when what it stands for was deleted.
  detached_at timestamptz,
  unique (team_id, id)
);
create index roots_detached_idx on private.roots (detached_at) where detached_at is not null;
revoke all on private.roots from public, anon, authenticated, service_role;
alter table private.roots enable row level security;

-- Gives a new row its root. Refuses the id of something deleted whose rows are still there. Security definer: no role may write roots.
-- Who may: callers the policies let insert, by a trigger. Checks: id and team are those of the new row.
create function private.make_root() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.roots (id, team_id, kind) values (new.id, (to_jsonb(new) ->> 'team_id')::uuid, tg_table_name);
  return null;
end
$$;
revoke all on function private.make_root() from public;

-- Gives a restored row its root back. Security definer: as make_root.
-- Who may: those who undo a deletion, by a trigger. Checks: as make_root; the root is of that team.
create function private.restore_root() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.roots r set detached_at = null where r.team_id = new.team_id and r.id = new.id and r.kind = tg_table_name;
  if not found then
    insert into private.roots (id, team_id, kind) values (new.id, new.team_id, tg_table_name);
  end if;
  return null;
end
$$;
revoke all on function private.restore_root() from public;

-- How many rows hang on a root: each message, passage and row of a table, or a chat
-- or document without any. Each kind stops at 1,001.
create function private.count_hanging(root private.roots) returns int
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
    end;
end
$$;
revoke all on function private.count_hanging(private.roots) from public;

-- Deletes the root of a deleted row with all that hangs on it, or detaches it: one transaction deletes at most 1,000 rows so.
-- private.keep_deleted() decides first where the deletion may be undone. Security definer: no role may write roots.
-- Who may: callers the policies let delete, by a trigger. Checks: the root of the deleted row.
create function private.leave_root() returns trigger
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
      end if;
      return null;
    end if;
    perform set_config('parley.deleted', deleted::text, true);
  end if;
  delete from private.roots r where r.id = old.id;
  return null;
end
$$;
revoke all on function private.leave_root() from public;

insert into private.roots (id, team_id, kind)
select u.id, null::uuid, 'users' from public.users u
union all select k.id, k.team_id, 'api_keys' from public.api_keys k
union all select a.id, a.team_id, 'agents' from public.agents a
union all select s.id, s.team_id, 'sources' from public.sources s
union all select k.id, k.team_id, 'knowledges' from public.knowledges k;

create trigger make_root after insert on public.users for each row execute function private.make_root();
create trigger leave_root after delete on public.users for each row execute function private.leave_root();
create trigger make_root after insert on public.api_keys for each row execute function private.make_root();
create trigger leave_root after delete on public.api_keys for each row execute function private.leave_root();
create trigger make_root after insert on public.agents
  for each row when (not private.is_restoring()) execute function private.make_root();
create trigger restore_root after insert on public.agents
  for each row when (private.is_restoring()) execute function private.restore_root();
create trigger leave_root after delete on public.agents for each row execute function private.leave_root();
create trigger make_root after insert on public.sources
  for each row when (not private.is_restoring()) execute function private.make_root();
create trigger restore_root after insert on public.sources
  for each row when (private.is_restoring()) execute function private.restore_root();
create trigger leave_root after delete on public.sources for each row execute function private.leave_root();
create trigger make_root after insert on public.knowledges
  for each row when (not private.is_restoring()) execute function private.make_root();
create trigger restore_root after insert on public.knowledges
  for each row when (private.is_restoring()) execute function private.restore_root();
create trigger leave_root after delete on public.knowledges for each row execute function private.leave_root();

alter table public.chats drop constraint chats_team_id_fkey;
alter table public.documents drop constraint documents_team_id_source_id_fkey, add constraint documents_team_id_source_id_fkey foreign key (team_id, source_id) references private.roots (team_id, id) on delete cascade;
alter table public.document_indexes drop constraint document_indexes_team_id_knowledge_id_fkey, add constraint document_indexes_team_id_knowledge_id_fkey foreign key (team_id, knowledge_id) references private.roots (team_id, id) on delete cascade;
alter table public.chunks drop constraint chunks_team_id_knowledge_id_fkey, add constraint chunks_team_id_knowledge_id_fkey foreign key (team_id, knowledge_id) references private.roots (team_id, id) on delete cascade;
alter table public.chats drop constraint chats_team_id_agent_id_fkey, add constraint chats_team_id_agent_id_fkey foreign key (team_id, agent_id) references private.roots (team_id, id) on delete cascade;
alter table public.chats drop constraint chats_user_id_fkey, add constraint chats_user_id_fkey foreign key (user_id) references private.roots (id) on delete set null;
alter table public.chats drop constraint chats_api_key_id_fkey, add constraint chats_api_key_id_fkey foreign key (api_key_id) references private.roots (id) on delete set null;
alter table public.messages drop constraint messages_user_id_fkey, add constraint messages_user_id_fkey foreign key (user_id) references private.roots (id) on delete set null;
alter table public.messages drop constraint messages_api_key_id_fkey, add constraint messages_api_key_id_fkey foreign key (api_key_id) references private.roots (id) on delete set null;
