-- How many replies of a range their sources support how far, by the state of messages.support; the same range, agent and rights as
-- chat_insights, whose caller has been refused what is refused. Security definer: as there.
-- Who may: those who read insights. Checks: insights.read in the team that is named, and the agent is its own; else no row.
create function private.count_support(team uuid, agent uuid, first_day date, last_day date)
returns table (state text, replies bigint)
language sql stable security definer set search_path = '' as $$
  select m.support ->> 'state', count(*)
    from public.messages m
   where m.team_id = team and team = any (private.teams_with('insights.read')) and team = any (private.teams_with('agents.read'))
     and m.support is not null
     and m.created_at >= first_day::timestamp at time zone 'UTC' and m.created_at < (last_day + 1)::timestamp at time zone 'UTC'
     and last_day - first_day <= 3660
     and (agent is null or exists (select 1 from public.chats c where c.id = m.chat_id and c.team_id = team and c.agent_id = agent))
   group by 1
$$;
revoke all on function private.count_support(uuid, uuid, date, date) from public;
grant execute on function private.count_support(uuid, uuid, date, date) to authenticated;
