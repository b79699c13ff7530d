-- Roots: what very many rows hang on. A root outlives the agent, knowledge base, source, account, API key or team whose id it has: deleting
-- that detaches the root, and 84_detached.sql removes its rows in slices. docs/decisions/0014-team-data.md says why.

create table private.roots (
  id uuid primary key,
  -- Null for an account and a team.
  team_id uuid,
  kind text not null check (kind in ('users', 'api_keys', 'agents', 'knowledges', 'sources', 'teams')),
  -- Set when what it stands for was deleted; 'infinity' while an import writes what hangs on it, before it exists (54_team_imports.sql).
  detached_at timestamptz,
  unique (team_id, id)
);
create index roots_detached_idx on private.roots (detached_at) where detached_at is not null;
revoke all on private.roots from public, anon, authenticated, service_role;
alter table private.roots enable row level security;

-- Gives a new row its root, or the one that its import has made for it: what hangs on that shows, and counts, from now on. Refuses the id of
-- something deleted whose rows are still there. Security definer: no role may write roots.
-- Who may: callers the policies let insert, by a trigger. Checks: id and team are those of the new row.
create function private.make_root() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  team constant uuid := to_jsonb(new) ->> 'team_id';
begin
  insert into private.roots as r (id, team_id, kind) values (new.id, team, tg_table_name)
  on conflict (id) do update set detached_at = null
   where r.team_id = excluded.team_id and r.kind = excluded.kind and r.detached_at = 'infinity';
  if not found then
    raise exception 'what has this id is being deleted' using errcode = '23505', constraint = 'roots_pkey';
  end if;
  if tg_table_name = 'sources' then
    perform private.note_storage(team, private.documents_bytes(new.id));
  end if;
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

-- How many rows hang on a root: each message, passage and row of a table, or a chat or document without any; of a team, files, stored
-- objects, and copies of what was deleted. Each kind stops at 1,001.
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
    when 'teams' then (select count(*) from (
      (select from public.files f where f.team_id = root.id limit 1001)
      union all (select from storage.objects o
                  where o.bucket_id = 'files' and o.name like 'teams/' || root.id::text || '/%' limit 1001)
      union all (select from private.deletions d join private.deleted_rows c on c.deletion_id = d.id
                  where d.team_id = root.id limit 1001)) h)
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
revoke all on function private.leave_root() from public;

create trigger make_root after insert on public.users for each row execute function private.make_root();
create trigger leave_root after delete on public.users for each row execute function private.leave_root();
create trigger make_root after insert on public.teams for each row execute function private.make_root();
create trigger leave_root after delete on public.teams for each row execute function private.leave_root();
create trigger make_root after insert on public.api_keys for each row execute function private.make_root();
create trigger leave_root after delete on public.api_keys for each row execute function private.leave_root();

-- Policies and functions leave out what hangs on a detached root. Almost always there is none, and they cost a look at an empty index. In a
-- deleted team nothing has to be left out: it has no members, so that no policy shows its rows.

-- The teams that the caller belongs to in any role.
create function private.own_teams() returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return case
    when private.claims() ? 'api_key_id' then
      array(select k.team_id from public.api_keys k where k.id = private.claim_id('api_key_id'))
    when private.claims() ? 'agent_id' then
      array(select a.team_id from public.agents a where a.id = private.claim_id('agent_id'))
    when private.is_admin() then array(select t.id from public.teams t)
    else array(select u.team_id from public.team_users u where u.user_id = private.claim_id('sub')) end;
end
$$;
revoke all on function private.own_teams() from public;

-- The detached roots of a team, or of the caller's teams. Security definer: no role reads roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_roots() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select r.id from private.roots r where r.detached_at is not null and r.team_id = any (private.own_teams());
  end if;
end
$$;
revoke all on function private.detached_roots() from public;
grant execute on function private.detached_roots() to authenticated, service_role;

-- The conversations that hang on them. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_chats() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query
      select c.id from private.roots r join public.chats c on c.team_id = r.team_id and c.agent_id = r.id
       where r.detached_at is not null and r.kind = 'agents' and r.team_id = any (private.own_teams());
  end if;
end
$$;
revoke all on function private.detached_chats() from public;
grant execute on function private.detached_chats() to authenticated, service_role;

-- The documents that hang on them. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_documents() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select d.id from unnest(private.own_teams()) t (id) cross join lateral private.documents_detached_in(t.id) d (id);
  end if;
end
$$;
revoke all on function private.detached_documents() from public;
grant execute on function private.detached_documents() to authenticated, service_role;

-- The documents of a team that hang on detached roots. Security definer: as detached_roots.
-- Who may: the service, and functions. Checks: nothing, it returns ids.
create function private.documents_detached_in(team uuid) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.id from private.roots r join public.documents d on d.team_id = r.team_id and d.source_id = r.id
     where r.detached_at is not null and r.kind = 'sources' and r.team_id = team;
end
$$;
revoke all on function private.documents_detached_in(uuid) from public;
grant execute on function private.documents_detached_in(uuid) to service_role;

-- The passages of a source that left a knowledge base, or every one, are cleared in the same way (51_removals.sql). Knowledge bases with
-- sources whose passages there are being removed. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.cleared_links() returns table (knowledge_id uuid, source_id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.clearings) then
    return query
      select c.knowledge_id, c.source_id from private.clearings c
       where c.knowledge_id is not null and c.team_id = any (private.own_teams())
      union all
      select ks.knowledge_id, c.source_id from private.clearings c join public.knowledge_sources ks on ks.source_id = c.source_id
       where c.knowledge_id is null and c.team_id = any (private.own_teams());
  end if;
end
$$;
revoke all on function private.cleared_links() from public;
grant execute on function private.cleared_links() to authenticated, service_role;

-- The same, with each document. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.cleared_indexes() returns table (knowledge_id uuid, document_id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.clearings) then
    return query select l.knowledge_id, d.id from private.cleared_links() l join public.documents d on d.source_id = l.source_id;
  end if;
end
$$;
revoke all on function private.cleared_indexes() from public;
grant execute on function private.cleared_indexes() to authenticated, service_role;

-- The chunks of these documents, and those that are cleared. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_chunks() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select c.id from private.detached_documents() d (id) join public.chunks c on c.document_id = d.id;
  end if;
  if exists (select from private.clearings) then
    return query
      select c.id from private.cleared_indexes() i join public.chunks c on c.knowledge_id = i.knowledge_id and c.document_id = i.document_id;
  end if;
end
$$;
revoke all on function private.detached_chunks() from public;
grant execute on function private.detached_chunks() to authenticated, service_role;

-- The tables of these documents, and those that are cleared. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_tables() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query
      select t.id from private.detached_documents() d (id)
        join public.document_indexes i on i.document_id = d.id
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
  end if;
  if exists (select from private.clearings) then
    return query
      select t.id from private.cleared_indexes() i
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
  end if;
end
$$;
revoke all on function private.detached_tables() from public;
grant execute on function private.detached_tables() to authenticated, service_role;
