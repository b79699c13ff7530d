-- What waits in Slack stays its team's, and is asked as it was last edited.

alter table private.slack_events
  -- When Slack says that the text was last edited.
  add column edited_ts text,
  -- The team whose deleted app had the thread: no other team's app answers.
  add column asked_team uuid;

-- What waits in the threads of a deleted app stays its team's: another team's app of the workspace would answer it, and store it in its own chats.
-- Before the deletion, since the threads go with the app. Security definer: no client may touch events.
-- Who may: callers the policies let delete the app, by a trigger. Checks: the threads of the deleted app.
create function private.keep_slack_events_apart() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.slack_events e set asked_team = old.team_id
   where e.id in (
     select q.id from private.slack_threads t
       join private.slack_events q on q.kind = 'message' and q.workspace_id = t.workspace_id and q.channel = t.channel and q.thread_ts = t.thread_ts
      where t.team_id = old.team_id and t.app_id = old.id and q.status in ('queued', 'running'));
  return old;
end
$$;
revoke all on function private.keep_slack_events_apart() from public;
create trigger keep_slack_events_apart before delete on public.apps
  for each row when (old.workspace_id is not null) execute function private.keep_slack_events_apart();
