-- Chats and their messages. A chat belongs to a user, a visitor or an API key. That person reads it, and so do team members who may read
-- everyone's. Replies are written by the service alone.

create table public.chats (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  agent_id uuid not null,
  user_id uuid references private.roots (id) on delete set null,
  visitor_id uuid,
  api_key_id uuid references private.roots (id) on delete set null,
  channel text not null default 'web' check (channel in ('web', 'playground', 'api', 'widget', 'slack')),
  title text not null default '' check (char_length(title) <= 200),
  summary text check (char_length(summary) <= 10000),
  rating text check (rating in ('up', 'down')),
  comment text check (char_length(comment) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references private.roots (team_id, id) on delete cascade
);
create index chats_agent_idx on public.chats (agent_id, id);
create index chats_team_agent_idx on public.chats (team_id, agent_id, id);
-- Finds the few chats of a channel that a team hardly uses.
create index chats_team_channel_idx on public.chats (team_id, channel, id);
create index chats_team_created_idx on public.chats (team_id, created_at);
create index chats_user_idx on public.chats (user_id, id);
create index chats_visitor_idx on public.chats (visitor_id, id);
create index chats_api_key_idx on public.chats (api_key_id, id);
create trigger touch_chats before update on public.chats
  for each row execute function private.touch_updated_at();

create table public.messages (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  chat_id uuid not null,
  -- Whose chat it is, copied from the chat so that policies need no join.
  user_id uuid references private.roots (id) on delete set null,
  visitor_id uuid,
  api_key_id uuid references private.roots (id) on delete set null,
  role text not null default 'user' check (role in ('user', 'assistant')),
  content text not null default '' check (char_length(content) <= 200000),
  status text not null default 'complete' check (status in ('streaming', 'complete', 'stopped', 'failed')),
  -- [{ index, documentId, chunkId, title, url, quote }]
  citations jsonb not null default '[]',
  -- True when no passage fitted the question.
  unanswered boolean not null default false,
  rating text check (rating in ('up', 'down')),
  comment text check (char_length(comment) <= 2000),
  -- { promptTokens, completionTokens, model }
  usage jsonb,
  -- Set to stop a reply that is being written.
  stop_requested boolean not null default false,
  -- A question that was rephrased, or its answer: excluded from the conversation, counted in insights. Set by the platform alone, together
  -- with the question that replaces it.
  superseded boolean not null default false,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The rewritten query, searched beside the question itself; null when there is none.
  searched_for text check (char_length(searched_for) <= 2000),
  -- How far the passages support a reply, { state, claims, disagreement }; null when unchecked.
  support jsonb check (support ->> 'state' in ('answered', 'partly', 'notFound', 'disagree', 'unchecked')),
  -- The team member who wrote the answer; null when the model did.
  author_name text check (private.is_plain_text(author_name) and char_length(author_name) between 1 and 200),
  -- Clarifying questions, when a question can be read in two or three ways.
  suggestions text[] not null default '{}' check (cardinality(suggestions) <= 3),
  -- Why a reply failed: the code of the refusal that whoever asked was told. Null when it was interrupted.
  error text check (error ~ '^[A-Za-z_]{1,60}$'),
  -- The code of why a reply did not reach the person in Slack; null when it did, or did not have to.
  undelivered text check (undelivered ~ '^[A-Za-z_]{1,60}$'),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, chat_id) references public.chats (team_id, id) on delete cascade
);
create index messages_chat_idx on public.messages (chat_id, id);
create index messages_team_chat_idx on public.messages (team_id, chat_id);
-- Covers all columns that insights count: a team's year is read from the index alone, not from between its texts.
create index messages_team_created_idx on public.messages (team_id, created_at)
  include (chat_id, role, status, visitor_id, rating, unanswered, finished_at);
-- Few replies are rated, and insights find the chats that those tell of.
create index messages_rated_idx on public.messages (team_id, created_at) include (chat_id, rating) where rating is not null;
-- Most replies are supported, and are not in it. For private.find_chats_by_support().
create index messages_doubtful_idx on public.messages (team_id, (support ->> 'state'), chat_id)
  where support ->> 'state' in ('partly', 'notFound', 'disagree');
-- Hardly any reply is in it. For the mark in lists of chats.
create index messages_undelivered_idx on public.messages (chat_id) where undelivered is not null;
create index messages_unanswered_idx on public.messages (team_id, id) where unanswered;
create index messages_user_idx on public.messages (user_id);
create index messages_api_key_idx on public.messages (api_key_id);
-- One reply at a time in a chat: two would interleave. Replies of dead workers are found by it, too. No index holds updated_at: Postgres would
-- then write an entry into every index whenever a growing reply is saved.
create unique index messages_streaming_key on public.messages (chat_id) where status = 'streaming';
create trigger touch_messages before update on public.messages
  for each row execute function private.touch_updated_at();

-- True when anyone may talk to an agent. Security definer: a logged-in outsider cannot see the agent's row.
-- Who may: everyone. Checks: visibility alone, which is public by nature.
create function private.is_public_agent(agent uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from public.agents a where a.id = agent and a.visibility = 'public');
end
$$;
revoke all on function private.is_public_agent(uuid) from public;
grant execute on function private.is_public_agent(uuid) to anon, authenticated, service_role;

-- True for a chat with an agent that anyone may talk to. Security definer: as is_public_agent.
-- Who may: logged-in users. Checks: visibility of the chat's agent alone, for policies on rows that are theirs.
create function private.is_public_chat(chat uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select 1 from public.chats c join public.agents a on a.id = c.agent_id where c.id = chat and a.visibility = 'public');
end
$$;
revoke all on function private.is_public_chat(uuid) from public;
grant execute on function private.is_public_chat(uuid) to authenticated, service_role;

-- True when a visitor may talk to an agent: it is public, or they write through a connected app that is bound to it. Security definer: a
-- visitor reads neither agents nor apps. (70_apps.sql, which the body needs, comes later.)
-- Who may: everyone. Checks: visibility, or the connected app that the claims of the platform name.
create function private.is_open_agent(agent uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_public_agent(agent)
      or exists (select 1 from public.apps p
                  where p.id = private.claim_id('app_id') and p.agent_id = agent and p.status = 'connected');
end
$$;
revoke all on function private.is_open_agent(uuid) from public;
grant execute on function private.is_open_agent(uuid) to anon, authenticated, service_role;

-- Sets a new chat's owner from the caller's claims, never from the row. A missing agent has no team, which the policies refuse like another
-- team's. Only the agent's team tries it in the playground, whose chats are left out of gaps and of sources. Security definer: reads the
-- agent's team.
-- Who may: callers the policies let write, by a trigger. Checks: team and person come from agent and claims, never from the row.
create function private.own_chat() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_client() then
    return new;
  end if;
  new.team_id := (select a.team_id from public.agents a where a.id = new.agent_id);
  new.user_id := private.user_id();
  new.api_key_id := private.api_key_id();
  new.visitor_id := case when new.user_id is null and new.api_key_id is null then private.claim_id('visitor_id') end;
  if new.channel = 'playground' and not coalesce(new.team_id = any (private.teams_with('chats.write')), false) then
    raise exception 'only the team of an agent tries it in the playground' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.own_chat() from public;
create trigger own_chat before insert on public.chats
  for each row when (not private.is_restoring()) execute function private.own_chat();

-- The same for a message: it belongs to its chat's person, whoever writes. Security definer: reads the chat.
-- Who may: callers the policies let write, by a trigger. Checks: team and person come from the chat, never from the row.
create function private.own_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select c.team_id, c.user_id, c.visitor_id, c.api_key_id
    into new.team_id, new.user_id, new.visitor_id, new.api_key_id
    from public.chats c where c.id = new.chat_id;
  if new.team_id is null and not private.is_client() then
    raise exception 'no such chat' using errcode = 'PT404';
  end if;
  return new;
end
$$;
revoke all on function private.own_message() from public;
create trigger own_message before insert on public.messages
  for each row when (not private.is_restoring()) execute function private.own_message();

-- Limits how much people and API keys write past /v1, which counts what it stores against limits of the operator's own (63_questions.sql), as
-- nothing else bounds what chats take of the disk. Its arguments are the rows in ten minutes, for strangers and for members, and in a day.
-- Security definer: no client may count. Raises PT429.
-- Who may: callers the policies let write, by a trigger. Checks: the caller that the verified claims name, and the row's own team.
create function private.limit_direct_writes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  writer constant uuid := coalesce(private.user_id(), private.api_key_id());
  writes constant text := format('direct:%s:%s', tg_table_name, writer);
  wait int;
begin
  if writer is null or current_setting('parley.is_counted', true) = 'on' then
    return null;
  end if;
  select max(t.seconds) into wait
    from private.take_hits(
           array[writes, writes || ':day'],
           array[tg_argv[case when new.team_id = any (private.teams_with('chats.write')) then 1 else 0 end]::int, tg_argv[2]::int],
           array[600, 86400]) t;
  if wait > 0 then
    raise exception 'too much was written past the API'
      using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  return null;
end
$$;
revoke all on function private.limit_direct_writes() from public;
-- Runs after the insert, so that policies and own_chat have run. Strangers start as many chats as through /v1; messages are three times its
-- default of questions.
create trigger limit_direct_writes after insert on public.chats
  for each row when ((new.user_id is not null or new.api_key_id is not null) and not private.is_restoring())
  execute function private.limit_direct_writes('30', '600', '2000');
create trigger limit_direct_writes after insert on public.messages
  for each row when ((new.user_id is not null or new.api_key_id is not null) and new.role = 'user' and not private.is_restoring())
  execute function private.limit_direct_writes('600', '600', '5000');

-- Feedback comes from the chat's person alone: those who read everyone's chats do not rate for others.
create function private.guard_feedback() returns trigger
language plpgsql set search_path = '' as $$
begin
  if (new.rating is distinct from old.rating or new.comment is distinct from old.comment)
     and private.is_client()
     and not coalesce(old.user_id = private.user_id()
                   or old.visitor_id = private.claim_id('visitor_id')
                   or old.api_key_id = private.claim_id('api_key_id'), false)
  then
    raise exception 'only the person of a chat rates it' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.guard_feedback() from public;
create trigger guard_chat_feedback before update of rating, comment on public.chats
  for each row execute function private.guard_feedback();
create trigger guard_message_feedback before update of rating, comment on public.messages
  for each row execute function private.guard_feedback();

-- A rating is for a reply of the agent: neither for a question nor for what a member of the team wrote.
create function private.guard_rated_message() returns trigger
language plpgsql set search_path = '' as $$
begin
  if private.is_client() and (new.role <> 'assistant' or new.author_name is not null) then
    raise exception 'only a reply of the agent is rated' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.guard_rated_message() from public;
create trigger guard_rated_message before update of rating, comment on public.messages
  for each row when ((new.rating, new.comment) is distinct from (old.rating, old.comment))
  execute function private.guard_rated_message();

revoke all on public.chats, public.messages from public, anon, authenticated;
grant select, insert, update, delete on public.chats, public.messages to service_role;

grant select on public.chats to anon, authenticated;
grant insert (agent_id, title, channel), update (title, summary, rating, comment) on public.chats to anon, authenticated;
alter table public.chats enable row level security;
create policy "nobody reads chats of a deleted agent" on public.chats as restrictive for select to authenticated
  using (agent_id not in (select private.detached_roots()));
-- People lose their own chats when they may no longer talk to the agent: a removed member keeps nothing of a private one.
create policy "people read their own chats" on public.chats for select to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)));
create policy "those who may read everyone's chats read their team's" on public.chats for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "visitors read their own chats" on public.chats for select to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id));
create policy "members chat with their team's agents, users with public ones" on public.chats
  for insert to authenticated
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
          and (team_id = any ((select private.teams_with('chats.write'))::uuid[])
            or (user_id is not null and private.is_public_agent(agent_id))));
create policy "visitors start chats with public agents" on public.chats for insert to anon
  with check (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id));
create policy "people change their own chats" on public.chats for update to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)))
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)));
create policy "those who may read everyone's chats title and sum them up" on public.chats for update to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]))
  with check (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "visitors change their own chats" on public.chats for update to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id))
  with check (visitor_id = (select private.claim_id('visitor_id')) and private.is_open_agent(agent_id));

grant select on public.messages to anon, authenticated;
grant insert (chat_id, content), update (rating, comment, stop_requested) on public.messages to anon, authenticated;
alter table public.messages enable row level security;
create policy "nobody reads messages of a deleted agent" on public.messages as restrictive for select to authenticated
  using (chat_id not in (select private.detached_chats()));
create policy "nobody writes in chats of a deleted agent" on public.messages as restrictive for insert to authenticated
  with check (chat_id not in (select private.detached_chats()));
create policy "people read the messages of their own chats" on public.messages for select to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
create policy "those who may read everyone's chats read their team's messages" on public.messages for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "visitors read the messages of their own chats" on public.messages for select to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and exists (select 1 from public.chats c where c.id = chat_id));
create policy "people write in their chats while they may talk to the agent" on public.messages for insert to authenticated
  with check (role = 'user'
          and (user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
          and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
create policy "visitors write in their own chats while the agent is public" on public.messages for insert to anon
  with check (role = 'user' and visitor_id = (select private.claim_id('visitor_id'))
          and exists (select 1 from public.chats c where c.id = chat_id and private.is_open_agent(c.agent_id)));
create policy "people rate and stop the messages of their own chats" on public.messages for update to authenticated
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)))
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
create policy "visitors rate and stop the messages of their own chats" on public.messages for update to anon
  using (visitor_id = (select private.claim_id('visitor_id')) and exists (select 1 from public.chats c where c.id = chat_id))
  with check (visitor_id = (select private.claim_id('visitor_id')) and exists (select 1 from public.chats c where c.id = chat_id));
