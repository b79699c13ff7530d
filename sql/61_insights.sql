-- Insights: what people asked of an agent, or of all of a team's, and how it went: counted per day, week or month, and over
-- the whole range.

-- One row per bucket of the range, empty ones included; days are UTC's. agent: null for all of the team's. grain: day, week,
-- month, or range for one row. visitors: people without an account who wrote. up and
-- down: ratings of replies and of chats. median_reply_ms: null where no reply was completed. Security definer: who may
-- read insights need not be able to read what was said. Raises PT404 when the caller cannot see the agent, 42501 when
-- they may not read its insights, 22023 for a range that is none or longer than ten years. Its plans are not compiled first,
-- which takes longer than running them.
-- Who may: those who read insights. Checks: agents.read, then insights.read, in the team that is named, and the agent is its own.
create function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text)
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
  return query
  with buckets as (
    select first_day as bucket where grain = 'range'
    union all
    select b::date
      from generate_series(date_trunc(nullif(grain, 'range'), first_day::timestamp), last_day::timestamp,
                           ('1 ' || nullif(grain, 'range'))::interval) as b
  ), begun as (
    select coalesce(date_trunc(nullif(grain, 'range'), c.created_at at time zone 'UTC')::date, first_day) as bucket,
           count(*) as chats,
           count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down
      from public.chats c
     where c.team_id = team and c.created_at >= since and c.created_at < until and (agent is null or c.agent_id = agent)
     group by 1
  ), said as (
    select coalesce(date_trunc(nullif(grain, 'range'), m.created_at at time zone 'UTC')::date, first_day) as bucket,
           count(*) filter (where m.role = 'user') as messages,
           count(distinct m.visitor_id) as visitors,
           count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
           count(*) filter (where m.unanswered) as unanswered,
           percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
             filter (where m.role = 'assistant' and m.status = 'complete') as median_reply_ms
      from public.messages m
     where m.team_id = team and m.created_at >= since and m.created_at < until
       and (agent is null or exists (select 1 from public.chats c where c.id = m.chat_id and c.agent_id = agent))
     group by 1
  )
  select bu.bucket, coalesce(be.chats, 0), coalesce(sa.messages, 0), coalesce(sa.visitors, 0),
         coalesce(be.up, 0) + coalesce(sa.up, 0), coalesce(be.down, 0) + coalesce(sa.down, 0),
         coalesce(sa.unanswered, 0), sa.median_reply_ms
    from buckets bu
    left join begun be on be.bucket = bu.bucket
    left join said sa on sa.bucket = bu.bucket
   order by bu.bucket;
end
$$;
revoke all on function public.chat_insights(uuid, uuid, date, date, text) from public, anon;
grant execute on function public.chat_insights(uuid, uuid, date, date, text) to authenticated, service_role;
