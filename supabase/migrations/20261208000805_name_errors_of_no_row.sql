-- Takes a database with data from the schema before to that of sql/: name errors of no row.

create function private.is_no_rows_fault(state text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select state ~ '^(25|40|53|57|58)'
$$;
revoke all on function private.is_no_rows_fault(text) from public;
grant execute on function private.is_no_rows_fault(text) to service_role;

create or replace function private.remove_cleared(most int, sources uuid[] default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  candidate private.clearings;
  clearing private.clearings;
begin
  for candidate in
    select c.* from private.clearings c
     where (c.source_id = any (sources) or sources is null and c.created_at <= (select clock_timestamp()))
       and exists (select from public.sources s where s.id = c.source_id)
       and (c.knowledge_id is null or exists (select from public.knowledges k where k.id = c.knowledge_id))
     order by c.created_at limit 10
  loop
    begin
      perform 1 from public.sources s where s.id = candidate.source_id for key share;
      continue when not found;
      if candidate.knowledge_id is not null then
        perform 1 from public.knowledges k where k.id = candidate.knowledge_id for key share;
        continue when not found;
      end if;
      select c.* into clearing from private.clearings c where c.id = candidate.id for no key update skip locked;
      if found then
        perform private.remove_cleared_slice(clearing, most);
        return true;
      end if;
    exception
      when others then
        if sources is not null or private.is_no_rows_fault(sqlstate) then
          raise;
        end if;
        raise warning 'nothing of clearing % could be removed: % (%)', candidate.id, sqlerrm, sqlstate;
        update private.clearings c set created_at = clock_timestamp() + interval '1 hour' where c.id = candidate.id;
    end;
  end loop;
  return false;
end
$$;

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
        if private.is_no_rows_fault(sqlstate) then
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
        if private.is_no_rows_fault(sqlstate) then
          raise;
        end if;
        raise warning 'event % could not be claimed: % (%)', candidate, sqlerrm, sqlstate;
    end;
  end loop;
end
$$;

create or replace function private.remove_detached(most int) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  root private.roots;
begin
  if private.remove_cleared(most) then
    return true;
  end if;
  select r.* into root from private.roots r
   where r.detached_at <= (select clock_timestamp())
     and not exists (select from private.deletions d where d.kind = r.kind and d.row_id = r.id)
   order by r.detached_at limit 1 for no key update skip locked;
  if root.id is null then
    return false;
  end if;
  begin
    perform private.remove_root_slice(root, most);
  exception
    when others then
      if private.is_no_rows_fault(sqlstate) then
        raise;
      end if;
      raise warning 'nothing of % % could be removed: % (%)', root.kind, root.id, sqlerrm, sqlstate;
      update private.roots r set detached_at = clock_timestamp() + interval '1 hour' where r.id = root.id;
  end;
  return true;
end
$$;

create or replace function private.end_each_row(kind text, ids uuid[]) returns int
language plpgsql volatile set search_path = '' as $$
declare
  one uuid;
  ended int := 0;
begin
  -- Mostly there are none, and of a small table a plan for no id may read every row.
  if cardinality(ids) = 0 then
    return 0;
  end if;
  begin
    return private.end_rows(kind, ids);
  exception
    when others then
      if private.is_no_rows_fault(sqlstate) then
        raise;
      end if;
  end;
  foreach one in array ids loop
    begin
      ended := ended + private.end_rows(kind, array[one]);
    exception
      when others then
        if private.is_no_rows_fault(sqlstate) then
          raise;
        end if;
        raise warning 'row % was left out by the clean-up of %: % (%)', one, kind, sqlerrm, sqlstate;
    end;
  end loop;
  return ended;
end
$$;
