-- Insights read a team's messages from an index alone, not from between their texts.
drop index public.messages_team_created_idx;
create index messages_team_created_idx on public.messages (team_id, created_at)
  include (chat_id, role, status, visitor_id, rating, unanswered, finished_at);

-- And bucket by bucket, each sorted by itself.
create or replace function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text)
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision
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
  select bu.bucket, be.chats, sa.messages, sa.visitors, be.up + sa.up, be.down + sa.down, sa.unanswered, sa.median_reply_ms
    from buckets bu
   cross join lateral (
     select count(*) as chats,
            count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down
       from public.chats c
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

-- The words of a chunk in one pass: of its text, and of what stands above it, which counts twice.
create or replace function private.chunk_words(language text, title text, heading text, content text) returns extensions.sparsevec
language sql immutable set search_path = '' as $$
  with counted as (
    select w.place, sum(w.count) as count, sum(w.length) as length
      from (select 1 + (hashtext(u.lexeme) & 536870911) as place, cardinality(u.positions) as length,
                   cardinality(u.positions) + cardinality(array_positions(u.weights, 'A')) as count
              from private.search_config(language) config
             cross join unnest(setweight(to_tsvector(config, coalesce(title, '') || ' ' || coalesce(heading, '')), 'A')
                               || to_tsvector(config, content)) u) w
     group by w.place
  ), measured as (
    select c.place, c.count, 1.2 * (0.25 + 0.75 * sum(c.length) over () / 80) as norm from counted c
  )
  select ('{' || coalesce(string_agg(m.place || ':' || round(63 * m.count / (m.count + m.norm)), ','), '') || '}/1000000000')::extensions.sparsevec
    from measured m
$$;
