-- A clock that was set back kept teams waiting behind all others: their last turns were of a time to come.

create or replace function private.claimable_tasks(moment timestamptz) returns table (id uuid, turn bigint)
language sql stable set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set plan_cache_mode = force_custom_plan set jit = off as $$
  with recursive teams (team_id) as (
    (select t.team_id from public.tasks t
      where t.status in ('queued', 'waiting', 'running', 'stopping') order by t.team_id, t.run_after, t.id limit 1)
    union all
    select (select t.team_id from public.tasks t
             where t.status in ('queued', 'waiting', 'running', 'stopping') and t.team_id > teams.team_id
             order by t.team_id, t.run_after, t.id limit 1)
      from teams where teams.team_id is not null)
  select candidate.id,
         row_number() over (order by candidate.place, load.busy, load.served nulls first, candidate.run_after, candidate.id)
    from teams
   cross join lateral (
    select (select count(*) from public.tasks busy
             where busy.team_id = teams.team_id and busy.status in ('running', 'stopping') and busy.lease_until >= moment) as busy,
           (select served.claimed_at from public.tasks served
             where served.team_id = teams.team_id and served.claimed_at <= moment
             order by served.claimed_at desc limit 1) as served
    offset 0) as load
   cross join lateral (
    select waits.*, row_number() over (order by waits.run_after, waits.id) as place
      from (select t.id, t.run_after
              from public.tasks t
             where t.team_id = teams.team_id and t.status in ('queued', 'waiting', 'running', 'stopping')
               and t.run_after <= moment and (t.lease_until is null or t.lease_until < moment)
               and not exists (
                 select 1 from public.tasks other
                  where other.key = t.key and other.id <> t.id and other.status in ('running', 'stopping'))
             order by t.run_after, t.id
             limit 8) as waits) as candidate
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
             -- Turns of a time to come were taken before the clock was set back.
             (select max(s.claimed_at) from private.handover_deliveries s
               where s.team_id = q.team_id and s.claimed_at <= clock_timestamp()) as served
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
