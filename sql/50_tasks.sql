-- Tasks: the queue, and its public view. Clients read, start and stop tasks; the indexing service runs them. A claim is a lease with a
-- fence: a worker that lost its lease can no longer write.

create table public.tasks (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  type text not null check (type in ('loadDocuments', 'index', 'sync', 'import', 'agentTests', 'gaps', 'questions')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'waiting', 'stopping', 'stopped', 'succeeded', 'failed')),
  -- What the task works on. At most one queued and one running task per key.
  key text not null,
  source_id uuid,
  knowledge_id uuid,
  document_id uuid,
  done int not null default 0,
  total int not null default 0,
  -- What it does or waits for: a code that the API translates, with its parameters.
  message_code text not null default 'queued',
  message_params jsonb not null default '{}',
  error text,
  -- The number of the latest attempt. Never decreases.
  attempts int not null default 0,
  max_attempts int not null default 5,
  run_after timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz,
  claimed_at timestamptz,
  fence bigint not null default 0,
  created_by uuid references public.users (id) on delete set null,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Consecutive attempts without progress, including the current one. The task fails at max_attempts.
  attempts_without_progress int not null default 0,
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, source_id) references public.sources (team_id, id) on delete cascade,
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create unique index tasks_queued_key on public.tasks (key) where status = 'queued';
create unique index tasks_running_key on public.tasks (key) where status in ('running', 'stopping');
create index tasks_never_run_idx on public.tasks (key) where status = 'stopped' and started_at is null;
-- Serves the claim: teams with open tasks, each one's next task, the number running and the oldest turn.
create index tasks_open_idx on public.tasks (team_id, run_after, id)
  where status in ('queued', 'waiting', 'running', 'stopping');
create index tasks_at_work_idx on public.tasks (lease_until, team_id) where status in ('running', 'stopping');
create index tasks_turns_idx on public.tasks (team_id, claimed_at) where claimed_at is not null;
create index tasks_source_idx on public.tasks (team_id, source_id, id);
create index tasks_knowledge_idx on public.tasks (team_id, knowledge_id, id);
create index tasks_document_idx on public.tasks (team_id, document_id);
create index tasks_created_by_idx on public.tasks (created_by);
create trigger touch_tasks before update on public.tasks
  for each row execute function private.touch_updated_at();

revoke all on public.tasks from public, anon, authenticated;
grant select on public.tasks to authenticated;
grant select, insert, update, delete on public.tasks to service_role;
alter table public.tasks enable row level security;
create policy "members read their team's tasks" on public.tasks for select to authenticated
  using (team_id = any ((select private.teams_with('tasks.read'))::uuid[]));

-- Queues a task, or returns the one already queued for the same key. Who queues and stops one in a loop must not fill the history, which is
-- stored for a year: the new task replaces one that was stopped before it ran, and after 300 of a person or an API key in ten minutes a task
-- waits until these are over. For the service and the functions below.
create function private.enqueue_task(
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
    update public.tasks t
       set run_after = t.run_after + make_interval(secs => wait),
           message_params = jsonb_build_object('until', t.run_after + make_interval(secs => wait))
     where t.id = task;
  end if;
  return task;
end
$$;
revoke all on function private.enqueue_task(uuid, text, text, uuid, uuid, uuid) from public;
grant execute on function private.enqueue_task(uuid, text, text, uuid, uuid, uuid) to service_role;

-- Queues the indexing of a knowledge base. Security definer: clients may not write tasks; the permission is checked here. Raises PT404 when
-- the caller cannot see the knowledge base, 42501 when they may not change it.
-- Who may: those who write the knowledge base. Checks: knowledges.read, then knowledges.write, in its own team.
create function public.index_knowledge(knowledge uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select k.team_id into team from public.knowledges k
   where k.id = knowledge and k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[]);
  if team is null then
    raise exception 'no such knowledge' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('knowledges.write')) then
    raise exception 'may not index this knowledge' using errcode = '42501';
  end if;
  update public.knowledges set status = 'queued' where id = knowledge and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:knowledge:' || knowledge, null, knowledge, null);
end
$$;
revoke all on function public.index_knowledge(uuid) from public, anon;
grant execute on function public.index_knowledge(uuid) to authenticated, service_role;

-- The team of a source that the caller may change. Raises PT404 when they cannot see it, 42501 when they may not change it.
-- For the functions that act on a source with the owner's rights.
create function private.authorize_source_write(source uuid) returns uuid
language plpgsql stable set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not change this source' using errcode = '42501';
  end if;
  return team;
end
$$;
revoke all on function private.authorize_source_write(uuid) from public;

-- Queues the indexing of a source's documents in every knowledge base that has the source. Security definer: as above.
-- Who may: those who write the source. Checks: sources.read, then sources.write, in the source's own team.
create function public.index_source(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
begin
  update public.sources set status = 'queued' where id = source and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:source:' || source, source, null, null);
end
$$;
revoke all on function public.index_source(uuid) from public, anon;
grant execute on function public.index_source(uuid) to authenticated, service_role;

-- Queues the indexing of one document, whose file its task reads anew. Security definer: as above.
-- Who may: those who write its source. Checks: sources.read, then sources.write, in the document's own team.
create function public.index_document(document uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
  source uuid;
begin
  select d.team_id, s.id into team, source from public.documents d join public.sources s on s.id = d.source_id
   where d.id = document and d.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such document' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not index this document' using errcode = '42501';
  end if;
  update public.documents set status = 'queued' where id = document and status not in ('indexing', 'stopping');
  return private.enqueue_task(team, 'index', 'index:document:' || document, source, null, document);
end
$$;
revoke all on function public.index_document(uuid) from public, anon;
grant execute on function public.index_document(uuid) to authenticated, service_role;

-- Queues the listing of a source's documents. Security definer: as above.
-- Who may: those who write the source. Checks: sources.read, then sources.write, in the source's own team.
create function public.load_documents(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
begin
  return private.enqueue_task(team, 'loadDocuments', 'load:source:' || source, source, null, null);
end
$$;
revoke all on function public.load_documents(uuid) from public, anon;
grant execute on function public.load_documents(uuid) to authenticated, service_role;

-- Stops a source's open tasks, and those of the knowledge bases that have it. A queued one stops at once, a running one at the end of its
-- slice. Returns the last of them, null when none was open. Security definer: as above.
-- Who may: those who write the source. Checks: sources.read, then sources.write, in the source's own team.
create function public.stop_indexing(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
  task uuid;
begin
  with stopped as (
    update public.tasks t
       set status = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
           message_code = case when t.status in ('queued', 'waiting') then 'stopped' else 'stopping' end,
           finished_at = case when t.status in ('queued', 'waiting') then clock_timestamp() end
     where t.team_id = team and t.status in ('queued', 'waiting', 'running')
       and (t.source_id = source or t.knowledge_id in (
             select ks.knowledge_id from public.knowledge_sources ks where ks.source_id = source))
    returning t.id, t.status)
  select s.id into task from stopped s order by s.status desc, s.id desc limit 1;
  return task;
end
$$;
revoke all on function public.stop_indexing(uuid) from public, anon;
grant execute on function public.stop_indexing(uuid) to authenticated, service_role;

-- Claimable tasks, the next few of each team: first the teams with the fewest running, then those that waited longest since their last
-- turn, without turns of a time to come, from before the clock was set back. So a team with ten thousand tasks alternates with one that has a
-- single one. Reads a few index entries per team, however many tasks wait. A plan made for a small table or from stale statistics would scan it once it is large, so only the ordered index is allowed. Such
-- plans look expensive to Postgres, which would JIT-compile them for 0.9 s at every call.
create function private.claimable_tasks(moment timestamptz) returns table (id uuid, turn bigint)
language sql stable set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set plan_cache_mode = force_custom_plan set jit = off as $$
  with recursive teams (team_id) as (
    (select t.team_id from public.tasks t
      where t.status in ('queued', 'waiting', 'running', 'stopping') order by t.team_id, t.run_after, t.id limit 1)
    union all
    select (select t.team_id from public.tasks t
             where t.status in ('queued', 'waiting', 'running', 'stopping') and t.team_id > teams.team_id
             order by t.team_id, t.run_after, t.id limit 1)
      from teams where teams.team_id is not null)
  select candidate.id,
         row_number() over (order by candidate.place, load.busy, load.served nulls first, candidate.run_after, candidate.id)
    from teams
   cross join lateral (
    select (select count(*) from public.tasks busy
             where busy.team_id = teams.team_id and busy.status in ('running', 'stopping') and busy.lease_until >= moment) as busy,
           (select served.claimed_at from public.tasks served
             where served.team_id = teams.team_id and served.claimed_at <= moment
             order by served.claimed_at desc limit 1) as served
    offset 0) as load
   cross join lateral (
    select waits.*, row_number() over (order by waits.run_after, waits.id) as place
      from (select t.id, t.run_after
              from public.tasks t
             where t.team_id = teams.team_id and t.status in ('queued', 'waiting', 'running', 'stopping')
               and t.run_after <= moment and (t.lease_until is null or t.lease_until < moment)
               and not exists (
                 select 1 from public.tasks other
                  where other.key = t.key and other.id <> t.id and other.status in ('running', 'stopping'))
             order by t.run_after, t.id
             limit 8) as waits) as candidate
$$;
revoke all on function private.claimable_tasks(timestamptz) from public;
grant execute on function private.claimable_tasks(timestamptz) to service_role;

-- Postpones a task that could not be claimed, so that it does not block others; after its last attempt it fails. Re-raises errors that the
-- task did not cause: no disk, no connections, a shutdown, a read-only database. After a deadlock it changes nothing: the next claim may
-- succeed.
create function private.put_off_task(task uuid, state text, problem text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if state ~ '^(25|53|57|58)' then
    raise exception '%', problem using errcode = state;
  elsif state ~ '^40' then
    return;
  end if;
  raise warning 'task % could not be claimed: % (%)', task, problem, state;
  update public.tasks t
     set attempts_without_progress = t.attempts_without_progress + 1,
         run_after = clock_timestamp() + interval '1 minute', lease_owner = null, lease_until = null
   where t.id = task;
  update public.tasks t
     set status = 'failed', finished_at = clock_timestamp(), message_code = 'failed',
         error = 'An unexpected error ended this task. Try again, and contact support if it happens again.'
   where t.id = task and t.attempts_without_progress >= t.max_attempts;
exception
  when others then
    if sqlstate ~ '^(25|53|57|58)' then
      raise;
    end if;
    raise warning 'task % could not be put off: % (%)', task, sqlerrm, sqlstate;
end
$$;
revoke all on function private.put_off_task(uuid, text, text) from public;
grant execute on function private.put_off_task(uuid, text, text) to service_role;

-- Claims one task for a worker, fairest team first. A task with an expired lease is taken over: its worker died, which counts as one more
-- attempt. A task with a null lease was released between slices and resumes. No row when the queue is empty. Each row is written in a
-- subtransaction, so that one that cannot be written does not block the others.
create function private.claim_task(worker text, lease_seconds int) returns setof public.tasks
language plpgsql volatile set search_path = '' set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  moment timestamptz := clock_timestamp();
  candidate uuid;
  claimed public.tasks;
  violated text;
begin
  for candidate in
    select t.id from public.tasks t
     where t.status in ('running', 'stopping') and t.lease_until < moment and t.attempts_without_progress >= t.max_attempts
       for update skip locked
  loop
    begin
      update public.tasks t
         set status = 'failed', finished_at = moment, lease_owner = null, lease_until = null,
             message_code = 'workerDied', error = 'The worker stopped several times while it was at this task.'
       where t.id = candidate;
    exception
      when others then
        perform private.put_off_task(candidate, sqlstate, sqlerrm);
    end;
  end loop;

  -- One at a time: others that claim in this moment hold some of them, and may have changed them since.
  for candidate in select c.id from private.claimable_tasks(moment) c order by c.turn loop
    begin
      perform 1 from public.tasks t
        where t.id = candidate and t.status in ('queued', 'waiting', 'running', 'stopping')
          and t.run_after <= moment and (t.lease_until is null or t.lease_until < moment)
          for update skip locked;
      if found then
        update public.tasks t
           set status = case when t.status = 'stopping' then 'stopping' else 'running' end,
               attempts = t.attempts + begun.attempt,
               attempts_without_progress = t.attempts_without_progress + begun.attempt,
               lease_owner = worker,
               lease_until = moment + make_interval(secs => lease_seconds),
               fence = t.fence + 1,
               claimed_at = moment,
               started_at = coalesce(t.started_at, moment)
          from (select o.id, case when o.status in ('running', 'stopping') and o.lease_until is null then 0 else 1 end as attempt
                  from public.tasks o where o.id = candidate) as begun
         where t.id = begun.id
        returning t.* into claimed;
        -- Not by return query: what it has given is not taken back with the subtransaction.
        return next claimed;
        return;
      end if;
    exception
      when others then
        get stacked diagnostics violated = constraint_name;
        -- Another worker claimed a task of the same key in the same moment.
        if violated <> 'tasks_running_key' then
          perform private.put_off_task(candidate, sqlstate, sqlerrm);
        end if;
    end;
  end loop;
end
$$;
revoke all on function private.claim_task(text, int) from public;
grant execute on function private.claim_task(text, int) to service_role;

-- Extends a lease and writes progress. Returns the current status ('running' or 'stopping'); null when the claim is lost or has ended: a
-- late heartbeat must not hold a task that its worker has released.
create function private.keep_task(
  task uuid, claim_fence bigint, lease_seconds int,
  progress_done int default null, progress_total int default null, code text default null, params jsonb default null
) returns text
language sql volatile set search_path = '' as $$
  update public.tasks t
     set lease_until = clock_timestamp() + make_interval(secs => lease_seconds),
         done = coalesce(progress_done, t.done), total = coalesce(progress_total, t.total),
         message_code = coalesce(code, t.message_code), message_params = coalesce(params, t.message_params)
   where t.id = task and t.fence = claim_fence and t.status in ('running', 'stopping') and t.lease_owner is not null
  returning t.status
$$;
revoke all on function private.keep_task(uuid, bigint, int, int, int, text, jsonb) from public;
grant execute on function private.keep_task(uuid, bigint, int, int, int, text, jsonb) to service_role;

-- Ends a claim: 'succeeded', 'failed', 'stopped'; 'waiting' (again after a delay); 'running' (released between slices). A stop requested
-- meanwhile overrides the last two: the next claim finds the task stopping. False when the claim is lost.
create function private.end_claim(
  task uuid, claim_fence bigint, new_status text, code text, params jsonb default '{}',
  problem text default null, delay_seconds double precision default 0
) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  ends constant boolean := new_status in ('succeeded', 'failed', 'stopped');
begin
  update public.tasks t
     set status = case when t.status = 'stopping' and not ends then 'stopping' else new_status end,
         message_code = case when t.status = 'stopping' and not ends then t.message_code else code end,
         message_params = params, error = problem,
         lease_owner = null, lease_until = null,
         run_after = clock_timestamp()
                   + make_interval(secs => case when t.status = 'stopping' then 0 else delay_seconds end),
         finished_at = case when ends then clock_timestamp() end
   where t.id = task and t.fence = claim_fence and t.status in ('running', 'stopping');
  return found;
end
$$;
revoke all on function private.end_claim(uuid, bigint, text, text, jsonb, text, double precision) from public;
grant execute on function private.end_claim(uuid, bigint, text, text, jsonb, text, double precision) to service_role;
