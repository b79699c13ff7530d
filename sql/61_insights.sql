-- Insights: what people asked of an agent and how it went, counted per day, week or month.

-- One row per bucket of the range, empty ones included; days are UTC's. visitors: people without an account who wrote. up and
-- down: ratings of replies and of chats. median_reply_ms: null where no reply was completed. Security definer: who may
-- read insights need not be able to read what was said. Raises P0404 when the caller cannot see the agent, 42501 when
-- they may not read its insights.
create function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text)
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  since timestamptz := first_day::timestamp at time zone 'UTC';
  until timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
begin
  if grain not in ('day', 'week', 'month') then
    raise exception 'unknown grain' using errcode = '23514';
  end if;
  if not exists (
    select 1 from public.agents a
     where a.id = agent and a.team_id = team and a.team_id in (select private.teams_with('agents.read')))
  then
    raise exception 'no such agent' using errcode = 'P0404';
  end if;
  if team not in (select private.teams_with('insights.read')) then
    raise exception 'may not read insights' using errcode = '42501';
  end if;
  return query
  with buckets as (
    select b::date as bucket
      from generate_series(date_trunc(grain, first_day::timestamp), last_day::timestamp, ('1 ' || grain)::interval) as b
  ), begun as (
    select date_trunc(grain, c.created_at at time zone 'UTC')::date as bucket, count(*) as chats,
           count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down
      from public.chats c
     where c.team_id = team and c.agent_id = agent and c.created_at >= since and c.created_at < until
     group by 1
  ), said as (
    select date_trunc(grain, m.created_at at time zone 'UTC')::date as bucket,
           count(*) filter (where m.role = 'user') as messages,
           count(distinct m.visitor_id) as visitors,
           count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
           count(*) filter (where m.unanswered) as unanswered,
           percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
             filter (where m.role = 'assistant' and m.status = 'complete') as median_reply_ms
      from public.chats c
      join public.messages m on m.chat_id = c.id
     where c.team_id = team and c.agent_id = agent and m.created_at >= since and m.created_at < until
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
