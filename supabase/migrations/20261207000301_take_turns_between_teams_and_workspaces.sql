-- Takes a database with data from the schema before to that of sql/: take turns between teams and workspaces.

alter table private.handover_deliveries add column claimed_at timestamptz;
create index handover_deliveries_turns_idx on private.handover_deliveries (team_id, claimed_at) where claimed_at is not null;

-- Claims the next due delivery: of the team with the fewest under way, then of the one that waited longest for its turn. A team whose webhook
-- takes its time would otherwise have the others wait for all that it has queued. The attempt number is the fence against earlier claims.
create or replace function private.claim_handover_delivery(lease_seconds int) returns setof private.handover_deliveries
language sql volatile set search_path = '' as $$
  with teams as materialized (
    select q.team_id,
           (select count(*) from private.handover_deliveries b
             where b.team_id = q.team_id and b.status = 'queued' and b.lease_until >= clock_timestamp()) as busy,
           (select max(s.claimed_at) from private.handover_deliveries s where s.team_id = q.team_id) as served
      from (select distinct w.team_id from private.handover_deliveries w
             where w.status = 'queued' and w.run_after <= clock_timestamp()) q)
  update private.handover_deliveries d
     set attempts = d.attempts + 1, lease_until = clock_timestamp() + make_interval(secs => lease_seconds),
         claimed_at = clock_timestamp()
   where d.id = (
     select n.id from private.handover_deliveries n join teams t on t.team_id = n.team_id
      where n.status = 'queued' and n.run_after <= clock_timestamp()
        and (n.lease_until is null or n.lease_until < clock_timestamp())
      order by t.busy, t.served nulls first, n.run_after, n.id limit 1 for update of n skip locked)
  returning d.*
$$;

-- Claims the next event: one that waits or whose worker is silent, never a message while an earlier one of its thread is unfinished. The
-- workspace with the fewest under way comes first, or one that sends very many would have all others wait. The fence excludes earlier claims.
create or replace function private.claim_slack_event(lease_seconds int) returns setof private.slack_events
language sql volatile set search_path = '' as $$
  with busy as (
    select r.workspace_id, count(*) as events from private.slack_events r
     where r.status = 'running' and r.lease_until >= clock_timestamp() group by r.workspace_id)
  update private.slack_events e
     set status = 'running', attempts = e.attempts + 1, fence = e.fence + 1,
         lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
   where e.id = (
     select n.id from private.slack_events n left join busy w on w.workspace_id = n.workspace_id
      where n.status in ('queued', 'running') and n.run_after <= clock_timestamp()
        and (n.lease_until is null or n.lease_until < clock_timestamp())
        and not (n.kind = 'message' and exists (
          select 1 from private.slack_events b
           where b.kind = 'message' and b.workspace_id = n.workspace_id and b.channel = n.channel
             and b.thread_ts = n.thread_ts and b.status in ('queued', 'running') and b.ts < n.ts))
      order by coalesce(w.events, 0), n.run_after, n.id limit 1 for update of n skip locked)
  returning e.*
$$;
