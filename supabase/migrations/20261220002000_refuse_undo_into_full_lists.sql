-- Takes a database with data from the schema before to that of sql/: refuse undo into full lists.

-- The length of the list that a copied row belongs to; null where none is limited.
create function private.list_length(table_name text, content jsonb) returns int
language sql stable set search_path = '' as $$
  select case table_name
           when 'public.qa_entries' then (select count(*) from public.qa_entries e
                                           where e.team_id = (content ->> 'team_id')::uuid and e.source_id = (content ->> 'source_id')::uuid)
           when 'public.agent_tests' then (select count(*) from public.agent_tests t where t.agent_id = (content ->> 'agent_id')::uuid)
           when 'public.apps' then (select count(*) from public.apps a where a.team_id = (content ->> 'team_id')::uuid) end::int
$$;
revoke all on function private.list_length(text, jsonb) from public;

-- A copied row of the list that may be full when the deletion is undone. A source is restored with its whole list of answers, and an agent
-- with that of its tests: nothing was added to these meanwhile.
create function private.listed_copy(deletion uuid) returns setof private.deleted_rows
language sql stable set search_path = '' as $$
  select r.*
    from private.deletions d join private.deleted_rows r on r.deletion_id = d.id and not r.is_reference
   where d.id = deletion
     and r.table_name = case d.kind when 'agents' then 'public.apps' when 'qa_entries' then 'public.qa_entries'
                                    when 'agent_tests' then 'public.agent_tests' end
   order by r.number limit 1
$$;
revoke all on function private.listed_copy(uuid) from public;

-- Notes beside that copy how long its list was, for refuse_full_list().
create function private.count_kept_list(deletion uuid) returns void
language sql volatile set search_path = '' as $$
  update private.deleted_rows r
     set content = r.content || jsonb_build_object('listed', private.list_length(r.table_name, r.content))
    from private.listed_copy(deletion) c
   where r.deletion_id = c.deletion_id and r.number = c.number
$$;
revoke all on function private.count_kept_list(uuid) from public;

-- Refuses to restore into a list that would be longer than it may be (57_qa_entries.sql, 65_agent_tests.sql, 82_counted_rows.sql) and than it was:
-- deleting, adding and undoing in turns would exceed any limit. Raises PT409 with the list's own refusal. The deletion can still be undone
-- once there is room. Locks as the insert triggers do.
create function private.refuse_full_list(deletion uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  copied private.deleted_rows;
  added int;
  most int;
begin
  select c.* into copied from private.listed_copy(deletion) c;
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(case copied.table_name
    when 'public.qa_entries' then 'qaEntries:' || (copied.content ->> 'source_id')
    when 'public.agent_tests' then 'agentTests:' || (copied.content ->> 'agent_id')
    else 'apps:' || (copied.content ->> 'team_id') end, 0));
  added := (select count(*) from private.deleted_rows r
             where r.deletion_id = copied.deletion_id and r.table_name = copied.table_name and not r.is_reference);
  most := case copied.table_name when 'public.qa_entries' then 5000 when 'public.agent_tests' then 500 else 1000 end;
  if private.list_length(copied.table_name, copied.content) + added > greatest(most, (copied.content ->> 'listed')::int) then
    raise exception 'there are at most % of these', most using errcode = 'PT409', hint = case copied.table_name
      when 'public.qa_entries' then 'entriesFull' when 'public.agent_tests' then 'testsFull' else 'appsFull' end;
  end if;
end
$$;
revoke all on function private.refuse_full_list(uuid) from public;

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
  perform private.count_kept_links(deletion), private.count_kept_list(deletion);
  perform set_config('parley.kept', target || case when in_place then ' in place' else ' copied' end, true);
  return until;
end
$$;

-- Undoes a deletion. Raises PT404 when it does not exist or has expired, PT409 when the row exists again, lacks a row that it needs, or belongs
-- to a list that is full. Insert triggers skip these rows (private.is_restoring()): they are not new. Security definer: as keep_deleted.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the team of the deletion.
create or replace function private.restore_deleted(kind text, team uuid, target uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  deletion private.deletions;
  earlier private.deletions;
  -- When the last of what else can be restored expires.
  until timestamptz;
  root_query constant text := 'select exists (select from %s t where t.team_id = $1 and t.id = $2)';
  is_there boolean;
begin
  if private.deleting_permission(kind) is null or not team = any (private.teams_with(private.deleting_permission(kind))) then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  -- One after the other in a team, each with what the others left.
  perform 1 from private.deletions d where d.team_id = team and d.expires_at > clock_timestamp() order by d.id for update;
  select d.* into deletion from private.deletions d
   where d.kind = restore_deleted.kind and d.team_id = team and d.row_id = target and d.expires_at > clock_timestamp() and not d.is_restored;
  execute format(root_query, private.full_name(('public.' || kind)::regclass)) into is_there using team, target;
  if is_there then
    raise exception 'this is not deleted' using errcode = 'PT409', hint = 'notDeleted';
  elsif deletion.id is null then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  if kind = 'files' then
    -- What a worker has made of it since that had it on its list before: the documents of then come back.
    delete from public.documents d using public.sources s
     where s.team_id = team and s.type = 'file' and d.team_id = team and d.source_id = s.id and d.external_id = target::text;
  end if;
  select max(d.expires_at) into until from private.deletions d
   where d.team_id = team and d.id <> deletion.id and d.expires_at > clock_timestamp() and not d.is_restored;
  perform private.refuse_full_list(deletion.id);
  perform private.put_back(deletion, false, until is not null);
  execute format(root_query, private.full_name(('public.' || kind)::regclass)) into is_there using team, target;
  if not is_there then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
  end if;
  for earlier in select d.* from private.deletions d where d.team_id = team and d.is_restored and d.expires_at > clock_timestamp() loop
    execute format(root_query, private.full_name(('public.' || earlier.kind)::regclass)) into is_there using team, earlier.row_id;
    begin
      perform private.put_back(earlier, true, until is not null) where is_there;
    exception
      -- It has been changed meanwhile, so that what it had no longer fits.
      when unique_violation or foreign_key_violation or check_violation or not_null_violation then
        delete from private.deleted_rows r where r.deletion_id = earlier.id;
    end;
  end loop;
  perform private.follow_restored(kind, team, target);
  delete from private.deletions d where d.team_id = team and (d.id = deletion.id or d.is_restored) and not exists (
    select from private.deleted_rows r where r.deletion_id = d.id and until is not null);
  update private.deletions d set is_restored = true, expires_at = until
   where d.team_id = team and (d.id = deletion.id or d.is_restored);
exception
  -- Something has taken its place, or what it needs went in this moment.
  when unique_violation or foreign_key_violation or check_violation or not_null_violation then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
end
$$;
