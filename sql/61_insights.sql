-- Insights: questions asked of an agent, or of all of a team's agents, and their outcome, per day, week or month and over the whole range.

-- The start of a day in a time zone. Where clocks are set back over midnight, midnight occurs twice, and the first one counts.
create function private.start_of_day(day date, zone text) returns timestamptz
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return (
    select case when (later - interval '1 hour') at time zone zone = day::timestamp then later - interval '1 hour' else later end
      from (select day::timestamp at time zone zone as later) given);
end
$$;
revoke all on function private.start_of_day(date, text) from public;
grant execute on function private.start_of_day(date, text) to authenticated, anon, service_role;

-- One row per bucket of the range, empty ones included; days are those of the time zone. agent: null for all of the team's. grain: day,
-- week, month, range for one row, or compared: the first half of the range as one row without visitors and median, then the other's days.
-- visitors: people without an account who wrote. up and down: ratings of replies and of chats. helped:
-- chats that were rated up, as a whole or one of their replies, and never down. silent: chats with a question but without a rating or a
-- handover, so that their outcome is unknown; a rating counts until the day after the bucket. median_reply_ms: null when no reply was
-- completed. Security definer: a reader of insights may lack the right to read the chats. Raises PT404 when the caller cannot see the
-- agent, 42501 when they may not read its insights, 22023 for an unknown zone and for a range that is empty or longer than ten years. JIT
-- is off, because compiling takes longer than running. The generic plan is forced: a plan for the given values is no faster, and planning
-- takes half of a call.
-- Who may: those who read insights. Checks: agents.read, then insights.read, in the named team, and the agent is its own.
create function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text, zone text default 'UTC')
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision, handovers bigint, helped bigint, silent bigint
)
language plpgsql stable security definer set search_path = '' set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  -- The number of rows without visitors and median.
  summed int;
  since timestamptz;
  until timestamptz;
  -- The first of the days, weeks or months.
  each_from date := first_day;
  each_since timestamptz;
  days date[];
  starts timestamptz[];
  ends timestamptz[];
begin
  if grain is null or grain not in ('day', 'week', 'month', 'range', 'compared') then
    raise exception 'grain is day, week, month, range or compared' using errcode = '22023';
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
  each_since := since;
  if grain = 'compared' then
    each_from := first_day + (last_day - first_day + 1) / 2;
    each_since := private.start_of_day(each_from, zone);
  end if;
  summed := (each_from > first_day)::int;
  if team is null or team <> all (private.teams_with('agents.read'))
     or (agent is not null and not exists (select 1 from public.agents a where a.id = agent and a.team_id = team))
  then
    raise exception 'no such agent' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('insights.read')) then
    raise exception 'may not read insights' using errcode = '42501';
  end if;
  select array_agg(f.bucket order by f.bucket), array_agg(f.start order by f.bucket), array_agg(f.past order by f.bucket)
    into days, starts, ends
    from (
      select first_day as bucket, since as start, until as past where grain = 'range'
      union all
      select first_day, since, each_since where summed = 1
      union all
      select b::date, greatest(start, each_since), coalesce(lead(start) over (order by b), until)
        from (select case grain when 'range' then null when 'compared' then 'day' else grain end as unit) u
       cross join generate_series(date_trunc(u.unit, each_from::timestamp), last_day::timestamp, ('1 ' || u.unit)::interval) b
       -- As private.start_of_day() says, without a call for each of 60 days.
       cross join lateral (select b at time zone zone as later) l
       cross join lateral (
         select case when (later - interval '1 hour') at time zone zone = b then later - interval '1 hour' else later end as start) g) f;
  -- Bucket by bucket, each a range of an index and sorted by itself: one sort of a year's messages costs three times as much. Chats are
  -- counted without a join. The few whose outcome a rated reply or a handover tells are looked up one by one, and corrected: the generic
  -- plan expects few rows of a range, and would compare each of a day's chats with each of its ratings.
  return query
  with told as (
    select width_bucket(c.created_at, starts) as n, c.rating, c.title, bool_or(t.up) as up, bool_or(t.down) as down, sum(t.asked) as asked
      from (
        select m.chat_id, m.created_at as rated_at, m.rating = 'up' as up, m.rating = 'down' as down, 0 as asked
          from public.messages m
         where m.team_id = team and m.rating is not null and m.created_at >= since and m.created_at < until + interval '1 day'
        union all
        select h.chat_id, null, false, false, 1 from public.handovers h where h.team_id = team and h.created_at >= since) t
     -- The limit is for the planner: it looks each chat up, and does not join.
     cross join lateral (
       select o.created_at, o.agent_id, o.rating, o.title from public.chats o where o.team_id = team and o.id = t.chat_id limit 1) c
     where c.created_at >= since and c.created_at < until
       and (t.rated_at is null or t.rated_at < ends[width_bucket(c.created_at, starts)] + interval '1 day')
       and (c.agent_id = agent or agent is null and c.agent_id not in (select private.detached_roots()))
     group by t.chat_id, c.created_at, c.rating, c.title),
  corrections as (
    select t.n, sum(t.asked)::bigint as handovers,
           count(*) filter (where t.rating is null and t.up and not t.down) - count(*) filter (where t.rating = 'up' and t.down) as helped,
           count(*) filter (where t.rating is null and t.title <> '') as known
      from told t group by t.n)
  select days[bu.n], be.chats, sa.messages, sa.visitors, be.up + sa.up, be.down + sa.down, sa.unanswered, sa.median_reply_ms,
         coalesce(co.handovers, 0), be.up + coalesce(co.helped, 0), be.unrated - coalesce(co.known, 0)
    from generate_subscripts(days, 1) bu (n)
    left join corrections co on co.n = bu.n
   cross join lateral (
     select count(*) as chats,
            count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down,
            count(*) filter (where c.rating is null and c.title <> '') as unrated
       from public.chats c
      where c.team_id = team and c.created_at >= starts[bu.n] and c.created_at < ends[bu.n]
        and (c.agent_id = agent or agent is null and c.agent_id not in (select private.detached_roots()))) be
   cross join lateral (
     select count(*) filter (where m.role = 'user') as messages,
            count(distinct m.visitor_id) filter (where bu.n > summed) as visitors,
            count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
            count(*) filter (where m.unanswered) as unanswered,
            percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
              filter (where m.role = 'assistant' and m.status = 'complete' and bu.n > summed) as median_reply_ms
       from public.messages m
      where m.team_id = team and m.created_at >= starts[bu.n] and m.created_at < ends[bu.n]
        and case when agent is null then m.chat_id not in (select private.detached_chats())
                 else exists (select 1 from public.chats c where c.id = m.chat_id and c.agent_id = agent) end) sa
   order by bu.n;
end
$$;
revoke all on function public.chat_insights(uuid, uuid, date, date, text, text) from public, anon;
grant execute on function public.chat_insights(uuid, uuid, date, date, text, text) to authenticated, service_role;

-- The number of replies per state of messages.support in a range; the same range, agent and rights as chat_insights, whose call has already
-- raised any refusal. Security definer: as there.
-- Who may: those who read insights. Checks: insights.read in the named team, and the agent is its own; else no row.
create function private.count_support(team uuid, agent uuid, first_day date, last_day date, zone text default 'UTC')
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
revoke all on function private.count_support(uuid, uuid, date, date, text) from public;
grant execute on function private.count_support(uuid, uuid, date, date, text) to authenticated;
