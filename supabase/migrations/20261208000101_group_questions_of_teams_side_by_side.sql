-- A slow or silent embedding model of one team had the questions of all others wait to be grouped.

drop function private.take_gap_questions(int);

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
