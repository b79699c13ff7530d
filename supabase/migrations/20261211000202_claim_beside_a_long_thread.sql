-- A thread with 100,000 waiting messages had each claim of its workspace read all of them: 2 s with one under way, and none was found.

create index slack_events_others_idx on private.slack_events (workspace_id, run_after)
  where kind <> 'message' and status in ('queued', 'running');

-- Claims the next event: one that waits or whose worker is silent, never a message while an earlier one of its thread is unfinished. Workspaces
-- take turns: the one with the fewest under way comes first, then the one that was served the longest ago, so that none waits for all that others
-- have queued. Reads a few rows of each workspace, however many it or one of its threads has queued. The fence excludes earlier claims. A row that cannot be written
-- is left out with a warning.
create or replace function private.claim_slack_event(lease_seconds int) returns setof private.slack_events
language plpgsql volatile set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  workspace text;
  candidate uuid;
  claimed private.slack_events;
begin
  for workspace in
    with recursive workspaces (id) as (
      (select w.workspace_id from private.slack_events w
        where w.status in ('queued', 'running') order by w.workspace_id limit 1)
      union all
      select (select w.workspace_id from private.slack_events w
               where w.status in ('queued', 'running') and w.workspace_id > p.id order by w.workspace_id limit 1)
        from workspaces p where p.id is not null)
    select p.id from workspaces p
     cross join lateral (
       select w.run_after from private.slack_events w
        where w.workspace_id = p.id and w.status in ('queued', 'running') order by w.run_after limit 1) oldest
     where oldest.run_after <= moment
     order by (select count(*) from private.slack_events r
                where r.workspace_id = p.id and r.status = 'running' and r.lease_until >= moment),
              -- Turns of a time to come were taken before the clock was set back.
              (select max(t.claimed_at) from private.slack_events t where t.workspace_id = p.id and t.claimed_at <= moment) nulls first,
              oldest.run_after, p.id
  loop
    for candidate in
      with recursive oldest as materialized (
        select n.id, n.run_after, n.kind, n.channel, n.thread_ts, n.ts from private.slack_events n
         where n.workspace_id = workspace and n.status in ('queued', 'running') and n.run_after <= moment
           and (n.lease_until is null or n.lease_until < moment)
         order by n.run_after, n.id limit 200),
      free as materialized (
        select o.id, o.run_after from oldest o
         -- The first of its thread, which the index has: no statistics make a search of the whole table look cheaper.
         where o.kind <> 'message' or o.ts <= (
           select b.ts from private.slack_events b
            where b.kind = 'message' and b.workspace_id = workspace and b.channel = o.channel
              and b.thread_ts = o.thread_ts and b.status in ('queued', 'running') order by b.ts limit 1)),
      -- One thread has more than are read here: the first message of each thread, and what belongs to none.
      heads (id, channel, thread_ts, run_after, lease_until) as (
        (select h.id, h.channel, h.thread_ts, h.run_after, h.lease_until from private.slack_events h
          where not exists (select 1 from free) and (select count(*) from oldest) = 200
            and h.kind = 'message' and h.workspace_id = workspace and h.status in ('queued', 'running')
          order by h.channel, h.thread_ts, h.ts limit 1)
        union all
        select n.* from heads p cross join lateral (
          select h.id, h.channel, h.thread_ts, h.run_after, h.lease_until from private.slack_events h
           where h.kind = 'message' and h.workspace_id = workspace and h.status in ('queued', 'running')
             and (h.channel, h.thread_ts) > (p.channel, p.thread_ts)
           order by h.channel, h.thread_ts, h.ts limit 1) n),
      behind as (
        (select h.id, h.run_after from heads h
          where h.run_after <= moment and (h.lease_until is null or h.lease_until < moment) limit 100)
        union all
        (select n.id, n.run_after from private.slack_events n
          where not exists (select 1 from free) and n.workspace_id = workspace and n.kind <> 'message'
            and n.status in ('queued', 'running') and n.run_after <= moment
            and (n.lease_until is null or n.lease_until < moment)
          order by n.run_after limit 100))
      select c.id from (select f.id, f.run_after from free f union all select b.id, b.run_after from behind b) c
       order by c.run_after, c.id limit 100
    loop
      begin
        perform 1 from private.slack_events e
          where e.id = candidate and e.status in ('queued', 'running') and e.run_after <= clock_timestamp()
            and (e.lease_until is null or e.lease_until < clock_timestamp())
            for update skip locked;
        if found then
          update private.slack_events e
             set status = 'running', attempts = e.attempts + 1, fence = e.fence + 1, claimed_at = clock_timestamp(),
                 lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
           where e.id = candidate
          returning e.* into claimed;
          return next claimed;
          return;
        end if;
      exception
        when others then
          if private.is_no_rows_fault(sqlstate) then
            raise;
          end if;
          raise warning 'event % could not be claimed: % (%)', candidate, sqlerrm, sqlstate;
      end;
    end loop;
  end loop;
end
$$;
