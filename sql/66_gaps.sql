-- Gaps: questions that an agent did not answer, or whose answer was rated down, grouped by meaning. A gap stores no text: it is in the
-- messages, and is deleted with them. edge-functions/indexing/gaps groups.

create table public.gaps (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  agent_id uuid not null,
  -- Whether the knowledge base has no fitting text, or has one that the agent did not find.
  reason text not null check (reason in ('missing', 'notFound')),
  -- The document with that text.
  found_document_id uuid,
  -- Counts the unanswered questions; all of them once all are answered.
  questions int not null default 0,
  people int not null default 0,
  open_questions int not null default 0,
  last_asked_at timestamptz not null default now(),
  -- A person has dismissed it.
  is_dismissed boolean not null default false,
  state text not null generated always as (
    case when is_dismissed then 'dismissed' when open_questions = 0 then 'answered' else 'open' end) stored,
  -- The entry last written for it, and the task that asks its questions again.
  entry_id uuid,
  task_id uuid,
  asked_by uuid references public.users (id) on delete set null,
  asked_by_key uuid references public.api_keys (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  foreign key (team_id, found_document_id) references public.documents (team_id, id) on delete set null (found_document_id),
  foreign key (team_id, entry_id) references public.qa_entries (team_id, id) on delete set null (entry_id),
  foreign key (team_id, task_id) references public.tasks (team_id, id) on delete set null (task_id)
);
create index gaps_list_idx on public.gaps (team_id, state, people desc, last_asked_at desc, id);
create index gaps_team_agent_idx on public.gaps (team_id, agent_id);
create index gaps_document_idx on public.gaps (team_id, found_document_id);
create index gaps_entry_idx on public.gaps (team_id, entry_id);
create index gaps_task_idx on public.gaps (team_id, task_id);
create index gaps_asked_by_idx on public.gaps (asked_by);
create index gaps_asked_by_key_idx on public.gaps (asked_by_key);
create trigger touch_gaps before update on public.gaps
  for each row execute function private.touch_updated_at();

create table public.gap_questions (
  -- The reply, and the question before it.
  message_id uuid not null,
  question_id uuid not null,
  team_id uuid not null,
  agent_id uuid not null,
  -- Null until grouped.
  gap_id uuid,
  cause text not null check (cause in ('unanswered', 'partly', 'disagree', 'down')),
  asked_at timestamptz not null,
  -- The oldest of its gap, with which other questions are compared.
  is_leader boolean not null default false,
  -- The question's embedding, in the space of the agent's knowledge base; null when the agent has none.
  vector_id uuid references public.vectors (id) on delete set null,
  embedding extensions.halfvec,
  -- SHA-256 of its words: an identical question is grouped without an embedding.
  words_hash text,
  -- The state of asking it again: 'waiting', 'answered' or 'open'.
  again text check (again in ('waiting', 'answered', 'open')),
  answered_at timestamptz,
  attempts int not null default 0,
  retry_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (message_id),
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete cascade,
  foreign key (team_id, question_id) references public.messages (team_id, id) on delete cascade,
  foreign key (team_id, gap_id) references public.gaps (team_id, id) on delete cascade
);
create index gap_questions_message_idx on public.gap_questions (team_id, message_id);
create index gap_questions_question_idx on public.gap_questions (team_id, question_id);
create index gap_questions_gap_idx on public.gap_questions (team_id, gap_id, asked_at);
create index gap_questions_pending_idx on public.gap_questions (retry_at) where gap_id is null;
create index gap_questions_leaders_idx on public.gap_questions (agent_id, vector_id, asked_at) where is_leader;
create index gap_questions_words_idx on public.gap_questions (agent_id, words_hash) where gap_id is not null;
create index gap_questions_vector_idx on public.gap_questions (vector_id);
create trigger touch_gap_questions before update on public.gap_questions
  for each row execute function private.touch_updated_at();

revoke all on public.gaps, public.gap_questions from public, anon, authenticated;
grant select on public.gaps to authenticated;
grant update (is_dismissed) on public.gaps to authenticated;
grant select (message_id, question_id, team_id, agent_id, gap_id, cause, asked_at, is_leader, again, answered_at, created_at, updated_at)
  on public.gap_questions to authenticated;
grant select, insert, update, delete on public.gaps, public.gap_questions to service_role;
alter table public.gaps enable row level security;
alter table public.gap_questions enable row level security;
-- A gap shows what people asked, so only those who may read everyone's chats see it.
create policy "those who may read everyone's chats read their team's gaps" on public.gaps for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "those who read the gaps and write the knowledge dismiss them" on public.gaps for update to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[])
     and team_id = any ((select private.teams_with('sources.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('chats.read'))::uuid[])
          and team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "nobody reads unanswered questions of a deleted agent" on public.gap_questions as restrictive for select to authenticated
  using (agent_id not in (select private.detached_roots()));
create policy "those who may read everyone's chats read the questions of gaps" on public.gap_questions for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));

-- Records a reply that did not answer, and deletes the record when that changes: its person rated it otherwise, or rephrased the question.
-- Ignores the playground, and questions older than 90 days. Security definer: raters and visitors may not write gaps.
-- Who may: callers the policies let write the message, by a trigger. Checks: the reply of the row itself, in its own team.
create function private.note_gap_question() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  found_cause text := case
    when new.superseded or new.rating = 'up' then null
    when new.unanswered or new.support ->> 'state' = 'notFound' then 'unanswered'
    when new.support ->> 'state' = 'disagree' then 'disagree'
    when new.rating = 'down' then 'down'
    when new.support ->> 'state' = 'partly' then 'partly' end;
begin
  if found_cause is null then
    delete from public.gap_questions g where g.message_id = new.id;
  else
    insert into public.gap_questions (message_id, question_id, team_id, agent_id, cause, asked_at)
    select new.id, q.id, new.team_id, c.agent_id, found_cause, new.created_at
      from public.chats c
      -- Not of an agent that was deleted while it answered; of one that an import has yet to create.
      join private.roots r on r.id = c.agent_id and coalesce(r.detached_at = 'infinity', true)
     cross join lateral (
       select m.id from public.messages m
        where m.chat_id = new.chat_id and m.role = 'user' and m.id < new.id order by m.id desc limit 1) q
     where c.id = new.chat_id and c.channel <> 'playground' and new.created_at > clock_timestamp() - interval '90 days'
    on conflict (message_id) do update set cause = excluded.cause where gap_questions.cause <> excluded.cause;
  end if;
  return null;
end
$$;
revoke all on function private.note_gap_question() from public;
create trigger note_gap_question after insert on public.messages
  for each row when (new.role = 'assistant' and new.status in ('complete', 'stopped')
                     and (new.unanswered or new.rating = 'down' or new.support is not null) and not private.is_restoring())
  execute function private.note_gap_question();
create trigger note_changed_gap_question after update of status, unanswered, rating, superseded, support on public.messages
  for each row when (new.role = 'assistant' and new.status in ('complete', 'stopped')
                     and (new.unanswered or new.superseded or new.rating is not null or old.rating is not null
                          or new.support ->> 'state' in ('notFound', 'partly', 'disagree')))
  execute function private.note_gap_question();

-- Recounts gaps: the unanswered questions, or all of them once all are answered. Deletes a gap without questions. The oldest question
-- becomes the leader of a gap without one.
create function private.recount_gaps(ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.gaps g where g.id = any (ids) order by g.id for no key update;
  update public.gaps g
     set questions = coalesce(nullif(n.open, 0), n.questions), people = coalesce(nullif(n.open_people, 0), n.people),
         open_questions = n.open, last_asked_at = coalesce(n.last, g.last_asked_at)
    from (select i.id, count(q.message_id) as questions, count(q.message_id) filter (where q.answered_at is null) as open,
                 count(distinct p.person) as people, count(distinct p.person) filter (where q.answered_at is null) as open_people,
                 max(q.asked_at) as last
            from unnest(ids) as i (id)
            left join (public.gap_questions q
                       join public.messages m on m.id = q.message_id
                      cross join lateral (
                        select coalesce(m.user_id, m.visitor_id, m.api_key_id, m.chat_id) as person) p)
              on q.gap_id = i.id
           group by i.id) n
   where g.id = n.id;
  delete from public.gaps g
   where g.id = any (ids) and not exists (select 1 from public.gap_questions q where q.team_id = g.team_id and q.gap_id = g.id);
  update public.gap_questions q set is_leader = true
   where q.message_id in (
     select (select f.message_id from public.gap_questions f
              where f.team_id = g.team_id and f.gap_id = g.id order by f.asked_at, f.message_id limit 1)
       from public.gaps g
      where g.id = any (ids) and not exists (
        select 1 from public.gap_questions l where l.team_id = g.team_id and l.gap_id = g.id and l.is_leader));
end
$$;
revoke all on function private.recount_gaps(uuid[]) from public;
grant execute on function private.recount_gaps(uuid[]) to service_role;

-- Removes a deleted question from its gap. Security definer: a caller who may delete a chat, or change a rating, may not write gaps.
-- Who may: callers who may delete the message, by a trigger. Checks: the gaps of the deleted rows.
create function private.leave_gaps() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  left_gaps uuid[] := array(select distinct g.gap_id from gone g where g.gap_id is not null order by 1);
begin
  if cardinality(left_gaps) > 0 then
    perform private.recount_gaps(left_gaps);
  end if;
  return null;
end
$$;
revoke all on function private.leave_gaps() from public;
create trigger leave_gaps after delete on public.gap_questions
  referencing old table as gone for each statement execute function private.leave_gaps();

-- Claims the ungrouped questions of one agent for a few minutes: of the longest waiting question's, but for teams that the caller is busy
-- with, whose model may be slow.
create function private.take_gap_questions(most int, busy_teams uuid[] default '{}')
returns table (message_id uuid, team_id uuid, agent_id uuid, question text, attempts int)
language sql volatile set search_path = '' as $$
  with next_one as materialized (
    select q.agent_id from public.gap_questions q
     where q.gap_id is null and q.retry_at <= clock_timestamp() and q.team_id <> all (busy_teams)
       and exists (select from public.agents a where a.id = q.agent_id)
     order by q.retry_at limit 1
  ), due as materialized (
    select q.message_id from public.gap_questions q
     where q.gap_id is null and q.retry_at <= clock_timestamp() and q.agent_id = (select n.agent_id from next_one n)
     order by q.retry_at limit most for update skip locked
  ), taken as (
    update public.gap_questions q
       set attempts = q.attempts + 1,
           retry_at = clock_timestamp() + make_interval(mins => least(q.attempts + 1, 60))
      from due where q.message_id = due.message_id
    returning q.message_id, q.question_id, q.team_id, q.agent_id, q.attempts)
  select t.message_id, t.team_id, t.agent_id, coalesce(r.searched_for, m.content), t.attempts
    from taken t
    join public.messages m on m.id = t.question_id
    join public.messages r on r.id = t.message_id
$$;
revoke all on function private.take_gap_questions(int, uuid[]) from public;
grant execute on function private.take_gap_questions(int, uuid[]) to service_role;

-- For each of several questions of an agent, the gap with the same words, or the one whose leader is nearest in meaning, with the cosine.
-- Compares the latest thousand gaps.
create function private.nearest_gaps(agent uuid, vector uuid, hashes text[], vectors text[])
returns table (at int, gap_id uuid, similarity float8)
language sql stable set search_path = '' as $$
  with leaders as materialized (
    select q.gap_id, q.embedding from public.gap_questions q
     where q.agent_id = agent and q.vector_id = vector and q.is_leader
     order by q.asked_at desc limit 1000),
  -- Each text is read as a vector once, and not again for every gap that it is compared with.
  asked as materialized (
    select n.at, n.hash, n.vector::extensions.halfvec as vector from unnest(hashes, vectors) with ordinality as n (hash, vector, at))
  select n.at::int, coalesce(same.gap_id, near.gap_id), case when same.gap_id is not null then 1 else near.similarity end
    from asked n
    left join lateral (
      select q.gap_id from public.gap_questions q
       where q.agent_id = agent and q.words_hash = n.hash and q.gap_id is not null
       order by q.asked_at desc limit 1) same on true
    left join lateral (
      select l.gap_id, 1 - (l.embedding operator(extensions.<=>) n.vector) as similarity
        from leaders l where n.vector is not null
       order by l.embedding operator(extensions.<=>) n.vector, l.gap_id limit 1) near on same.gap_id is null
$$;
revoke all on function private.nearest_gaps(uuid, uuid, text[], text[]) from public;
grant execute on function private.nearest_gaps(uuid, uuid, text[], text[]) to service_role;

-- Queues a gap's unanswered questions, the latest 20, to be asked again on behalf of the author of a new entry. Returns the task. For the
-- service.
create function private.ask_gap_again(gap uuid, entry uuid, by_user uuid, by_key uuid) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  task uuid;
  team uuid;
begin
  select g.team_id into team from public.gaps g where g.id = gap for no key update;
  update public.gap_questions q set again = null where q.team_id = team and q.gap_id = gap and q.again is not null;
  update public.gap_questions q set again = 'waiting'
   where q.message_id in (select o.message_id from public.gap_questions o
                           where o.team_id = team and o.gap_id = gap and o.answered_at is null
                           order by o.asked_at desc limit 20);
  task := private.enqueue_task(team, 'gaps', 'gaps:gap:' || gap);
  update public.gaps g set entry_id = entry, task_id = task, asked_by = by_user, asked_by_key = by_key, is_dismissed = false
   where g.id = gap;
  return task;
end
$$;
revoke all on function private.ask_gap_again(uuid, uuid, uuid, uuid) from public;
grant execute on function private.ask_gap_again(uuid, uuid, uuid, uuid) to service_role;
