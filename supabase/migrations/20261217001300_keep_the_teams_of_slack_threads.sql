-- Takes a database with data from the schema before to that of sql/: keep the teams of slack threads.

-- The team of a thread whose app, agent or chat was deleted, for three months. What is said there later goes on with what was said to that
-- team: another team's app answers only by its name.
create table private.former_slack_threads (
  workspace_id text not null,
  channel text not null,
  thread_ts text not null,
  -- No reference: a deleted team's threads are no other team's either.
  asked_team uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, channel, thread_ts)
);
create index former_slack_threads_created_idx on private.former_slack_threads (created_at);
revoke all on private.former_slack_threads from public, anon, authenticated;
grant select, insert, update, delete on private.former_slack_threads to service_role;
alter table private.former_slack_threads enable row level security;

-- Records deleted threads, and forgets one that begins again or is restored. Security definer: no client may touch threads.
-- Who may: callers the policies let delete what a thread goes with, by a trigger. Checks: the threads of that statement.
create function private.follow_slack_threads() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    delete from private.former_slack_threads f using changed c
     where f.workspace_id = c.workspace_id and f.channel = c.channel and f.thread_ts = c.thread_ts;
  else
    insert into private.former_slack_threads (workspace_id, channel, thread_ts, asked_team)
    select c.workspace_id, c.channel, c.thread_ts, c.team_id from changed c
    on conflict (workspace_id, channel, thread_ts) do update set asked_team = excluded.asked_team, created_at = now();
  end if;
  return null;
end
$$;
revoke all on function private.follow_slack_threads() from public;
create trigger follow_begun_slack_threads after insert on private.slack_threads
  referencing new table as changed for each statement execute function private.follow_slack_threads();
create trigger follow_deleted_slack_threads after delete on private.slack_threads
  referencing old table as changed for each statement execute function private.follow_slack_threads();
