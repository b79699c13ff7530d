-- Consequences of undoing a deletion, beside the restored rows (84_deletions.sql).

-- Restored documents count again in the knowledge bases of their sources.
create function private.recount_linked(team uuid, source_ids uuid[]) returns void
language sql volatile set search_path = '' as $$
  select private.recount_knowledges(array(
    select distinct ks.knowledge_id from public.knowledge_sources ks where ks.team_id = team and ks.source_id = any (source_ids)))
$$;
revoke all on function private.recount_linked(uuid, uuid[]) from public;

-- The knowledge bases that read a row of a kind.
create function private.knowledges_reading(kind text, team uuid, target uuid) returns uuid[]
language sql stable set search_path = '' as $$
  select case when kind = 'knowledges' then array[target] else array(
    select distinct ks.knowledge_id
      from public.sources s join public.knowledge_sources ks on ks.team_id = team and ks.source_id = s.id
     where s.team_id = team and case kind
             when 'sources' then s.id = target
             when 'files' then s.type = 'file' and s.config -> 'fileIds' ? target::text
             when 'qa_entries' then s.id = (select e.source_id from public.qa_entries e where e.team_id = team and e.id = target)
             else false end) end
$$;
revoke all on function private.knowledges_reading(text, uuid, uuid) from public;

-- What agents were asked since a moment, without the text of these knowledge bases, is no verdict on them: questions of gaps that stayed
-- without an answer, and tests, are asked again. An answer that is being written now is not stored, because its worker loses its claim. A run
-- that is over runs again, unless it was stopped or the agent has another: then these tests are undecided. A person's verdict stays.
create function private.ask_again_since(team uuid, knowledge_ids uuid[], since timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
declare
  asked_gaps constant uuid[] := array(
    select g.id from public.gaps g
     where g.team_id = team and g.agent_id in (
             select ak.agent_id from public.agent_knowledges ak where ak.team_id = team and ak.knowledge_id = any (knowledge_ids))
       and exists (select from public.tasks t where t.team_id = team and t.id = g.task_id and t.status not in ('stopping', 'stopped'))
       and exists (select from public.gap_questions q where q.team_id = team and q.gap_id = g.id and q.again is not null));
  asked_runs constant uuid[] := array(
    select r.id from public.agent_test_runs r
     where r.team_id = team and (r.finished_at is null or r.finished_at >= since)
       and exists (select from public.agent_versions v
                    where v.team_id = team and v.id in (r.version_id, r.live_version_id)
                      and v.settings -> 'knowledgeIds' ?| knowledge_ids::text[]));
  run public.agent_test_runs;
begin
  -- First, in the order in which workers lock.
  update public.tasks t set lease_owner = null, lease_until = null, run_after = clock_timestamp()
   where t.team_id = team and t.status = 'running' and t.type in ('gaps', 'agentTests') and t.id in (
     select g.task_id from public.gaps g where g.id = any (asked_gaps)
     union all select r.task_id from public.agent_test_runs r where r.id = any (asked_runs));
  update public.gap_questions q set again = 'waiting'
   where q.team_id = team and q.gap_id = any (asked_gaps) and q.again = 'open' and q.updated_at >= since;
  update public.gaps g set task_id = private.enqueue_task(team, 'gaps', 'gaps:gap:' || g.id)
   where g.id = any (asked_gaps)
     and exists (select from public.gap_questions q where q.team_id = team and q.gap_id = g.id and q.again = 'waiting')
     and exists (select from public.tasks t where t.team_id = team and t.id = g.task_id and t.status in ('succeeded', 'failed'));
  for run in select r.* from public.agent_test_runs r where r.team_id = team and r.id = any (asked_runs) order by r.id desc loop
    -- A run that begins now ends that first, or finds this one open: its key of the agent waits for this.
    perform 1 from public.agents a where a.id = run.agent_id for update;
    if run.status in ('queued', 'running') or run.status = 'succeeded' and not exists (
         select from public.agent_test_runs o where o.agent_id = run.agent_id and (o.status in ('queued', 'running') or o.id > run.id)) then
      update public.agent_test_results e
         set answer = null, verdict = null, findings = '{}', live_answer = null, live_verdict = null, live_findings = '{}'
       where e.team_id = team and e.run_id = run.id and e.updated_at >= since and e.verdict is not null and e.overruled is null;
      if found then
        update public.agent_test_runs r
           set done = (select count(*) from public.agent_test_results e
                        where e.run_id = run.id and e.verdict is not null and (run.live_version_id is null or e.live_verdict is not null)),
               status = case when run.status = 'succeeded' then 'queued' else r.status end, finished_at = null,
               task_id = case when run.status = 'succeeded' then private.enqueue_task(team, 'agentTests', 'agentTests:run:' || run.id)
                              else r.task_id end
         where r.id = run.id;
      end if;
    else
      update public.agent_test_results e
         set verdict = 'undecided', live_verdict = case when e.live_verdict is not null then 'undecided' end
       where e.team_id = team and e.run_id = run.id and e.updated_at >= since and e.verdict is not null and e.overruled is null;
    end if;
  end loop;
end
$$;
revoke all on function private.ask_again_since(uuid, uuid[], timestamptz) from public;

-- Repeats what the deletion prevented: ends the runs whose tasks it deleted, re-indexes knowledge bases that were indexed without the rows,
-- and asks questions again whose task found the agent or the written answer gone. What somebody stopped stays stopped.
create function private.follow_restored(kind text, team uuid, target uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  gone text[];
  with_files uuid[];
begin
  if kind = 'agents' then
    update public.agent_test_runs r set status = 'stopped', finished_at = clock_timestamp()
     where r.team_id = team and r.agent_id = target and r.status in ('queued', 'running') and not exists (
       select from public.tasks t
        where t.team_id = team and t.id = r.task_id and t.status in ('queued', 'waiting', 'running', 'stopping'));
  elsif kind = 'knowledges' then
    -- Some of its documents may have been deleted meanwhile.
    perform private.recount_knowledges(array[target]);
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || target, null, target, null)
       from public.knowledges k where k.team_id = team and k.id = target and k.status = 'ready';
  elsif kind = 'sources' then
    -- Files that were deleted meanwhile, with their documents; one that is being deleted is waited for.
    perform 1 from public.sources s
       join public.files f on f.team_id = team and s.config -> 'fileIds' ? f.id::text
      where s.team_id = team and s.id = target and s.type = 'file' order by f.id for key share of f;
    gone := array(select listed.id from public.sources s, jsonb_array_elements_text(s.config -> 'fileIds') as listed (id)
                   where s.team_id = team and s.id = target and s.type = 'file' and jsonb_typeof(s.config -> 'fileIds') = 'array'
                     and not exists (select from public.files f where f.team_id = team and f.id::text = listed.id));
    if cardinality(gone) > 0 then
      -- One whose deletion can be undone is listed again then.
      insert into private.deleted_rows (deletion_id, table_name, is_reference, content)
      select d.id, 'public.sources', true, jsonb_build_object('id', target, 'place', listed.place - 1)
        from public.sources s cross join lateral jsonb_array_elements_text(s.config -> 'fileIds') with ordinality as listed (id, place)
        join private.deletions d on d.kind = 'files' and d.team_id = team and d.row_id::text = listed.id
       where s.team_id = team and s.id = target and listed.id = any (gone);
      update public.sources s set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - gone)
       where s.team_id = team and s.id = target;
      delete from public.documents d where d.team_id = team and d.source_id = target and d.external_id = any (gone);
    end if;
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks
     where ks.team_id = team and ks.source_id = target and k.team_id = team and k.id = ks.knowledge_id
       and k.status not in ('none', 'indexing', 'stopping');
    perform private.recount_sources(array[target]), private.recount_linked(team, array[target]);
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || k.id, null, k.id, null)
       from public.knowledge_sources ks join public.knowledges k on k.team_id = team and k.id = ks.knowledge_id
      where ks.team_id = team and ks.source_id = target and k.status <> 'none';
  elsif kind = 'files' then
    with_files := array(select s.id from public.sources s
                         where s.team_id = team and s.type = 'file' and s.config -> 'fileIds' ? target::text);
    perform private.recount_sources(with_files);
    perform private.recount_linked(team, with_files);
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks
     where ks.source_id = any (with_files) and ks.team_id = team and k.team_id = team and k.id = ks.knowledge_id and k.status not in ('none', 'indexing', 'stopping');
    perform private.enqueue_task(team, 'index', 'index:knowledge:' || used.id, null, used.id, null)
       from (select distinct k.id
               from public.knowledge_sources ks join public.knowledges k on k.team_id = team and k.id = ks.knowledge_id
              where ks.source_id = any (with_files) and ks.team_id = team and k.status <> 'none'
              order by k.id) used;
  elsif kind = 'qa_entries' then
    perform private.recount_sources(array[e.source_id]), private.recount_linked(team, array[e.source_id])
       from public.qa_entries e where e.team_id = team and e.id = target;
    perform private.enqueue_task(team, 'sync', 'sync:source:' || e.source_id, e.source_id, null, null)
       from public.qa_entries e where e.team_id = team and e.id = target;
  end if;
  update public.gaps g set task_id = private.enqueue_task(team, 'gaps', 'gaps:gap:' || g.id)
   where g.team_id = team and g.id in (
     select w.id from public.gaps w
       join public.tasks t on t.team_id = team and t.id = w.task_id and t.status not in ('stopping', 'stopped')
      where w.team_id = team
        and (w.agent_id = target
             or w.entry_id in (select e.id from public.qa_entries e where e.team_id = team and target in (e.id, e.source_id)))
        and exists (select from public.gap_questions q where q.team_id = team and q.gap_id = w.id and q.again = 'waiting'));
  -- keep_deleted() lets a deletion be undone for five minutes.
  perform private.ask_again_since(team, private.knowledges_reading(d.kind, team, target), d.expires_at - interval '5 minutes')
     from private.deletions d
    where d.kind = follow_restored.kind and d.kind not in ('agents', 'agent_tests') and d.team_id = team and d.row_id = target;
end
$$;
revoke all on function private.follow_restored(text, uuid, uuid) from public;

-- True for the embedding space of a knowledge base whose deletion can be undone: without it the knowledge base could not be restored.
-- Security definer: no role reads deleted rows.
-- Who may: the service. Checks: tells nothing but that there is such a deletion.
create function private.is_restorable_space(space uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id and r.table_name = 'public.knowledges'
     where d.kind = 'knowledges' and (r.content ->> 'vector_id')::uuid = is_restorable_space.space)
$$;
revoke all on function private.is_restorable_space(uuid) from public;
grant execute on function private.is_restorable_space(uuid) to service_role;

-- Removes a restored document from sources that no longer list its file, and from knowledge bases that no longer have its source.
create function private.leave_unlinked(deletion uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.documents d using private.deleted_rows r, public.sources s
   where r.deletion_id = deletion and r.table_name = 'public.documents' and not r.is_reference
     and d.id = (r.content ->> 'id')::uuid and s.team_id = d.team_id and s.id = d.source_id and s.type = 'file'
     and not coalesce(s.config -> 'fileIds' ? d.external_id, false);
  delete from public.chunks c using private.deleted_rows r, public.documents d
   where r.deletion_id = deletion and r.table_name = 'public.documents' and not r.is_reference
     and d.id = (r.content ->> 'id')::uuid and c.team_id = d.team_id and c.document_id = d.id
     and not exists (select from public.knowledge_sources ks
                      where ks.team_id = d.team_id and ks.source_id = d.source_id and ks.knowledge_id = c.knowledge_id);
  delete from public.document_indexes i using private.deleted_rows r, public.documents d
   where r.deletion_id = deletion and r.table_name = 'public.documents' and not r.is_reference
     and d.id = (r.content ->> 'id')::uuid and i.team_id = d.team_id and i.document_id = d.id
     and not exists (select from public.knowledge_sources ks
                      where ks.team_id = d.team_id and ks.source_id = d.source_id and ks.knowledge_id = i.knowledge_id);
end
$$;
revoke all on function private.leave_unlinked(uuid) from public;

-- Has restored passages built again that have no vector in their knowledge base's space: it moved to another one meanwhile, without them.
create function private.rebuild_moved(deletion uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  update public.document_indexes i set signature = null
    from private.deleted_rows r, public.knowledges k
   where r.deletion_id = deletion and r.table_name = 'public.document_indexes' and not r.is_reference
     and i.knowledge_id = (r.content ->> 'knowledge_id')::uuid and i.document_id = (r.content ->> 'document_id')::uuid
     and k.id = i.knowledge_id and exists (
       select from public.chunks c
        where c.team_id = i.team_id and c.document_id = i.document_id and c.knowledge_id = i.knowledge_id
          and not exists (select from public.chunk_embeddings e where e.chunk_id = c.id and e.vector_id = k.vector_id));
end
$$;
revoke all on function private.rebuild_moved(uuid) from public;

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

create index deleted_rows_workspace_idx on private.deleted_rows ((content ->> 'workspace_id')) where table_name = 'public.apps';

-- A deleted agent's app is not connected once it is restored when Parley has left its workspace meanwhile: only people of the workspace connect
-- an app. Security definer: no role reads deleted rows.
-- Who may: the service, by a trigger. Checks: the deleted apps of the workspace whose tokens go.
create function private.disconnect_deleted_apps() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.deleted_rows d set content = d.content || '{"status": "disconnected"}'
   where d.table_name = 'public.apps' and d.content ->> 'workspace_id' = old.workspace_id
     and d.content ->> 'status' = 'connected';
  return null;
end
$$;
revoke all on function private.disconnect_deleted_apps() from public;
create trigger disconnect_deleted_apps after delete on private.slack_installations
  for each row execute function private.disconnect_deleted_apps();
