-- Tests of agents: saved questions with what a good answer contains, and runs of them. A run answers as one version of the agent and, for a
-- draft, as the live version beside it. Versions are immutable, so a run's subject never changes.

create table public.agent_tests (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  agent_id uuid not null,
  question text not null check (char_length(question) between 1 and 20000 and btrim(question) <> ''),
  -- Each must occur in the answer; numbers and dates are compared as values.
  facts text[] not null default '{}' check (cardinality(facts) <= 20),
  -- A document that the answer must cite. Its title stays after the document is deleted, as a record of it.
  expected_document_id uuid,
  expected_title text,
  must_refuse boolean not null default false,
  -- The reply that the test was created from.
  message_id uuid,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  foreign key (team_id, expected_document_id) references public.documents (team_id, id) on delete set null (expected_document_id),
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete set null (message_id),
  constraint agent_tests_facts_plain check (private.are_plain_texts(facts, 500)),
  constraint agent_tests_expected_title_plain check (private.is_plain_text(expected_title)),
  -- A test must be able to fail. An answer that must be refused has no facts.
  constraint agent_tests_expects check (
    case when must_refuse then cardinality(facts) = 0 and expected_title is null
         else cardinality(facts) > 0 or expected_title is not null end)
);
create index agent_tests_team_agent_idx on public.agent_tests (team_id, agent_id, id);
create index agent_tests_agent_idx on public.agent_tests (agent_id, id);
create index agent_tests_document_idx on public.agent_tests (team_id, expected_document_id);
create index agent_tests_message_idx on public.agent_tests (team_id, message_id);
create index agent_tests_created_by_idx on public.agent_tests (created_by);
create trigger touch_agent_tests before update on public.agent_tests
  for each row execute function private.touch_updated_at();

-- Sets a test's author and the title of its document. Security definer: reads documents that the writer may not see; the foreign key keeps
-- them in the test's own team, and only a title is stored.
-- Who may: callers the policies let write the test, by a trigger. Checks: that they read the team's sources.
create function private.check_agent_test() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() and tg_op = 'INSERT' then
    new.created_by := private.user_id();
  end if;
  if new.expected_document_id is not null
     and (tg_op = 'INSERT' or new.expected_document_id is distinct from old.expected_document_id) then
    if private.is_client() and new.team_id <> all (private.teams_with('sources.read')) then
      raise exception 'may not read this document' using errcode = '42501';
    end if;
    new.expected_title := (select d.title from public.documents d
                            where d.team_id = new.team_id and d.id = new.expected_document_id);
  elsif new.expected_document_id is null and tg_op = 'UPDATE' and private.is_client() and pg_trigger_depth() = 1 then
    -- Its editor took it away. Where the document itself is deleted, the foreign key's trigger writes here, and the title stays.
    new.expected_title := null;
  end if;
  return new;
end
$$;
revoke all on function private.check_agent_test() from public;
create trigger check_agent_test before insert or update of expected_document_id on public.agent_tests
  for each row when (not private.is_restoring()) execute function private.check_agent_test();

-- Limits the tests of an agent. Locks before it counts, so that concurrent inserts count each other's rows, and in one order, so that two
-- statements cannot deadlock. Security definer: counts tests that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of tests of the agents of the inserted rows.
create function private.limit_agent_tests() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('agentTests:' || a.agent_id, 0))
     from (select distinct n.agent_id from added n order by n.agent_id) a;
  if exists (select from (select distinct n.agent_id from added n) a
              where (select count(*) from public.agent_tests t where t.agent_id = a.agent_id) > 500) then
    raise exception 'an agent has at most 500 tests' using errcode = '23514', constraint = 'agent_tests_few';
  end if;
  return null;
end
$$;
revoke all on function private.limit_agent_tests() from public;
create trigger limit_agent_tests after insert on public.agent_tests
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_agent_tests();

revoke all on public.agent_tests from public, anon, authenticated;
grant select, delete on public.agent_tests to authenticated;
grant insert (team_id, agent_id, question, facts, expected_document_id, must_refuse, message_id) on public.agent_tests to authenticated;
grant update (question, facts, expected_document_id, must_refuse) on public.agent_tests to authenticated;
grant select, insert, update, delete on public.agent_tests to service_role;
alter table public.agent_tests enable row level security;
create policy "members read the tests of their team's agents" on public.agent_tests for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));
-- A test shows what was asked, so only those who may read a reply create a test from it.
create policy "editors add tests, of replies that they may read" on public.agent_tests for insert to authenticated
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[])
          and (message_id is null or exists (select 1 from public.messages m where m.id = message_id)));
create policy "editors change their team's tests" on public.agent_tests for update to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[]));
create policy "editors delete their team's tests" on public.agent_tests for delete to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]));

create table public.agent_test_runs (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- The live version when the run started; null when it is the tested version itself.
  live_version_id uuid,
  task_id uuid,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'stopped', 'failed')),
  total int not null default 0,
  done int not null default 0,
  -- Why it stopped early, for people.
  error text,
  -- The requester: the run reads what they may read and uses their limits.
  created_by uuid references public.users (id) on delete set null,
  api_key_id uuid references public.api_keys (id) on delete set null,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  foreign key (team_id, version_id) references public.agent_versions (team_id, id) on delete cascade,
  foreign key (team_id, live_version_id) references public.agent_versions (team_id, id) on delete cascade,
  foreign key (team_id, task_id) references public.tasks (team_id, id) on delete set null (task_id)
);
create index agent_test_runs_team_agent_idx on public.agent_test_runs (team_id, agent_id, id);
create index agent_test_runs_agent_idx on public.agent_test_runs (agent_id, id);
create index agent_test_runs_version_idx on public.agent_test_runs (team_id, version_id);
create index agent_test_runs_live_version_idx on public.agent_test_runs (team_id, live_version_id);
create index agent_test_runs_task_idx on public.agent_test_runs (team_id, task_id);
create index agent_test_runs_created_by_idx on public.agent_test_runs (created_by);
create index agent_test_runs_api_key_idx on public.agent_test_runs (api_key_id);
-- One run of an agent at a time.
create unique index agent_test_runs_open_key on public.agent_test_runs (agent_id) where status in ('queued', 'running');
create trigger touch_agent_test_runs before update on public.agent_test_runs
  for each row execute function private.touch_updated_at();

revoke all on public.agent_test_runs from public, anon, authenticated;
grant select on public.agent_test_runs to authenticated;
grant select, insert, update, delete on public.agent_test_runs to service_role;
alter table public.agent_test_runs enable row level security;
create policy "members read the test runs of their team's agents" on public.agent_test_runs for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));

-- One test in one run: the test as it was when the run started, and each version's answer.
create table public.agent_test_results (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  run_id uuid not null,
  test_id uuid,
  position int not null,
  question text not null,
  facts text[] not null,
  expected_document_id uuid,
  expected_title text,
  must_refuse boolean not null,
  answer text,
  -- Null until answered. 'documentDeleted': everything else passed.
  verdict text check (verdict in ('passed', 'failed', 'undecided', 'documentDeleted')),
  -- { facts: [true | false | null], document: true | false | null, refused }: the basis of the verdict.
  findings jsonb not null default '{}',
  live_answer text,
  live_verdict text check (live_verdict in ('passed', 'failed', 'undecided', 'documentDeleted')),
  live_findings jsonb not null default '{}',
  -- A person's verdict, which overrides the judge's.
  overruled text check (overruled in ('passed', 'failed')),
  overruled_by uuid references public.users (id) on delete set null,
  overruled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  unique (run_id, position),
  foreign key (team_id, run_id) references public.agent_test_runs (team_id, id) on delete cascade,
  foreign key (team_id, test_id) references public.agent_tests (team_id, id) on delete set null (test_id),
  constraint agent_test_results_expected_title_plain check (private.is_plain_text(expected_title))
);
create index agent_test_results_team_run_idx on public.agent_test_results (team_id, run_id);
create index agent_test_results_test_idx on public.agent_test_results (team_id, test_id, id);
create index agent_test_results_overruled_by_idx on public.agent_test_results (overruled_by);
create trigger touch_agent_test_results before update on public.agent_test_results
  for each row execute function private.touch_updated_at();

-- Records who overrode a result, and when, from the caller's claims. Security definer: clients write neither.
-- Who may: callers the policies let override, by a trigger. Checks: nothing; it records the caller.
create function private.note_overruling() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() then
    new.overruled_by := case when new.overruled is not null then private.user_id() end;
    new.overruled_at := case when new.overruled is not null then clock_timestamp() end;
  end if;
  return new;
end
$$;
revoke all on function private.note_overruling() from public;
create trigger note_overruling before update of overruled on public.agent_test_results
  for each row execute function private.note_overruling();

revoke all on public.agent_test_results from public, anon, authenticated;
grant select on public.agent_test_results to authenticated;
grant update (overruled) on public.agent_test_results to authenticated;
grant select, insert, update, delete on public.agent_test_results to service_role;
alter table public.agent_test_results enable row level security;
create policy "members read the test results of their team's agents" on public.agent_test_results for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));
create policy "editors overrule results of their team's tests" on public.agent_test_results for update to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[]));

-- Starts a run of an agent's tests as one version, and queues its task. Keeps the agent's latest 50 runs. Raises PT409 while another run of
-- the agent is open, PT404 for a version that the agent does not have, PT429 after 120 runs of the same caller in an hour: each copies the
-- tests, and its task stays in the history.
create function private.begin_test_run(agent uuid, version uuid, by_user uuid, by_key uuid) returns uuid
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
revoke all on function private.begin_test_run(uuid, uuid, uuid, uuid) from public;
grant execute on function private.begin_test_run(uuid, uuid, uuid, uuid) to service_role;

-- Ends a run with its task, however that ended, including a worker's death on the last attempt. Security definer: a caller who may stop a
-- task may not write runs.
-- Who may: the service, which alone writes tasks, by a trigger. Checks: the run of the task itself.
create function private.end_test_run() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.agent_test_runs r
     set status = new.status, error = coalesce(r.error, new.error), finished_at = clock_timestamp()
   where r.team_id = new.team_id and r.task_id = new.id and r.status in ('queued', 'running');
  return null;
end
$$;
revoke all on function private.end_test_run() from public;
create trigger end_test_run after update of status on public.tasks
  for each row when (new.type = 'agentTests' and new.status in ('succeeded', 'failed', 'stopped'))
  execute function private.end_test_run();
