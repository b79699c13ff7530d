-- Handovers: a way from a chat to a person of the team, whose answer stands in the chat as theirs.

alter table public.messages add column author_name text
  check (private.is_plain_text(author_name) and char_length(author_name) between 1 and 200);

create table public.handovers (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  chat_id uuid not null,
  status text not null default 'open' check (status in ('open', 'answered', 'closed')),
  -- What had happened in the chat when a person was asked for.
  reason text not null default 'requested' check (reason in ('requested', 'notFound', 'ratedDown')),
  -- Where the answer goes beside the chat. Null: to the account of the chat's person, or to nobody.
  email text check (private.is_email(email) and char_length(email) <= 254),
  message text not null default '' check (char_length(message) <= 2000),
  summary text not null default '' check (char_length(summary) <= 10000),
  -- In which the person is written to.
  language text not null default 'en' check (language in ('en', 'fr')),
  -- Which text was agreed to, and when.
  consent_version text not null check (char_length(consent_version) between 1 and 40),
  consented_at timestamptz not null default now(),
  answered_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, chat_id) references public.chats (team_id, id) on delete cascade
);
-- Who asks twice has asked once.
create unique index handovers_open_key on public.handovers (chat_id) where status = 'open';
create index handovers_chat_idx on public.handovers (chat_id, id);
create index handovers_team_chat_idx on public.handovers (team_id, chat_id);
create index handovers_team_status_idx on public.handovers (team_id, status, id);
create index handovers_team_created_idx on public.handovers (team_id, created_at) include (chat_id);
create trigger touch_handovers before update on public.handovers
  for each row execute function private.touch_updated_at();

revoke all on public.handovers from public, anon, authenticated;
grant select on public.handovers to anon, authenticated;
grant select, insert, update, delete on public.handovers to service_role;
alter table public.handovers enable row level security;
create policy "those who may read everyone's chats read their team's handovers" on public.handovers for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "people read the handovers of their own chats" on public.handovers for select to anon, authenticated
  using (exists (select 1 from public.chats c where c.id = chat_id));

-- Whether a team offers a person at all, who is told, and where programs are told. Without a row it does, and its owners are.
-- The service's alone: the secret signs what is sent, and an address may hold one.
create table private.handover_settings (
  team_id uuid primary key references public.teams (id) on delete cascade,
  is_offered boolean not null default true,
  -- Empty: the team's owners.
  emails text[] not null default '{}' check (cardinality(emails) <= 10),
  webhook_url text check (char_length(webhook_url) <= 500 and webhook_url ~ '^https?://'),
  -- Sealed with SECRETS_KEY.
  secret bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (webhook_url is null or secret is not null)
);
create trigger touch_handover_settings before update on private.handover_settings
  for each row execute function private.touch_updated_at();

-- What is still to be sent, and what became of what was: one row for each recipient. Its id is the event's.
create table private.handover_deliveries (
  id uuid primary key default private.uuid_v7(),
  team_id uuid not null,
  handover_id uuid not null,
  kind text not null check (kind in ('teamMail', 'webhook', 'answerMail', 'slack')),
  -- Of a mail to the team.
  email text,
  -- The answer that is sent.
  message_id uuid,
  status text not null default 'queued' check (status in ('queued', 'delivered', 'failed')),
  attempts int not null default 0,
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  -- The HTTP status of the last attempt.
  last_status int,
  error text check (char_length(error) <= 500),
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (team_id, handover_id) references public.handovers (team_id, id) on delete cascade,
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete cascade
);
create index handover_deliveries_waiting_idx on private.handover_deliveries (run_after) where status = 'queued';
create index handover_deliveries_handover_idx on private.handover_deliveries (team_id, handover_id);
create index handover_deliveries_message_idx on private.handover_deliveries (team_id, message_id);
create index handover_deliveries_team_idx on private.handover_deliveries (team_id, kind, id);
create trigger touch_handover_deliveries before update on private.handover_deliveries
  for each row execute function private.touch_updated_at();

revoke all on private.handover_settings, private.handover_deliveries from public, anon, authenticated;
grant select, insert, update, delete on private.handover_settings, private.handover_deliveries to service_role;
alter table private.handover_settings enable row level security;
alter table private.handover_deliveries enable row level security;

-- Takes the next delivery that is due. The number of attempts tells its holder from every holder before.
create function private.claim_handover_delivery(lease_seconds int) returns setof private.handover_deliveries
language sql volatile set search_path = '' as $$
  update private.handover_deliveries d
     set attempts = d.attempts + 1, lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
   where d.id = (
     select n.id from private.handover_deliveries n
      where n.status = 'queued' and n.run_after <= clock_timestamp()
        and (n.lease_until is null or n.lease_until < clock_timestamp())
      order by n.run_after, n.id limit 1 for update skip locked)
  returning d.*
$$;
revoke all on function private.claim_handover_delivery(int) from public;
grant execute on function private.claim_handover_delivery(int) to service_role;

-- Whoever leaves a team is not told of its chats any more. Security definer: who removes a member need not read the settings.
-- Who may: whoever the policies let remove a member, by a trigger. Checks: the address of the old row, in its own team.
create function private.forget_handover_recipient() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.handover_settings s set emails = array_remove(s.emails, lower(old.email))
   where s.team_id = old.team_id and lower(old.email) = any (s.emails);
  return null;
end
$$;
revoke all on function private.forget_handover_recipient() from public;
create trigger forget_handover_recipient after delete on public.team_users
  for each row execute function private.forget_handover_recipient();

-- Stores a person's answer in a chat and queues what tells of it. The message's id; null where the handover is closed or gone.
create function private.answer_handover(handover uuid, words text, author text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  head public.handovers;
  answer uuid;
begin
  select h.* into head from public.handovers h where h.id = handover and h.status <> 'closed' for update;
  if head.id is null then
    return null;
  end if;
  insert into public.messages (chat_id, role, content, status, author_name)
  values (head.chat_id, 'assistant', words, 'complete', author) returning id into answer;
  update public.handovers h set status = 'answered', answered_at = coalesce(h.answered_at, clock_timestamp()) where h.id = handover;
  insert into private.handover_deliveries (team_id, handover_id, kind, message_id)
  select head.team_id, handover, k.kind, answer
    from public.chats c
   cross join lateral (values ('answerMail', head.email is not null or c.user_id is not null),
                              ('slack', c.channel = 'slack')) as k (kind, is_due)
   where c.id = head.chat_id and k.is_due;
  return answer;
end
$$;
revoke all on function private.answer_handover(uuid, text, text) from public;
grant execute on function private.answer_handover(uuid, text, text) to service_role;

-- What a person of the team wrote stays where a question is asked again.
create or replace function private.open_reply(
  chat uuid, question uuid, replaced uuid, was_stored boolean, lease_seconds int,
  limit_keys text[], max_hits int[], window_seconds int[])
returns table (
  refusal text, limit_key text, seconds int, id uuid, created_at timestamptz, updated_at timestamptz, history jsonb, agent jsonb)
language plpgsql volatile set search_path = '' as $$
declare
  reply public.messages;
  told jsonb;
begin
  select h.key, h.seconds into limit_key, seconds
    from private.take_hits(limit_keys, max_hits, window_seconds) h order by h.seconds desc limit 1;
  if limit_key is not null then
    return next;
    return;
  end if;
  if was_stored then
    -- A worker that lives after all finds its reply gone and ends.
    delete from public.messages m
     where m.chat_id = chat and m.role = 'assistant' and m.id > question and m.status in ('streaming', 'failed')
       and not exists (select 1 from public.messages q
                        where q.chat_id = chat and q.role = 'user' and q.id > question and q.id < m.id);
  elsif replaced is not null then
    update public.messages m set superseded = true
     where m.chat_id = chat and m.id >= replaced and m.id <> question and not m.superseded
       -- What a person of the team wrote stays.
       and m.author_name is null
       and exists (select 1 from public.messages q
                    where q.id = replaced and q.chat_id = chat and q.role = 'user' and not q.superseded);
    if not found then
      refusal := coalesce((select case m.role when 'assistant' then 'notAQuestion' else 'askedAgain' end
                             from public.messages m where m.chat_id = chat and m.id = replaced), 'notFound');
      return next;
      return;
    end if;
  end if;
  perform private.give_up_dead_reply(chat, lease_seconds);
  -- Two at once would talk over each other: the index messages_streaming_key lets one in.
  insert into public.messages as m (chat_id, role, status) values (chat, 'assistant', 'streaming')
  on conflict (chat_id) where status = 'streaming' do nothing
  returning m.* into reply;
  if reply.id is null then
    refusal := 'answering';
    return next;
    return;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('role', h.role, 'content', h.content) order by h.id), '[]') into told
    from (select m.id, m.role, m.content from public.messages m
           where m.chat_id = chat and m.id < question and m.content <> '' and not m.superseded
           order by m.id desc limit 40) h;
  return query select null::text, null::text, null::int, reply.id, reply.created_at, reply.updated_at, told,
                      private.answering_agent(c.agent_id)
                 from public.chats c where c.id = chat;
end
$$;

-- Insights tell confirmed help from silence, and count handovers.
drop function public.chat_insights(uuid, uuid, date, date, text);
create function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text)
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision, handovers bigint, helped bigint, silent bigint
)
language plpgsql stable security definer set search_path = '' set jit = off as $$
#variable_conflict use_column
declare
  since timestamptz;
  until timestamptz;
begin
  if grain is null or grain not in ('day', 'week', 'month', 'range') then
    raise exception 'grain is day, week, month or range' using errcode = '22023';
  end if;
  -- Infinity is a date, and has no end.
  if not coalesce(first_day between '0001-01-01' and '9999-12-30' and last_day between first_day and '9999-12-30'
                  and last_day - first_day <= 3660, false) then
    raise exception 'the range has a first and a last day, ten years apart at most' using errcode = '22023';
  end if;
  since := first_day::timestamp at time zone 'UTC';
  until := (last_day + 1)::timestamp at time zone 'UTC';
  if team is null or team <> all (private.teams_with('agents.read'))
     or (agent is not null and not exists (select 1 from public.agents a where a.id = agent and a.team_id = team))
  then
    raise exception 'no such agent' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('insights.read')) then
    raise exception 'may not read insights' using errcode = '42501';
  end if;
  -- Bucket by bucket, each a range of an index and sorted by itself: one sort of a year's messages costs three times as much.
  return query
  with buckets as (
    select first_day as bucket, since as first, until as past where grain = 'range'
    union all
    select b::date, greatest(b at time zone 'UTC', since), least((b + step) at time zone 'UTC', until)
      from (select ('1 ' || nullif(grain, 'range'))::interval as step) s
     cross join generate_series(date_trunc(nullif(grain, 'range'), first_day::timestamp), last_day::timestamp, step) b
  )
  select bu.bucket, be.chats, sa.messages, sa.visitors, be.up + sa.up, be.down + sa.down, sa.unanswered, sa.median_reply_ms,
         be.handovers, be.helped, be.silent
    from buckets bu
   cross join lateral (
     select count(*) as chats,
            count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down,
            coalesce(sum(h.asked), 0)::bigint as handovers,
            count(*) filter (where (c.rating = 'up' or r.up) and c.rating is distinct from 'down' and r.down is not true) as helped,
            count(*) filter (where c.title <> '' and c.rating is null and r.chat_id is null and h.chat_id is null) as silent
       from public.chats c
       left join (
         select m.chat_id, bool_or(m.rating = 'up') as up, bool_or(m.rating = 'down') as down from public.messages m
          where m.team_id = team and m.created_at >= bu.first and m.created_at < bu.past + interval '1 day'
            and m.rating is not null
          group by m.chat_id) r on r.chat_id = c.id
       left join (
         select n.chat_id, count(*) as asked from public.handovers n
          where n.team_id = team and n.created_at >= bu.first group by n.chat_id) h on h.chat_id = c.id
      where c.team_id = team and c.created_at >= bu.first and c.created_at < bu.past and (agent is null or c.agent_id = agent)) be
   cross join lateral (
     select count(*) filter (where m.role = 'user') as messages,
            count(distinct m.visitor_id) as visitors,
            count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
            count(*) filter (where m.unanswered) as unanswered,
            percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
              filter (where m.role = 'assistant' and m.status = 'complete') as median_reply_ms
       from public.messages m
      where m.team_id = team and m.created_at >= bu.first and m.created_at < bu.past
        and (agent is null or exists (select 1 from public.chats c where c.id = m.chat_id and c.agent_id = agent))) sa
   order by bu.bucket;
end
$$;
revoke all on function public.chat_insights(uuid, uuid, date, date, text) from public, anon;
grant execute on function public.chat_insights(uuid, uuid, date, date, text) to authenticated, service_role;

-- What was left with a handover goes after its retention.
alter table public.retention drop constraint retention_kind_check;
alter table public.retention add constraint retention_kind_check
  check (kind in ('tasks', 'replyPassages', 'slackThreads', 'handovers'));
-- Where people work already nothing goes before a platform admin says so.
insert into public.retention (kind, days)
select 'handovers', case when not exists (select 1 from public.teams) then 365 end;
create index handovers_finished_idx on public.handovers (updated_at)
  where status <> 'open' and (email is not null or message <> '' or summary <> '');

create or replace function private.remove_outgrown(most int) returns table (kind text, removed int)
language plpgsql volatile set search_path = '' as $$
declare
  before timestamptz;
  chosen uuid[];
begin
  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'tasks';
  if before is not null then
    chosen := array(
      select t.id from public.tasks t
       where t.finished_at < before and t.status in ('succeeded', 'failed', 'stopped')
       order by t.finished_at limit most for update skip locked);
    -- A listing that was stopped halfway may hold more rows than one transaction should remove.
    delete from private.listed_items l
     where (l.task_id, l.source_id, l.external_id) in (
       select i.task_id, i.source_id, i.external_id from private.listed_items i where i.task_id = any (chosen) limit most * 10);
    delete from public.tasks t
     where t.id = any (chosen) and not exists (select 1 from private.listed_items i where i.task_id = t.id);
    get diagnostics removed = row_count;
    kind := 'tasks';
    return next;
  end if;

  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'replyPassages';
  if before is not null then
    chosen := array(
      select p.message_id from public.reply_passages p
       where p.created_at < before order by p.created_at limit most for update skip locked);
    delete from public.reply_passages p where p.message_id = any (chosen);
    get diagnostics removed = row_count;
    kind := 'replyPassages';
    return next;
  end if;

  -- A thread counts from its latest message. Its chat stays; whoever asks there again begins another.
  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'slackThreads';
  if before is not null then
    chosen := array(
      select s.chat_id from private.slack_threads s
       where s.created_at < before
         and not exists (select 1 from public.messages m
                          where m.team_id = s.team_id and m.chat_id = s.chat_id and m.created_at >= before)
       order by s.created_at limit most for update skip locked);
    delete from private.slack_threads s where s.chat_id = any (chosen) and s.created_at < before;
    get diagnostics removed = row_count;
    kind := 'slackThreads';
    return next;
  end if;

  -- That there was one stays, for the insights; who it was and what they wrote to the team goes.
  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'handovers';
  if before is not null then
    chosen := array(
      select h.id from public.handovers h
       where h.updated_at < before and h.status <> 'open' and (h.email is not null or h.message <> '' or h.summary <> '')
       order by h.updated_at limit most for update skip locked);
    delete from private.handover_deliveries d
     where (d.team_id, d.handover_id) in (select h.team_id, h.id from public.handovers h where h.id = any (chosen));
    update public.handovers h set email = null, message = '', summary = '' where h.id = any (chosen);
    get diagnostics removed = row_count;
    kind := 'handovers';
    return next;
  end if;
end
$$;
