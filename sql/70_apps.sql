-- Apps: where people ask a team's agents outside of Parley. A Slack app binds one agent to one workspace. Tokens, the install
-- flow's states, the queue of events and the threads are the service's alone.

create table public.apps (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  type text not null default 'slack' check (type in ('slack')),
  agent_id uuid not null,
  -- pending: not installed yet; disconnected: the workspace has taken the app out or its token away.
  status text not null default 'pending' check (status in ('pending', 'connected', 'disconnected')),
  workspace_id text check (char_length(workspace_id) between 1 and 40),
  workspace_name text check (char_length(workspace_name) <= 200),
  -- Slack's ids of the channels in which it answers; empty: in every one that it has been invited to.
  channels text[] not null default '{}' check (cardinality(channels) <= 100 and pg_column_size(channels) <= 8192),
  -- Who may ask: full members of the workspace, its guests too, or also people of other workspaces in shared channels.
  audience text not null default 'members' check (audience in ('members', 'guests', 'everyone')),
  connected_at timestamptz,
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
-- One agent answers once in a workspace.
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

-- One per Slack workspace, whichever teams have apps there: Slack gives one bot and one pair of tokens. Sealed with
-- SECRETS_KEY by the edge functions.
create table private.slack_installations (
  workspace_id text primary key,
  bot_user_id text not null,
  tokens bytea not null,
  -- Null: the token does not expire.
  expires_at timestamptz,
  -- One process at a time swaps a refresh token, which works once.
  refreshing_until timestamptz,
  installed_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
create trigger touch_slack_installations before update on private.slack_installations
  for each row execute function private.touch_updated_at();

-- A workspace's tokens go with the last app that is connected there, in the same transaction, whatever takes it away: the app or
-- its team deleted, or another workspace. Where its agent alone is deleted they stay, or nobody could tell those who ask on that
-- there is no agent any more. The row is locked first, so that of two apps that go at once the second sees that it is the last.
-- Security definer: no client may touch tokens.
-- Who may: whoever the policies let write, by a trigger. Checks: the workspace of the old row, when no connected app is left there.
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

-- An install on its way: who began it, for which app. It goes on in the browser that began it, where one did; once Slack has
-- sent the browser back it waits for that person's word. Single use, minutes long; of secrets only the SHA-256 is kept.
create table private.slack_states (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  app_id uuid not null references public.apps (id) on delete cascade,
  -- As whom the flow began, judged again when it ends.
  claims jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- SHA-256 of what the browser keeps in a cookie; null where a program began.
  challenge bytea check (octet_length(challenge) = 32),
  -- Set when Slack sends the browser back: only that browser is given the ticket.
  ticket_hash bytea unique check (octet_length(ticket_hash) = 32),
  -- Slack's code, then what Slack gave for it, sealed with SECRETS_KEY.
  code bytea,
  granted bytea
);
create index slack_states_app_idx on private.slack_states (app_id);
create index slack_states_expires_idx on private.slack_states (expires_at);

-- A Slack thread is a chat. Its messages are ours; Slack's history is never read for them.
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

-- What Slack told us and what came of it: the queue, the memory of what was answered, and how far an answer has got.
create table private.slack_events (
  id uuid primary key default private.uuid_v7(),
  event_id text not null unique check (char_length(event_id) between 1 and 100),
  kind text not null check (kind in ('message', 'opened', 'stop', 'left')),
  workspace_id text not null,
  -- Of a message: where it stands. Messages of one thread are answered one after the other.
  channel text,
  ts text,
  thread_ts text,
  -- Emptied when the work is done.
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
  -- True from just before a message is posted until its ts is kept: whoever takes over then looks for it first.
  posting boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- A message and the mention in it are two events, and one question.
create unique index slack_events_message_key on private.slack_events (workspace_id, channel, ts) where kind = 'message';
create index slack_events_waiting_idx on private.slack_events (run_after) where status in ('queued', 'running');
create index slack_events_thread_idx on private.slack_events (workspace_id, channel, thread_ts) where kind = 'message';
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

-- Takes the next event: one that waits or whose worker is silent, never a message while an earlier one of its thread is not
-- done. The fence tells its holder from every holder before.
create function private.claim_slack_event(lease_seconds int) returns setof private.slack_events
language sql volatile set search_path = '' as $$
  update private.slack_events e
     set status = 'running', attempts = e.attempts + 1, fence = e.fence + 1,
         lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
   where e.id = (
     select n.id from private.slack_events n
      where n.status in ('queued', 'running') and n.run_after <= clock_timestamp()
        and (n.lease_until is null or n.lease_until < clock_timestamp())
        and not (n.kind = 'message' and exists (
          select 1 from private.slack_events b
           where b.kind = 'message' and b.workspace_id = n.workspace_id and b.channel = n.channel
             and b.thread_ts = n.thread_ts and b.status in ('queued', 'running') and b.ts < n.ts))
      order by n.run_after, n.id limit 1 for update skip locked)
  returning e.*
$$;
revoke all on function private.claim_slack_event(int) from public;
grant execute on function private.claim_slack_event(int) to service_role;
