-- Attempts: when each attempt at a task started, how it ended and with which message. Written by a trigger on tasks, so that no worker can
-- omit them.

create table public.task_attempts (
  task_id uuid not null,
  number int not null check (number > 0),
  team_id uuid not null,
  -- 'lost': its worker died, and another one took the task over.
  status text not null default 'running' check (status in ('running', 'waiting', 'stopped', 'succeeded', 'failed', 'lost')),
  done int not null default 0,
  total int not null default 0,
  message_code text not null default 'starting',
  message_params jsonb not null default '{}',
  error text,
  started_at timestamptz not null,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (task_id, number),
  foreign key (team_id, task_id) references public.tasks (team_id, id) on delete cascade
);
create index task_attempts_team_idx on public.task_attempts (team_id, task_id);
create trigger touch_task_attempts before update on public.task_attempts
  for each row execute function private.touch_updated_at();

revoke all on public.task_attempts from public, anon, authenticated;
grant select on public.task_attempts to authenticated;
grant select, insert, update, delete on public.task_attempts to service_role;
alter table public.task_attempts enable row level security;
create policy "members read the attempts at their team's tasks" on public.task_attempts for select to authenticated
  using (team_id = any ((select private.teams_with('tasks.read'))::uuid[]));

-- A task released between two slices and claimed again stays in the same attempt.
create function private.note_attempt() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.attempts > old.attempts then
    update public.task_attempts a
       set status = 'lost', message_code = 'workerLost', finished_at = least(old.lease_until, clock_timestamp())
     where a.task_id = new.id and a.finished_at is null;
    insert into public.task_attempts (task_id, number, team_id, started_at)
    values (new.id, new.attempts, new.team_id, clock_timestamp());
  else
    update public.task_attempts a
       set status = new.status, done = new.done, total = new.total, message_code = new.message_code,
           message_params = new.message_params, error = new.error, finished_at = clock_timestamp()
     where a.task_id = new.id and a.finished_at is null;
  end if;
  return null;
end
$$;
revoke all on function private.note_attempt() from public;
create trigger note_attempt after update of status, attempts on public.tasks
  for each row
  when (new.attempts > old.attempts
        or new.status is distinct from old.status and new.status in ('waiting', 'stopped', 'succeeded', 'failed'))
  execute function private.note_attempt();
