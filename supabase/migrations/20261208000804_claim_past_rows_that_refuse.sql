-- Takes a database with data from the schema before to that of sql/: claim past rows that refuse.

create or replace function private.claim_handover_delivery(lease_seconds int) returns setof private.handover_deliveries
language plpgsql volatile set search_path = '' as $$
declare
  candidate uuid;
  claimed private.handover_deliveries;
begin
  for candidate in
    with teams as materialized (
      select q.team_id,
             (select count(*) from private.handover_deliveries b
               where b.team_id = q.team_id and b.status = 'queued' and b.lease_until >= clock_timestamp()) as busy,
             (select max(s.claimed_at) from private.handover_deliveries s where s.team_id = q.team_id) as served
        from (select distinct w.team_id from private.handover_deliveries w
               where w.status = 'queued' and w.run_after <= clock_timestamp()) q)
    select n.id from private.handover_deliveries n join teams t on t.team_id = n.team_id
     where n.status = 'queued' and n.run_after <= clock_timestamp()
       and (n.lease_until is null or n.lease_until < clock_timestamp())
     order by t.busy, t.served nulls first, n.run_after, n.id limit 100
  loop
    begin
      perform 1 from private.handover_deliveries d
        where d.id = candidate and d.status = 'queued' and d.run_after <= clock_timestamp()
          and (d.lease_until is null or d.lease_until < clock_timestamp())
          for update skip locked;
      if found then
        update private.handover_deliveries d
           set attempts = d.attempts + 1, lease_until = clock_timestamp() + make_interval(secs => lease_seconds),
               claimed_at = clock_timestamp()
         where d.id = candidate
        returning d.* into claimed;
        -- Not by return query: what it has given is not taken back with the subtransaction.
        return next claimed;
        return;
      end if;
    exception
      when others then
        if sqlstate ~ '^(25|40|53|57|58)' then
          raise;
        end if;
        raise warning 'delivery % could not be claimed: % (%)', candidate, sqlerrm, sqlstate;
    end;
  end loop;
end
$$;

create or replace function private.claim_slack_event(lease_seconds int) returns setof private.slack_events
language plpgsql volatile set search_path = '' as $$
declare
  candidate uuid;
  claimed private.slack_events;
begin
  for candidate in
    with busy as (
      select r.workspace_id, count(*) as events from private.slack_events r
       where r.status = 'running' and r.lease_until >= clock_timestamp() group by r.workspace_id)
    select n.id from private.slack_events n left join busy w on w.workspace_id = n.workspace_id
     where n.status in ('queued', 'running') and n.run_after <= clock_timestamp()
       and (n.lease_until is null or n.lease_until < clock_timestamp())
       and not (n.kind = 'message' and exists (
         select 1 from private.slack_events b
          where b.kind = 'message' and b.workspace_id = n.workspace_id and b.channel = n.channel
            and b.thread_ts = n.thread_ts and b.status in ('queued', 'running') and b.ts < n.ts))
     order by coalesce(w.events, 0), n.run_after, n.id limit 100
  loop
    begin
      perform 1 from private.slack_events e
        where e.id = candidate and e.status in ('queued', 'running') and e.run_after <= clock_timestamp()
          and (e.lease_until is null or e.lease_until < clock_timestamp())
          for update skip locked;
      if found then
        update private.slack_events e
           set status = 'running', attempts = e.attempts + 1, fence = e.fence + 1,
               lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
         where e.id = candidate
        returning e.* into claimed;
        return next claimed;
        return;
      end if;
    exception
      when others then
        if sqlstate ~ '^(25|40|53|57|58)' then
          raise;
        end if;
        raise warning 'event % could not be claimed: % (%)', candidate, sqlerrm, sqlstate;
    end;
  end loop;
end
$$;
