-- Tasks that were stopped before they ran, and runs of tests, filled the history of a team without a bound.

create index tasks_never_run_idx on public.tasks (key) where status = 'stopped' and started_at is null;

-- Queues a task, or returns the one already queued for the same key. Who queues and stops one in a loop must not fill the history, which is
-- stored for a year: the new task replaces one that was stopped before it ran, and after 300 of a person or an API key in ten minutes a task
-- waits until these are over. For the service and the functions below.
create or replace function private.enqueue_task(
  team uuid, task_type text, task_key text, source uuid default null, knowledge uuid default null, document uuid default null
) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  task uuid;
  is_new boolean;
  writer constant uuid := coalesce(private.user_id(), private.api_key_id());
  wait int := 0;
begin
  delete from public.tasks t where t.key = task_key and t.team_id = team and t.status = 'stopped' and t.started_at is null;
  insert into public.tasks (team_id, type, key, source_id, knowledge_id, document_id, created_by)
  values (team, task_type, task_key, source, knowledge, document, private.user_id())
  on conflict (key) where status = 'queued' do update set updated_at = clock_timestamp()
  returning id, xmax = 0 into task, is_new;
  if is_new and writer is not null then
    wait := private.take_hit('tasks:' || writer, 300, 600);
  end if;
  if wait > 0 then
    update public.tasks t set run_after = t.run_after + make_interval(secs => wait) where t.id = task;
  end if;
  return task;
end
$$;

-- Starts a run of an agent's tests as one version, and queues its task. Keeps the agent's latest 50 runs. Raises PT409 while another run of
-- the agent is open, PT404 for a version that the agent does not have, PT429 after 120 runs of the same caller in an hour: each copies the
-- tests, and its task stays in the history.
create or replace function private.begin_test_run(agent uuid, version uuid, by_user uuid, by_key uuid) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  run public.agent_test_runs;
  wait int;
begin
  if exists (select 1 from public.agent_test_runs r where r.agent_id = agent and r.status in ('queued', 'running')) then
    raise exception 'another run of this agent''s tests is not over yet' using errcode = 'PT409', hint = 'testRunOpen';
  end if;
  wait := private.take_hit('testRuns:' || coalesce(by_user, by_key, agent), 120, 3600);
  if wait > 0 then
    raise exception 'too many test runs were started' using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  insert into public.agent_test_runs as r (team_id, agent_id, version_id, live_version_id, created_by, api_key_id)
  select v.team_id, agent, version, nullif(live.id, version), by_user, by_key
    from public.agent_versions v
    left join lateral (
      select l.id from public.agent_versions l
       where l.agent_id = agent and l.published_at is not null order by l.published_at desc, l.number desc limit 1) live on true
   where v.id = version and v.agent_id = agent
  returning r.* into run;
  if run.id is null then
    raise exception 'no such version' using errcode = 'PT404';
  end if;
  insert into public.agent_test_results
         (team_id, run_id, test_id, position, question, facts, expected_document_id, expected_title, must_refuse)
  select t.team_id, run.id, t.id, row_number() over (order by t.id), t.question, t.facts, t.expected_document_id,
         t.expected_title, t.must_refuse
    from public.agent_tests t where t.agent_id = agent order by t.id limit 500;
  update public.agent_test_runs r
     set total = (select count(*) from public.agent_test_results e where e.run_id = run.id),
         task_id = private.enqueue_task(run.team_id, 'agentTests', 'agentTests:run:' || run.id)
   where r.id = run.id;
  delete from public.agent_test_runs r
   where r.agent_id = agent and r.id < (
     select kept.id from public.agent_test_runs kept where kept.agent_id = agent order by kept.id desc offset 49 limit 1);
  return run.id;
end
$$;

