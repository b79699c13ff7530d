-- An import writes documents, chats, messages and handovers in slices below hidden roots, so that nobody waits for it (sql/54_team_imports.sql).

-- The id of a new agent or source: one that an import has drawn for it before (54_team_imports.sql), else a new one. As with
-- private.is_restoring(), no client reaches the setting.
create function private.next_id() returns uuid
language plpgsql volatile parallel unsafe set search_path = '' as $$
begin
  return coalesce(nullif(current_setting('parley.next_id', true), '')::uuid, private.uuid_v7());
end
$$;
revoke all on function private.next_id() from public;
grant execute on function private.next_id() to authenticated, service_role;

alter table public.agents alter column id set default private.next_id();
alter table public.sources alter column id set default private.next_id();

alter table public.team_imports add column written jsonb not null default '{}';
alter table private.import_rows drop constraint import_rows_team_id_fkey;

-- What all documents of a source count as in storage, from their lengths alone.
create function private.documents_bytes(source uuid) returns bigint
language sql stable set search_path = '' as $$
  select coalesce(sum(private.document_bytes(d.content)), 0)::bigint from public.documents d where d.source_id = source
$$;
revoke all on function private.documents_bytes(uuid) from public;

-- Documents that an import writes before their source count with that (private.make_root). Security definer: no client writes the changes.
-- Who may: whoever writes documents, by a trigger. Checks: the documents of the statement.
create or replace function private.count_document_bytes() returns trigger
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

-- Gives a new row its root, or the one that its import has made for it: what hangs on that shows, and counts, from now on. Refuses the id of
-- something deleted whose rows are still there. Security definer: no role may write roots.
-- Who may: callers the policies let insert, by a trigger. Checks: id and team are those of the new row.
create or replace function private.make_root() returns trigger
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

create or replace function private.analyze_imports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  analyze private.import_rows, public.chats;
end
$$;

-- Draws the ids of an import's agents and sources and makes their roots, which hide what hangs on them until the import is complete. Leaves
-- some sources out. Locks the import first: a deletion of its team waits, and then finds the roots. Security definer: no role writes roots.
-- Who may: the service. Checks: the team has an import.
create function private.make_hidden_roots(team uuid, left_out uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform 1 from public.team_imports i where i.team_id = team for no key update;
  if not found then
    raise exception 'no such import' using errcode = 'PT404';
  end if;
  -- In the archive's order, which lists sorted by id keep.
  update private.import_rows r set new_id = case when r.old_id <> all (left_out) then d.id end
    from (select o.kind, o.position, private.uuid_v7() as id
            from (select s.kind, s.position from private.import_rows s
                   where s.team_id = team and s.kind in ('agents', 'sources') order by s.kind, s.position) o) d
   where r.team_id = team and r.kind = d.kind and r.position = d.position;
  insert into private.roots (id, team_id, kind, detached_at)
  select r.new_id, r.team_id, r.kind, 'infinity' from private.import_rows r
   where r.team_id = team and r.kind in ('agents', 'sources') and r.new_id is not null;
end
$$;
revoke all on function private.make_hidden_roots(uuid, uuid[]) from public;
grant execute on function private.make_hidden_roots(uuid, uuid[]) to service_role;

-- Leaves the hidden roots of an import that did not complete to 84_detached.sql. Their documents are counted first, because their removal
-- takes that off.
create function private.leave_hidden_roots(team uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform private.note_storage(team, private.documents_bytes(r.id), false) from private.roots r
    where r.team_id = team and r.detached_at = 'infinity' and r.kind = 'sources';
  update private.roots r set detached_at = clock_timestamp() where r.team_id = team and r.detached_at = 'infinity';
end
$$;
revoke all on function private.leave_hidden_roots(uuid) from public;

-- Removes a slice of what an import has staged, once that is over or its team is deleted: others would wait for all of it at once. Returns
-- false when there is none.
create function private.remove_staged(most int) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  team uuid;
begin
  -- One look at the index for each team that has staged rows.
  with recursive staged (team_id) as (
    (select r.team_id from private.import_rows r order by r.team_id limit 1)
    union all
    select (select r.team_id from private.import_rows r where r.team_id > s.team_id order by r.team_id limit 1)
      from staged s where s.team_id is not null)
  select s.team_id into team from staged s
   where s.team_id is not null
     and not exists (select from public.tasks k
                      where k.team_id = s.team_id and k.type = 'import' and k.status in ('queued', 'waiting', 'running', 'stopping'))
   limit 1;
  delete from private.import_rows r
   where (r.team_id, r.kind, r.position) in (
     select o.team_id, o.kind, o.position from private.import_rows o where o.team_id = team limit most);
  return found;
end
$$;
revoke all on function private.remove_staged(int) from public;

create or replace function private.end_import() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path)
  select private.archive_paths(i.archive, i.parts) from public.team_imports i where i.team_id = new.team_id
  on conflict do nothing;
  if new.status <> 'succeeded' then
    insert into private.unwanted_objects (path)
    select 'teams/' || r.team_id || '/' || r.new_id from private.import_rows r
     where r.team_id = new.team_id and r.kind = 'files'
    on conflict do nothing;
  end if;
  perform private.leave_hidden_roots(new.team_id);
  return null;
end
$$;

create or replace function private.disown_archive() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unwanted_objects (path) select private.archive_paths(old.archive, old.parts) on conflict do nothing;
  perform private.leave_hidden_roots(old.team_id);
  return null;
end
$$;

create or replace function private.note_gap_question() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  found_cause text := case
    when new.superseded or new.rating = 'up' then null
    when new.unanswered or new.support ->> 'state' = 'notFound' then 'unanswered'
    when new.support ->> 'state' = 'disagree' then 'disagree'
    when new.rating = 'down' then 'down'
    when new.support ->> 'state' = 'partly' then 'partly' end;
begin
  if found_cause is null then
    delete from public.gap_questions g where g.message_id = new.id;
  else
    insert into public.gap_questions (message_id, question_id, team_id, agent_id, cause, asked_at)
    select new.id, q.id, new.team_id, c.agent_id, found_cause, new.created_at
      from public.chats c
      -- Not of an agent that was deleted while it answered; of one that an import has yet to create.
      join private.roots r on r.id = c.agent_id and coalesce(r.detached_at = 'infinity', true)
     cross join lateral (
       select m.id from public.messages m
        where m.chat_id = new.chat_id and m.role = 'user' and m.id < new.id order by m.id desc limit 1) q
     where c.id = new.chat_id and c.channel <> 'playground' and new.created_at > clock_timestamp() - interval '90 days'
    on conflict (message_id) do update set cause = excluded.cause where gap_questions.cause <> excluded.cause;
  end if;
  return null;
end
$$;

create or replace function private.remove_detached(most int) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  root private.roots;
begin
  if private.remove_cleared(most) then
    return true;
  end if;
  select r.* into root from private.roots r
   where r.detached_at <= (select clock_timestamp())
     and not exists (select from private.deletions d where d.kind = r.kind and d.row_id = r.id)
   order by r.detached_at limit 1 for no key update skip locked;
  if root.id is null then
    return private.remove_staged(most);
  end if;
  begin
    perform private.remove_root_slice(root, most);
  exception
    when others then
      if private.is_no_rows_fault(sqlstate) then
        raise;
      end if;
      raise warning 'nothing of % % could be removed: % (%)', root.kind, root.id, sqlerrm, sqlstate;
      update private.roots r set detached_at = clock_timestamp() + interval '1 hour' where r.id = root.id;
  end;
  return true;
end
$$;
