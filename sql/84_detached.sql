-- Removes what hangs on detached roots (19_roots.sql) in slices, so that nobody waits for a large deletion. Each slice is a transaction of the
-- indexing tick: a worker that dies leaves the rest to the next.

-- Removes at most so many messages of chats, with what hangs on them. Returns their number.
create function private.remove_messages(team uuid, chats uuid[], most int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  removed int;
begin
  delete from public.messages m
   where m.id = any (array(select o.id from public.messages o where o.team_id = team and o.chat_id = any (chats) limit most));
  get diagnostics removed = row_count;
  return removed;
end
$$;
revoke all on function private.remove_messages(uuid, uuid[], int) from public;

-- Removes at most so many passages of documents, from one knowledge base or, with null, from all; when there are none, rows of their tables,
-- then staged passages. Returns their number.
create function private.remove_passages(team uuid, documents uuid[], knowledge uuid, most int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  removed int;
begin
  delete from public.chunks c
   where c.id = any (array(
     select o.id from public.chunks o
      where o.team_id = team and o.document_id = any (documents) and (knowledge is null or o.knowledge_id = knowledge) limit most));
  get diagnostics removed = row_count;
  if removed = 0 then
    delete from public.table_rows r
     where (r.team_id, r.table_id, r.position) in (
       select o.team_id, o.table_id, o.position
         from public.document_indexes i
         join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id
         join public.table_rows o on o.team_id = t.team_id and o.table_id = t.id
        where i.team_id = team and i.document_id = any (documents) and (knowledge is null or i.knowledge_id = knowledge) limit most);
    get diagnostics removed = row_count;
  end if;
  if removed = 0 then
    delete from private.staged_chunks s
     where (s.knowledge_id, s.document_id, s.fence, s.position) in (
       select o.knowledge_id, o.document_id, o.fence, o.position from private.staged_chunks o
        where o.document_id = any (documents) and (knowledge is null or o.knowledge_id = knowledge) limit most);
    get diagnostics removed = row_count;
  end if;
  return removed;
end
$$;
revoke all on function private.remove_passages(uuid, uuid[], uuid, int) from public;

-- Removes one slice of a detached root, and the root when nothing hangs on it any more. Requires its lock.
create function private.remove_root_slice(root private.roots, most int) returns void
language plpgsql volatile set search_path = '' as $$
declare
  chosen uuid[];
  removed int;
begin
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
end
$$;
revoke all on function private.remove_root_slice(private.roots, int) from public;

-- Removes one slice: of a clearing (51_removals.sql), for which tasks wait, else of the longest detached root whose deletion nobody can undo
-- any more, else of the staged rows of an import that is over (54_team_imports.sql). At most `most` messages, passages or rows of tables with
-- what hangs on them. Returns false when there is none. A root of which nothing can be removed waits for an hour, so that it does not stop
-- the others. Security definer: no role writes roots.
-- Who may: the service. Checks: that the root is detached, and that no deletion which can be undone has it.
create function private.remove_detached(most int) returns boolean
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
revoke all on function private.remove_detached(int) from public;
grant execute on function private.remove_detached(int) to service_role;
