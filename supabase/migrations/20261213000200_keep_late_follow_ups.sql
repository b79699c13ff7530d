-- A message in a Slack thread that is not ours stays for some minutes after it was read: its thread's first mention may be late.
create index slack_events_left_idx on private.slack_events (updated_at) where status = 'done' and payload is not null;
