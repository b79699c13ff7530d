-- Apps: channels outside Parley in which people ask a team's agents. A Slack app binds one agent to one workspace. Tokens, install states,
-- the event queue and threads are service only.

create table public.apps (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  type text not null default 'slack' check (type in ('slack')),
  agent_id uuid not null,
  -- pending: not installed yet; disconnected: the workspace removed the app or revoked its token.
  status text not null default 'pending' check (status in ('pending', 'connected', 'disconnected')),
  workspace_id text check (char_length(workspace_id) between 1 and 40),
  workspace_name text check (char_length(workspace_name) <= 200),
  -- Slack's ids of the channels in which it answers; empty: every channel that it was invited to.
  channels text[] not null default '{}' check (cardinality(channels) <= 100 and pg_column_size(channels) <= 8192),
  -- Who may ask: full members of the workspace, also its guests, or also people of other workspaces in shared channels.
  audience text not null default 'members' check (audience in ('members', 'guests', 'everyone')),
  connected_at timestamptz,
  -- When the team first connected the workspace, kept while it has an app there. Of several teams the earliest is asked first.
  team_connected_at timestamptz,
  created_by uuid references public.users (id) on delete set null default private.user_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  check (status <> 'connected' or (workspace_id is not null and connected_at is not null))
);
create index apps_team_name_idx on public.apps (team_id, name collate private.natural_order, id);
create index apps_agent_idx on public.apps (team_id, agent_id);
create index apps_workspace_idx on public.apps (workspace_id) where workspace_id is not null;
-- An agent answers once per workspace.
create unique index apps_connected_key on public.apps (workspace_id, agent_id) where status = 'connected';
create index apps_created_by_idx on public.apps (created_by);
create trigger touch_apps before update on public.apps
  for each row execute function private.touch_updated_at();

revoke all on public.apps from public, anon, authenticated;
grant select, delete on public.apps to authenticated;
grant insert (team_id, name, type, agent_id, channels, audience) on public.apps to authenticated;
grant update (name, agent_id, channels, audience) on public.apps to authenticated;
grant select, insert, update, delete on public.apps to service_role;
alter table public.apps enable row level security;
create policy "those who may read apps read their team's" on public.apps for select to authenticated
  using (team_id = any ((select private.teams_with('apps.read'))::uuid[]));
create policy "those who may write apps add them to their team" on public.apps for insert to authenticated
  with check (team_id = any ((select private.teams_with('apps.write'))::uuid[]));
create policy "those who may write apps change their team's" on public.apps for update to authenticated
  using (team_id = any ((select private.teams_with('apps.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('apps.write'))::uuid[]));
create policy "those who may write apps remove their team's" on public.apps for delete to authenticated
  using (team_id = any ((select private.teams_with('apps.write'))::uuid[]));

-- One per Slack workspace, whichever teams have apps there: Slack issues one bot and one pair of tokens. Sealed with SECRETS_KEY by the
-- edge functions.
create table private.slack_installations (
  workspace_id text primary key,
  bot_user_id text not null,
  tokens bytea not null,
  -- Null: the token does not expire.
  expires_at timestamptz,
  -- Only one process at a time redeems a refresh token, because it is single-use.
  refreshing_until timestamptz,
  installed_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
create trigger touch_slack_installations before update on private.slack_installations
  for each row execute function private.touch_updated_at();

-- Deletes a workspace's tokens with its last connected app, in the same transaction, whatever removes the app: it or its team is deleted,
-- or its workspace changes. The tokens stay when only the app's agent is deleted, because the bot still has to reply that the agent no
-- longer exists. The row is locked first, so that of two apps deleted concurrently the second sees that it is the last. Security definer:
-- no client may touch tokens.
-- Who may: callers the policies let write, by a trigger. Checks: the workspace of the old row, when no connected app is left there.
create function private.forget_tokens() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select 1 from public.teams t where t.id = old.team_id)
     and not exists (select 1 from public.agents a where a.id = old.agent_id) then
    return null;
  end if;
  perform 1 from private.slack_installations i where i.workspace_id = old.workspace_id for update;
  delete from private.slack_installations i
   where i.workspace_id = old.workspace_id
     and not exists (select 1 from public.apps p where p.workspace_id = old.workspace_id and p.status = 'connected');
  return null;
end
$$;
revoke all on function private.forget_tokens() from public;
create trigger forget_tokens after delete on public.apps
  for each row when (old.workspace_id is not null) execute function private.forget_tokens();
create trigger forget_tokens_of_another_workspace after update of workspace_id, status on public.apps
  for each row when (old.status = 'connected' and (new.status <> 'connected' or new.workspace_id <> old.workspace_id))
  execute function private.forget_tokens();

-- A pending install: who started it, for which app. It continues in the browser that started it, if any, and waits for that person's
-- confirmation after Slack's redirect. Single use, valid for minutes. Secrets are stored as SHA-256 only.
create table private.slack_states (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  app_id uuid not null references public.apps (id) on delete cascade,
  -- The claims that started the flow, checked again when it ends.
  claims jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- SHA-256 of the browser's cookie; null when a program started the flow.
  challenge bytea check (octet_length(challenge) = 32),
  -- Set on Slack's redirect: only that browser gets the ticket.
  ticket_hash bytea unique check (octet_length(ticket_hash) = 32),
  -- Slack's code, then the tokens exchanged for it, sealed with SECRETS_KEY.
  code bytea,
  granted bytea
);
create index slack_states_app_idx on private.slack_states (app_id);
create index slack_states_expires_idx on private.slack_states (expires_at);

-- A Slack thread is a chat. Its messages are stored in that chat; Slack's history is never read for them.
create table private.slack_threads (
  workspace_id text not null,
  channel text not null,
  thread_ts text not null,
  team_id uuid not null references public.teams (id) on delete cascade,
  app_id uuid not null,
  chat_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, channel, thread_ts),
  foreign key (team_id, app_id) references public.apps (team_id, id) on delete cascade,
  foreign key (team_id, chat_id) references public.chats (team_id, id) on delete cascade
);
create index slack_threads_app_idx on private.slack_threads (team_id, app_id);
create index slack_threads_chat_idx on private.slack_threads (team_id, chat_id);

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

-- Slack's events and their outcome: the queue, the record of what was answered, and the progress of each answer.
create table private.slack_events (
  id uuid primary key default private.uuid_v7(),
  event_id text not null unique check (char_length(event_id) between 1 and 100),
  kind text not null check (kind in ('message', 'opened', 'stop', 'left')),
  workspace_id text not null,
  -- A message's place. Messages of one thread are answered in order.
  channel text,
  ts text,
  thread_ts text,
  -- Emptied when processed; minutes later of a message in a thread that is not ours, since the thread's first mention may be late.
  payload jsonb,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  attempts int not null default 0,
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  fence int not null default 0,
  question_id uuid,
  reply_id uuid,
  -- The ts of every Slack message that carries the reply, in order.
  posted text[] not null default '{}',
  -- True from just before a message is posted until its ts is stored. A worker that takes over looks for that message in Slack first.
  posting boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The last attempt's beginning.
  claimed_at timestamptz,
  -- When Slack says that the text was last edited.
  edited_ts text,
  -- The team whose deleted app had the thread: no other team's app answers.
  asked_team uuid
);
-- A message and the mention in it arrive as two events, and are one question.
create unique index slack_events_message_key on private.slack_events (workspace_id, channel, ts) where kind = 'message';
create index slack_events_waiting_idx on private.slack_events (workspace_id, run_after, id) where status in ('queued', 'running');
create index slack_events_running_idx on private.slack_events (workspace_id) where status = 'running';
create index slack_events_turns_idx on private.slack_events (workspace_id, claimed_at) where claimed_at is not null;
create index slack_events_thread_idx on private.slack_events (workspace_id, channel, thread_ts) where kind = 'message';
create index slack_events_unfinished_idx on private.slack_events (workspace_id, channel, thread_ts, ts)
  where kind = 'message' and status in ('queued', 'running');
create index slack_events_others_idx on private.slack_events (workspace_id, run_after)
  where kind <> 'message' and status in ('queued', 'running');
create index slack_events_left_idx on private.slack_events (updated_at) where status = 'done' and payload is not null;
create index slack_events_created_idx on private.slack_events (created_at);
create index slack_events_question_idx on private.slack_events (question_id);
create trigger touch_slack_events before update on private.slack_events
  for each row execute function private.touch_updated_at();

revoke all on private.slack_installations, private.slack_states, private.slack_threads, private.slack_events
  from public, anon, authenticated;
grant select, insert, update, delete
  on private.slack_installations, private.slack_states, private.slack_threads, private.slack_events to service_role;
alter table private.slack_installations enable row level security;
alter table private.slack_states enable row level security;
alter table private.slack_threads enable row level security;
alter table private.slack_events enable row level security;

-- A deleted team's people wait for nobody: what they wrote in its threads, or in a workspace in which it alone had apps, is forgotten. Otherwise
-- it would wait a day for the next install there, and a team that connects the workspace by then would get it. A worker that is at one ends it
-- without its text. Security definer: no client may touch events.
-- Who may: callers the policies let delete the team, by a trigger. Checks: the apps and threads of the deleted team.
create function private.forget_slack_events() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.slack_events e
     set status = case when e.status = 'running' then 'running' else 'done' end, payload = null
   where e.id in (
     select q.id from private.slack_threads t
       join private.slack_events q on q.kind = 'message' and q.workspace_id = t.workspace_id and q.channel = t.channel and q.thread_ts = t.thread_ts
      where t.team_id = old.id and q.status in ('queued', 'running')
     union all
     select q.id from private.slack_events q
      where q.workspace_id in (
              select p.workspace_id from public.apps p
               where p.team_id = old.id and p.status = 'connected' and not exists (
                 select from public.apps o
                  where o.workspace_id = p.workspace_id and o.team_id <> old.id and o.status = 'connected'))
        and q.status in ('queued', 'running'));
  return old;
end
$$;
revoke all on function private.forget_slack_events() from public;
create trigger forget_slack_events before delete on public.teams for each row execute function private.forget_slack_events();

-- What waits in the threads of a deleted app stays its team's: another team's app of the workspace would answer it, and store it in its own chats.
-- Before the deletion, since the threads go with the app. Security definer: no client may touch events.
-- Who may: callers the policies let delete the app, by a trigger. Checks: the threads of the deleted app.
create function private.keep_slack_events_apart() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.slack_events e set asked_team = old.team_id
   where e.id in (
     select q.id from private.slack_threads t
       join private.slack_events q on q.kind = 'message' and q.workspace_id = t.workspace_id and q.channel = t.channel and q.thread_ts = t.thread_ts
      where t.team_id = old.team_id and t.app_id = old.id and q.status in ('queued', 'running'));
  return old;
end
$$;
revoke all on function private.keep_slack_events_apart() from public;
create trigger keep_slack_events_apart before delete on public.apps
  for each row when (old.workspace_id is not null) execute function private.keep_slack_events_apart();

-- Claims the next event: one that waits or whose worker is silent, never a message while an earlier one of its thread is unfinished. Workspaces
-- take turns: the one with the fewest under way comes first, then the one that was served the longest ago, so that none waits for all that others
-- have queued. Reads a few rows of each workspace, however many it or one of its threads has queued. The fence excludes earlier claims. A row that cannot be written
-- is left out with a warning.
create function private.claim_slack_event(lease_seconds int) returns setof private.slack_events
language plpgsql volatile set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  workspace text;
  candidate uuid;
  claimed private.slack_events;
begin
  for workspace in
    with recursive workspaces (id) as (
      (select w.workspace_id from private.slack_events w
        where w.status in ('queued', 'running') order by w.workspace_id limit 1)
      union all
      select (select w.workspace_id from private.slack_events w
               where w.status in ('queued', 'running') and w.workspace_id > p.id order by w.workspace_id limit 1)
        from workspaces p where p.id is not null)
    select p.id from workspaces p
     cross join lateral (
       select w.run_after from private.slack_events w
        where w.workspace_id = p.id and w.status in ('queued', 'running') order by w.run_after limit 1) oldest
     where oldest.run_after <= moment
     order by (select count(*) from private.slack_events r
                where r.workspace_id = p.id and r.status = 'running' and r.lease_until >= moment),
              -- Turns of a time to come were taken before the clock was set back.
              (select max(t.claimed_at) from private.slack_events t where t.workspace_id = p.id and t.claimed_at <= moment) nulls first,
              oldest.run_after, p.id
  loop
    for candidate in
      with recursive oldest as materialized (
        select n.id, n.run_after, n.kind, n.channel, n.thread_ts, n.ts from private.slack_events n
         where n.workspace_id = workspace and n.status in ('queued', 'running') and n.run_after <= moment
           and (n.lease_until is null or n.lease_until < moment)
         order by n.run_after, n.id limit 200),
      free as materialized (
        select o.id, o.run_after from oldest o
         -- The first of its thread, which the index has: no statistics make a search of the whole table look cheaper.
         where o.kind <> 'message' or o.ts <= (
           select b.ts from private.slack_events b
            where b.kind = 'message' and b.workspace_id = workspace and b.channel = o.channel
              and b.thread_ts = o.thread_ts and b.status in ('queued', 'running') order by b.ts limit 1)),
      -- One thread has more than are read here: the first message of each thread, and what belongs to none.
      heads (id, channel, thread_ts, run_after, lease_until) as (
        (select h.id, h.channel, h.thread_ts, h.run_after, h.lease_until from private.slack_events h
          where not exists (select 1 from free) and (select count(*) from oldest) = 200
            and h.kind = 'message' and h.workspace_id = workspace and h.status in ('queued', 'running')
          order by h.channel, h.thread_ts, h.ts limit 1)
        union all
        select n.* from heads p cross join lateral (
          select h.id, h.channel, h.thread_ts, h.run_after, h.lease_until from private.slack_events h
           where h.kind = 'message' and h.workspace_id = workspace and h.status in ('queued', 'running')
             and (h.channel, h.thread_ts) > (p.channel, p.thread_ts)
           order by h.channel, h.thread_ts, h.ts limit 1) n),
      behind as (
        (select h.id, h.run_after from heads h
          where h.run_after <= moment and (h.lease_until is null or h.lease_until < moment) limit 100)
        union all
        (select n.id, n.run_after from private.slack_events n
          where not exists (select 1 from free) and n.workspace_id = workspace and n.kind <> 'message'
            and n.status in ('queued', 'running') and n.run_after <= moment
            and (n.lease_until is null or n.lease_until < moment)
          order by n.run_after limit 100))
      select c.id from (select f.id, f.run_after from free f union all select b.id, b.run_after from behind b) c
       order by c.run_after, c.id limit 100
    loop
      begin
        perform 1 from private.slack_events e
          where e.id = candidate and e.status in ('queued', 'running') and e.run_after <= clock_timestamp()
            and (e.lease_until is null or e.lease_until < clock_timestamp())
            for update skip locked;
        if found then
          update private.slack_events e
             set status = 'running', attempts = e.attempts + 1, fence = e.fence + 1, claimed_at = clock_timestamp(),
                 lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
           where e.id = candidate
          returning e.* into claimed;
          return next claimed;
          return;
        end if;
      exception
        when others then
          if private.is_no_rows_fault(sqlstate) then
            raise;
          end if;
          raise warning 'event % could not be claimed: % (%)', candidate, sqlerrm, sqlstate;
      end;
    end loop;
  end loop;
end
$$;
revoke all on function private.claim_slack_event(int) from public;
grant execute on function private.claim_slack_event(int) to service_role;
