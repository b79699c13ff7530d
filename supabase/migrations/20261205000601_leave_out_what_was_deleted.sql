-- Takes a database with data from the schema before to that of sql/: leave out what was deleted.
-- Policies and functions leave out what hangs on a detached root. Almost always there is none, and they cost a look at an empty index. In a
-- deleted team nothing has to be left out: it has no members, so that no policy shows its rows.

-- The teams that the caller belongs to in any role.
create function private.own_teams() returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return case
    when private.claims() ? 'api_key_id' then
      array(select k.team_id from public.api_keys k where k.id = private.claim_id('api_key_id'))
    when private.claims() ? 'agent_id' then
      array(select a.team_id from public.agents a where a.id = private.claim_id('agent_id'))
    when private.is_admin() then array(select t.id from public.teams t)
    else array(select u.team_id from public.team_users u where u.user_id = private.claim_id('sub')) end;
end
$$;
revoke all on function private.own_teams() from public;

-- The detached roots of a team, or of the caller's teams. Security definer: no role reads roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_roots() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select r.id from private.roots r where r.detached_at is not null and r.team_id = any (private.own_teams());
  end if;
end
$$;
revoke all on function private.detached_roots() from public;
grant execute on function private.detached_roots() to authenticated, service_role;

-- The conversations that hang on them. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_chats() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query
      select c.id from private.roots r join public.chats c on c.team_id = r.team_id and c.agent_id = r.id
       where r.detached_at is not null and r.kind = 'agents' and r.team_id = any (private.own_teams());
  end if;
end
$$;
revoke all on function private.detached_chats() from public;
grant execute on function private.detached_chats() to authenticated, service_role;

-- The documents that hang on them. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_documents() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select d.id from unnest(private.own_teams()) t (id) cross join lateral private.documents_detached_in(t.id) d (id);
  end if;
end
$$;
revoke all on function private.detached_documents() from public;
grant execute on function private.detached_documents() to authenticated, service_role;

-- The documents of a team that hang on detached roots. Security definer: as detached_roots.
-- Who may: the service, and functions. Checks: nothing, it returns ids.
create function private.documents_detached_in(team uuid) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.id from private.roots r join public.documents d on d.team_id = r.team_id and d.source_id = r.id
     where r.detached_at is not null and r.kind = 'sources' and r.team_id = team;
end
$$;
revoke all on function private.documents_detached_in(uuid) from public;
grant execute on function private.documents_detached_in(uuid) to service_role;

-- The chunks of these documents. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_chunks() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select c.id from private.detached_documents() d (id) join public.chunks c on c.document_id = d.id;
  end if;
end
$$;
revoke all on function private.detached_chunks() from public;
grant execute on function private.detached_chunks() to authenticated, service_role;

-- The tables of these documents. Security definer: as detached_roots.
-- Who may: everyone. Checks: the teams of the caller that the verified claims name.
create function private.detached_tables() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query
      select t.id from private.detached_documents() d (id)
        join public.document_indexes i on i.document_id = d.id
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
  end if;
end
$$;
revoke all on function private.detached_tables() from public;
grant execute on function private.detached_tables() to authenticated, service_role;

create policy "nobody reads documents of a deleted source" on public.documents as restrictive for select to authenticated
  using (source_id not in (select private.detached_roots()));
create policy "nobody reads indexes of a deleted knowledge base or source" on public.document_indexes as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and document_id not in (select private.detached_documents()));
create policy "nobody reads chunks of a deleted knowledge base or source" on public.chunks as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and source_id not in (select private.detached_roots()));
create policy "nobody reads words of a deleted knowledge base or source" on public.chunk_words as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and chunk_id not in (select private.detached_chunks()));
create policy "nobody reads embeddings of a deleted knowledge base or source" on public.chunk_embeddings as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and chunk_id not in (select private.detached_chunks()));
create policy "nobody reads tables of a deleted knowledge base or source" on public.document_tables as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and document_id not in (select private.detached_documents()));
create policy "nobody reads table rows of a deleted knowledge base or source" on public.table_rows as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and table_id not in (select private.detached_tables()));
create policy "nobody reads chats of a deleted agent" on public.chats as restrictive for select to authenticated
  using (agent_id not in (select private.detached_roots()));
create policy "nobody reads messages of a deleted agent" on public.messages as restrictive for select to authenticated
  using (chat_id not in (select private.detached_chats()));
create policy "nobody writes in chats of a deleted agent" on public.messages as restrictive for insert to authenticated
  with check (chat_id not in (select private.detached_chats()));
create policy "nobody reads unanswered questions of a deleted agent" on public.gap_questions as restrictive for select to authenticated
  using (agent_id not in (select private.detached_roots()));
create policy "nobody reads the handovers of a deleted agent" on public.handovers as restrictive for select to authenticated
  using (chat_id not in (select private.detached_chats()));

create or replace function private.recount_knowledges(knowledge_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.knowledges k where k.id = any (knowledge_ids) order by k.id for no key update;
  update public.knowledges k
     set (documents_count, chunks_count) = (
           select count(*) filter (where i.status = 'ready'), coalesce(sum(i.chunks_count), 0) from public.document_indexes i
            where i.knowledge_id = k.id and i.document_id not in (select private.documents_detached_in(k.team_id)))
   where k.id = any (knowledge_ids);
end
$$;

create or replace function public.index_document(document uuid) returns uuid
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

create or replace function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text, zone text default 'UTC')
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision, handovers bigint, helped bigint, silent bigint
)
language plpgsql stable security definer set search_path = '' set jit = off set plan_cache_mode = force_generic_plan as $$
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
  if zone is null then
    raise exception 'zone is the name of a time zone' using errcode = '22023';
  end if;
  since := private.start_of_day(first_day, zone);
  until := private.start_of_day(last_day + 1, zone);
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
    select b::date, greatest(start, since), coalesce(lead(start) over (order by b), until)
      from (select ('1 ' || nullif(grain, 'range'))::interval as step) s
     cross join generate_series(date_trunc(nullif(grain, 'range'), first_day::timestamp), last_day::timestamp, step) b
     -- As private.start_of_day() says, without a call for each of 60 days.
     cross join lateral (select b at time zone zone as later) l
     cross join lateral (
       select case when (later - interval '1 hour') at time zone zone = b then later - interval '1 hour' else later end as start) f
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
      where c.team_id = team and c.created_at >= bu.first and c.created_at < bu.past
         and (c.agent_id = agent or agent is null and c.agent_id not in (select private.detached_roots()))) be
   cross join lateral (
     select count(*) filter (where m.role = 'user') as messages,
            count(distinct m.visitor_id) as visitors,
            count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
            count(*) filter (where m.unanswered) as unanswered,
            percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
              filter (where m.role = 'assistant' and m.status = 'complete') as median_reply_ms
       from public.messages m
      where m.team_id = team and m.created_at >= bu.first and m.created_at < bu.past
        and case when agent is null then m.chat_id not in (select private.detached_chats())
                 else exists (select 1 from public.chats c where c.id = m.chat_id and c.agent_id = agent) end) sa
   order by bu.bucket;
end
$$;

create or replace function private.count_support(team uuid, agent uuid, first_day date, last_day date, zone text default 'UTC')
returns table (state text, replies bigint)
language sql stable security definer set search_path = '' as $$
  select m.support ->> 'state', count(*)
    from public.messages m
   where m.team_id = team and team = any (private.teams_with('insights.read')) and team = any (private.teams_with('agents.read'))
     and m.support is not null
     and m.created_at >= private.start_of_day(first_day, zone) and m.created_at < private.start_of_day(last_day + 1, zone)
     and last_day - first_day <= 3660
     and case when agent is null then m.chat_id not in (select private.detached_chats())
              else exists (select 1 from public.chats c where c.id = m.chat_id and c.team_id = team and c.agent_id = agent) end
   group by 1
$$;

create or replace function private.note_gap_question() returns trigger
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
      -- Not of an agent that was deleted while it answered.
      join public.agents a on a.id = c.agent_id
     cross join lateral (
       select m.id from public.messages m
        where m.chat_id = new.chat_id and m.role = 'user' and m.id < new.id order by m.id desc limit 1) q
     where c.id = new.chat_id and c.channel <> 'playground' and new.created_at > clock_timestamp() - interval '90 days'
    on conflict (message_id) do update set cause = excluded.cause where gap_questions.cause <> excluded.cause;
  end if;
  return null;
end
$$;

create or replace function private.take_gap_questions(most int)
returns table (message_id uuid, team_id uuid, agent_id uuid, question text, attempts int)
language sql volatile set search_path = '' as $$
  with due as materialized (
    select q.message_id from public.gap_questions q
     where q.gap_id is null and q.retry_at <= clock_timestamp()
       and exists (select from public.agents a where a.id = q.agent_id)
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

create or replace function private.find_chats(team uuid, query text, most int) returns table (chat_id uuid, message_id uuid)
language plpgsql stable security definer rows 10 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if asked is null or not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    with titled as materialized (
      select c.id from public.chats c
       where c.team_id = team and private.team_words(c.team_id, c.title) operator(pg_catalog.@@) asked
         and (sees_all or c.user_id = person or c.api_key_id = key) and c.agent_id not in (select private.detached_roots())
       order by c.id desc limit least(most, 100)
    ), said as materialized (
      select m.chat_id, m.id
        from private.message_words w join public.messages m on m.team_id = w.team_id and m.id = w.message_id
       where w.team_id = team and w.words operator(pg_catalog.@@) asked and not m.superseded
         and (sees_all or m.user_id = person or m.api_key_id = key) and m.chat_id not in (select private.detached_chats())
       order by w.message_id desc limit 10 * least(most, 100)
    )
    select f.id, f.said_in from (
      select t.id, (select max(s.id::text)::uuid from said s where s.chat_id = t.id) as said_in, true as is_titled from titled t
      union all
      select s.chat_id, max(s.id::text)::uuid, false from said s where s.chat_id not in (select t.id from titled t) group by s.chat_id) f
     order by f.is_titled desc, coalesce(f.said_in, f.id) desc limit least(most, 100);
end
$$;

create or replace function private.find_chats_by_message(team uuid, query text) returns table (chat_id uuid)
language plpgsql stable security definer rows 100 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if asked is null or not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    select m.chat_id
      from private.message_words w join public.messages m on m.team_id = w.team_id and m.id = w.message_id
     where w.team_id = team and w.words operator(pg_catalog.@@) asked and not m.superseded
       and (sees_all or m.user_id = person or m.api_key_id = key) and m.chat_id not in (select private.detached_chats())
     order by w.message_id desc limit 10000;
end
$$;
