-- Takes a database with data from the schema before to that of sql/: end replies and drop links of restored rows.

-- Ends restored replies that were being written: who wrote them has found them gone. Otherwise each would look as if it were still growing, and
-- hold up its chat, until its lease is over.
create function private.end_restored_replies(deletion uuid) returns void
language sql volatile set search_path = '' as $$
  update public.messages m set status = 'failed', finished_at = clock_timestamp()
    from private.deleted_rows r
   where r.deletion_id = deletion and r.table_name = 'public.messages' and not r.is_reference and r.content ->> 'status' = 'streaming'
     and m.id = (r.content ->> 'id')::uuid and m.status = 'streaming'
$$;
revoke all on function private.end_restored_replies(uuid) from public;

-- Notes beside copied links how many their knowledge base or agent had, for drop_full_links().
create function private.count_kept_links(deletion uuid) returns void
language sql volatile set search_path = '' as $$
  update private.deleted_rows r
     set content = r.content || jsonb_build_object('links', case r.table_name
           when 'public.knowledge_sources' then (
             select count(*) from public.knowledge_sources l where l.knowledge_id = (r.content ->> 'knowledge_id')::uuid)
           else (select count(*) from public.agent_knowledges l where l.agent_id = (r.content ->> 'agent_id')::uuid) end)
   where r.deletion_id = deletion and r.table_name in ('public.knowledge_sources', 'public.agent_knowledges') and not r.is_reference
$$;
revoke all on function private.count_kept_links(uuid) from public;

-- Drops restored links of a knowledge base or an agent that has got as many others as it may have (82_counted_rows.sql), unless it had more at
-- the deletion. Adds their number to the setting parley.left_out.
create function private.drop_full_links(deletion uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  sources_left int;
  knowledges_left int;
begin
  perform 1 from public.agents a
    where a.id in (select (r.content ->> 'agent_id')::uuid from private.deleted_rows r
                    where r.deletion_id = deletion and r.table_name = 'public.agent_knowledges' and not r.is_reference)
    order by a.id for no key update;
  perform 1 from public.knowledges k
    where k.id in (select (r.content ->> 'knowledge_id')::uuid from private.deleted_rows r
                    where r.deletion_id = deletion and r.table_name = 'public.knowledge_sources' and not r.is_reference)
    order by k.id for no key update;
  delete from public.knowledge_sources l
   using (select o.knowledge_id, o.source_id, row_number() over (partition by o.knowledge_id order by o.source_id desc) as place,
                 (select count(*) from public.knowledge_sources a where a.knowledge_id = o.knowledge_id)
                   - greatest(200, (r.content ->> 'links')::int) as beyond
            from private.deleted_rows r
            join public.knowledge_sources o on o.knowledge_id = (r.content ->> 'knowledge_id')::uuid and o.source_id = (r.content ->> 'source_id')::uuid
           where r.deletion_id = deletion and r.table_name = 'public.knowledge_sources' and not r.is_reference) back
   where l.knowledge_id = back.knowledge_id and l.source_id = back.source_id and back.place <= back.beyond;
  get diagnostics sources_left = row_count;
  delete from public.agent_knowledges l
   using (select o.agent_id, o.knowledge_id, row_number() over (partition by o.agent_id order by o.knowledge_id desc) as place,
                 (select count(*) from public.agent_knowledges a where a.agent_id = o.agent_id)
                   - greatest(50, (r.content ->> 'links')::int) as beyond
            from private.deleted_rows r
            join public.agent_knowledges o on o.agent_id = (r.content ->> 'agent_id')::uuid and o.knowledge_id = (r.content ->> 'knowledge_id')::uuid
           where r.deletion_id = deletion and r.table_name = 'public.agent_knowledges' and not r.is_reference) back
   where l.agent_id = back.agent_id and l.knowledge_id = back.knowledge_id and back.place <= back.beyond;
  get diagnostics knowledges_left = row_count;
  perform set_config('parley.left_out',
    (coalesce(nullif(current_setting('parley.left_out', true), ''), '0')::int + sources_left + knowledges_left)::text, true);
end
$$;
revoke all on function private.drop_full_links(uuid) from public;

-- Copies a row and all that is deleted with it, just before the delete in the same transaction. Returns the deadline for undoing it; null
-- when it cannot be undone: too many rows, a file's bytes were not copied, a platform admin deletes it, or the caller may not. Every row is
-- locked before its referring rows are looked up, so that no new one can appear in between. Security definer: no role reads the copies.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the row's own team.
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
  perform private.hold_tasks(team, private.deleting_permission(kind));
  if private.is_admin() or private.deleting_permission(kind) is null
     or not team = any (private.teams_with(private.deleting_permission(kind))) then
    return null;
  end if;
  -- Of two who delete it at once, the second waits and finds nothing: otherwise it would replace the first one's copies with none.
  execute format('select exists (select from (select from %s t where t.team_id = $1 and t.id = $2 for update) r)',
                 private.full_name(('public.' || kind)::regclass))
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
  perform private.count_kept_links(deletion);
  perform set_config('parley.kept', target || case when in_place then ' in place' else ' copied' end, true);
  return until;
end
$$;
revoke all on function private.keep_deleted(text, uuid, uuid) from public;
grant execute on function private.keep_deleted(text, uuid, uuid) to authenticated;

-- Puts back what can be of a deletion. is_again: its row is back already, and this is what had to wait. waits: something else of the team can
-- still be restored, for which the rest stays.
create or replace function private.put_back(of private.deletions, is_again boolean, waits boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  one record;
begin
  perform set_config('parley.restoring', 'on', true);
  for one in select t.relation, t.depth from private.deletion_tables(of.kind) t loop
    perform private.put_back_rows(of.id, one.relation, is_again or one.depth > 0, waits);
  end loop;
  perform private.put_back_references(of.id, false);
  perform private.list_file_again(of.id, of.team_id, of.row_id) where of.kind = 'files';
  perform set_config('parley.restoring', '', true);
  perform private.leave_unlinked(of.id) where of.kind in ('files', 'qa_entries');
  perform private.rebuild_moved(of.id);
  perform private.end_restored_replies(of.id), private.drop_full_links(of.id);
  if waits then
    for one in select t.relation, private.deleted_copy(t.relation) as copy from private.deletion_tables(of.kind) t loop
      -- By place: joined by number, they are compared with each other where the planner expects few.
      execute format(case when one.copy is null then 'delete from private.deleted_rows x where x.ctid = any (array(select d.ctid from %2$s and %3$s))'
                          else 'delete from %1$s r where r.deletion_id = $1 and %3$s' end,
                     one.copy, private.copies_of(of.id, one.relation), private.is_copy_held(one.relation)) using of.id;
    end loop;
    perform private.put_back_references(of.id, true);
    delete from private.deleted_rows d using public.sources s
     where d.deletion_id = of.id and d.is_reference and d.table_name = 'public.sources' and of.kind = 'files'
       and s.team_id = of.team_id and s.id = (d.content ->> 'id')::uuid;
  end if;
end
$$;
revoke all on function private.put_back(private.deletions, boolean, boolean) from public;
