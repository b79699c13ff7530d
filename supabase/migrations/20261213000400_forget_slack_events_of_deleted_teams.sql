-- What waits in Slack's queue for a team is deleted with the team.

-- A deleted team's people wait for nobody: what they wrote in its threads, or in a workspace in which it alone had apps, is forgotten. Otherwise
-- it would wait a day for the next install there, and a team that connects the workspace by then would get it. A worker that is at one ends it
-- without its text. Security definer: no client may touch events.
-- Who may: callers the policies let delete the team, by a trigger. Checks: the apps and threads of the deleted team.
create function private.forget_slack_events() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.slack_events e
     set status = case when e.status = 'running' then 'running' else 'done' end, payload = null
   where e.id in (
     select q.id from private.slack_threads t
       join private.slack_events q on q.kind = 'message' and q.workspace_id = t.workspace_id and q.channel = t.channel and q.thread_ts = t.thread_ts
      where t.team_id = old.id and q.status in ('queued', 'running')
     union all
     select q.id from private.slack_events q
      where q.workspace_id in (
              select p.workspace_id from public.apps p
               where p.team_id = old.id and p.status = 'connected' and not exists (
                 select from public.apps o
                  where o.workspace_id = p.workspace_id and o.team_id <> old.id and o.status = 'connected'))
        and q.status in ('queued', 'running'));
  return old;
end
$$;
revoke all on function private.forget_slack_events() from public;
create trigger forget_slack_events before delete on public.teams for each row execute function private.forget_slack_events();
