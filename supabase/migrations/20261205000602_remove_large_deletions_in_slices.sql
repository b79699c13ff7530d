-- Takes a database with data from the schema before to that of sql/: remove large deletions in slices.
-- The foreign keys of the database. One to a root (19_roots.sql) is shown as one to the table that the root stands for.
create view private.relations with (security_invoker = true) as
  select c.oid, c.conrelid, c.conkey, c.confkey, c.confdeltype, c.confdelsetcols, c.confrelid = 'private.roots'::regclass as is_by_root,
         case when c.confrelid <> 'private.roots'::regclass then c.confrelid::regclass
              else case a.attname when 'agent_id' then 'public.agents' when 'knowledge_id' then 'public.knowledges'
                                  when 'source_id' then 'public.sources' when 'user_id' then 'public.users'
                                  when 'api_key_id' then 'public.api_keys' end::regclass end as confrelid
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[cardinality(c.conkey)]
   where c.contype = 'f';
revoke all on private.relations from public, anon, authenticated, service_role;

drop function private.deletion_tables(text);
create function private.deletion_tables(kind text, in_place boolean default false) returns table (relation regclass, depth int)
language sql stable set search_path = '' as $$
  with recursive tree (relation, depth) as (
    select root.name::regclass, 0
      from unnest(array['public.' || kind] || case when kind in ('qa_entries', 'files') then array['public.documents'] else '{}' end) as root (name)
    union
    select c.conrelid::regclass, t.depth + 1
      from tree t join private.relations c on c.confdeltype = 'c' and c.confrelid = t.relation
     where not (in_place and c.is_by_root) and c.conrelid not in ('private.builds'::regclass, 'private.staged_chunks'::regclass, 'private.document_pieces'::regclass,
                              'private.listings'::regclass, 'private.listed_items'::regclass, 'private.slack_states'::regclass)
  )
  select t.relation, max(t.depth) from tree t
   group by t.relation order by max(t.depth), private.full_name(t.relation) <> 'public.' || kind, t.relation::text
$$;
revoke all on function private.deletion_tables(text, boolean) from public;

create or replace function private.foreign_keys(of_child regclass, to_parents regclass[])
returns table (child regclass, parent regclass, action "char", children name[], parents name[], types text[], emptied name[])
language sql stable set search_path = '' as $$
  select c.conrelid::regclass, c.confrelid, c.confdeltype,
         array_agg(a.attname order by k.place), array_agg(p.attname order by k.place),
         array_agg(format_type(p.atttypid, p.atttypmod) order by k.place),
         array_agg(a.attname order by k.place) filter (where c.confdelsetcols is null or k.child = any (c.confdelsetcols))
    from private.relations c
   cross join lateral unnest(c.conkey, c.confkey) with ordinality as k (child, parent, place)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.child
    join pg_catalog.pg_attribute p on p.attrelid = case when c.is_by_root then 'private.roots'::regclass else c.confrelid end
                                  and p.attnum = k.parent
   where (of_child is null or c.conrelid = of_child) and (to_parents is null or c.confrelid = any (to_parents))
   group by c.oid, c.conrelid, c.confrelid, c.confdeltype
$$;

create or replace function private.keep_deleted(kind text, team uuid, target uuid) returns timestamptz
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant int := 20000;
  deletion uuid := private.uuid_v7();
  until timestamptz := clock_timestamp() + interval '5 minutes';
  is_there boolean;
  one record;
  wanted text;
  -- Of many conversations or passages nothing is copied: they stay where they are, hidden, until the deletion is undone or purged.
  in_place boolean;
  kept regclass[];
  rows_left int := most;
begin
  if private.is_admin() or private.deleting_permission(kind) is null
     or not team = any (private.teams_with(private.deleting_permission(kind))) then
    return null;
  end if;
  execute format('select exists (select from %s t where t.team_id = $1 and t.id = $2)', private.full_name(('public.' || kind)::regclass))
    into is_there using team, target;
  if not is_there then
    return null;
  end if;
  -- A source's passages are among those of others, which a search that leaves them out for minutes would be slow to find.
  if kind = 'sources' and (select count(*) from (
       select from public.documents d join public.chunks c on c.team_id = d.team_id and c.document_id = d.id
        where d.team_id = team and d.source_id = target limit 5001) h) > 5000 then
    return null;
  end if;
  in_place := coalesce((select r.kind in ('agents', 'knowledges') and private.count_hanging(r) > 1000
                          from private.roots r where r.team_id = team and r.id = target), false);
  kept := array(select t.relation from private.deletion_tables(kind, in_place) t);
  -- Of a row that was restored since and is deleted again, or of one whose deletion did not come to its end.
  delete from private.deletions d where d.kind = keep_deleted.kind and d.row_id = target;
  insert into private.deletions (id, team_id, kind, row_id, expires_at) values (deletion, team, kind, target, until);
  for one in select t.relation, t.depth from private.deletion_tables(kind, in_place) t loop
    if one.depth = 0 then
      wanted := format('select t.id from %s t where t.team_id = $2 and t.id = $3', private.full_name(one.relation));
      -- A written answer has a document, which a trigger deletes with it.
      if kind = 'qa_entries' and one.relation = 'public.documents'::regclass then
        wanted := 'select t.id from public.documents t
                     join public.qa_entries e on e.team_id = t.team_id and e.source_id = t.source_id and e.id::text = t.external_id
                    where t.type = ''qa'' and e.team_id = $2 and e.id = $3';
      -- So do files, one in every source that lists them.
      elsif kind = 'files' and one.relation = 'public.documents'::regclass then
        wanted := 'select t.id from public.documents t
                     join public.sources s on s.team_id = t.team_id and s.id = t.source_id
                    where s.type = ''file'' and s.config -> ''fileIds'' ? $3::text and t.team_id = $2 and t.external_id = $3::text';
      end if;
    else
      select string_agg(format('select %s from %s',
               (select string_agg('c.' || quote_ident(k), ', ') from unnest(private.primary_key(f.child)) k),
               private.rows_referring(f.child, f.parent, f.children, f.parents, f.types)), ' union ')
        into wanted
        from private.foreign_keys(one.relation, kept) f
       where f.action = 'c';
    end if;
    rows_left := rows_left - private.keep_rows(deletion, team, target, one.relation, wanted, rows_left);
    if rows_left < 0 then
      delete from private.deletions d where d.id = deletion;
      return null;
    end if;
  end loop;
  if kind = 'files' and not private.take_copies(deletion, team, target) then
    delete from private.deletions d where d.id = deletion;
    return null;
  end if;
  -- Rows that stay and only name what goes.
  for one in
    select f.*, private.full_name(f.child) as name
      from private.foreign_keys(null, kept) f where f.action = 'n'
  loop
    execute format('insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
                    select $1, %L, true, jsonb_build_object(%s) from %s', one.name,
                   (select string_agg(distinct format('%L, c.%I', k, k), ', ') from unnest(private.primary_key(one.child) || one.children) k),
                   private.rows_referring(one.child, one.parent, one.children, one.parents, one.types)) using deletion;
  end loop;
  perform set_config('parley.kept', target || case when in_place then ' in place' else ' copied' end, true);
  return until;
end
$$;

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

-- Removes one slice of the longest detached root whose deletion nobody can undo any more: at most `most` messages, passages or rows of
-- tables with what hangs on them. Returns false when there is none. Security definer: no role writes roots.
-- Who may: the service. Checks: that the root is detached, and that no deletion which can be undone has it.
create function private.remove_detached(most int) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  root private.roots;
  chosen uuid[];
  removed int;
begin
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
revoke all on function private.remove_detached(int) from public;
grant execute on function private.remove_detached(int) to service_role;
