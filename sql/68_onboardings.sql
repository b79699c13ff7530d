-- A team's onboarding: the knowledge base and the agent created for its first files, and questions found in them. One row per team, so that
-- nothing is created twice. The platform writes, members read.

create table public.onboardings (
  team_id uuid not null references public.teams (id) on delete cascade,
  knowledge_id uuid not null,
  agent_id uuid not null,
  -- Questions not yet asked, [{ "question", "fact", "documentId" }]; null until they have been looked for.
  candidates jsonb check (jsonb_typeof(candidates) = 'array'),
  -- Answered questions: [{ "question", "answer", "citations" }].
  questions jsonb not null default '[]' check (jsonb_typeof(questions) = 'array'),
  -- The user as whom the agent is asked.
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (team_id),
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade
);
create index onboardings_knowledge_idx on public.onboardings (team_id, knowledge_id);
create index onboardings_agent_idx on public.onboardings (team_id, agent_id);
create index onboardings_created_by_idx on public.onboardings (created_by);
create trigger touch_onboardings before update on public.onboardings
  for each row execute function private.touch_updated_at();

revoke all on public.onboardings from public, anon, authenticated;
grant select on public.onboardings to authenticated;
grant select, insert, update, delete on public.onboardings to service_role;
alter table public.onboardings enable row level security;
-- Answers quote documents.
create policy "members read how their team began" on public.onboardings for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));

-- Queues the search for questions each time the knowledge base becomes ready, until three questions are answered.
create function private.look_for_questions() returns trigger
language plpgsql set search_path = '' as $$
declare
  task uuid;
begin
  update public.onboardings o set candidates = null
   where o.team_id = new.team_id and o.knowledge_id = new.id and jsonb_array_length(o.questions) < 3;
  if found then
    -- A statement of its own: in a condition it would be called for each of all teams' tasks.
    task := private.enqueue_task(new.team_id, 'questions', 'questions:' || new.id);
    -- Files come one after the other: what is found should be of them all.
    update public.tasks t set run_after = clock_timestamp() + interval '3 seconds' where t.id = task;
  end if;
  return null;
end
$$;
revoke all on function private.look_for_questions() from public;
create trigger look_for_questions after update of status on public.knowledges
  for each row when (new.status = 'ready' and old.status is distinct from new.status)
  execute function private.look_for_questions();
