-- Questions of gaps are asked again after a restore whose task found the agent or the written answer gone.

-- Repeats what the deletion prevented: ends the runs whose tasks it deleted, re-indexes knowledge bases that were indexed without the rows,
-- and asks questions again whose task found the agent or the written answer gone. What somebody stopped stays stopped.
create or replace function private.follow_restored(kind text, team uuid, target uuid) returns void
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
      update public.sources s set config = jsonb_set(s.config, '{fileIds}', (s.config -> 'fileIds') - gone)
       where s.team_id = team and s.id = target;
      delete from public.documents d where d.team_id = team and d.source_id = target and d.external_id = any (gone);
    end if;
    update public.knowledges k set status = 'queued'
      from public.knowledge_sources ks
     where ks.team_id = team and ks.source_id = target and k.team_id = team and k.id = ks.knowledge_id
       and k.status not in ('none', 'indexing', 'stopping');
    perform private.recount_linked(team, array[target]);
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
end
$$;
