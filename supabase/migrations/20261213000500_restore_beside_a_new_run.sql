-- Undoing a deletion waits for a test run that begins in that moment, instead of failing on it.

-- What agents were asked since a moment, without the text of these knowledge bases, is no verdict on them: questions of gaps that stayed
-- without an answer, and tests, are asked again. An answer that is being written now is not stored, because its worker loses its claim. A run
-- that is over runs again, unless it was stopped or the agent has another: then these tests are undecided. A person's verdict stays.
create or replace function private.ask_again_since(team uuid, knowledge_ids uuid[], since timestamptz) returns void
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
