-- The machine's clock. Leases, waits and schedules are times in rows. When the clock is set back, they would only be due once it has caught
-- up, and new ids would sort before earlier ones. When it jumps ahead, nothing is deleted by age for a day of use.

-- The latest second that private.follow_clock() has seen. A sequence, because it must keep what a failed transaction has seen.
create sequence private.clock_seen minvalue 0;
-- The second at which the clock was last found more than a day ahead of that: the machine was off, or its clock is wrong.
create sequence private.clock_jumped minvalue 0;
-- Seconds of use until the clock is trusted again. They add up over jumps: a machine that is on for a few hours every other day jumps each
-- time.
create sequence private.clock_doubted minvalue 0;

-- False for a day of use after such a jump: what looks old may be new, and an operator has the day to correct the clock. Security definer:
-- no role reads the sequences, and without the right to they would look empty.
-- Who may: the service. Checks: nothing more: it tells nothing of any row.
create function private.is_clock_trusted() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  -- Read before the jump, which private.follow_clock() notes first.
  seen constant timestamptz := to_timestamp(pg_sequence_last_value('private.clock_seen'));
begin
  return not coalesce(moment > seen + interval '1 day', false) and coalesce(pg_sequence_last_value('private.clock_doubted'), 0) = 0;
end
$$;
revoke all on function private.is_clock_trusted() from public;
grant execute on function private.is_clock_trusted() to service_role;

-- Moves such times back with the clock and keeps the order of ids. Returns by how much, to a minute; null when the clock goes on. To be called
-- several times a minute. Security definer: reads deletions, and notes the clock.
-- Who may: the service. Checks: rows whose time is still to come; one call at a time, and the next one sees the new clock.
create function private.follow_clock() returns interval
language plpgsql volatile security definer set search_path = '' as $$
declare
  moment timestamptz := clock_timestamp();
  seen timestamptz := to_timestamp(pg_sequence_last_value('private.clock_seen'));
  ahead interval := seen - moment;
  doubted bigint := coalesce(pg_sequence_last_value('private.clock_doubted'), 0);
  this_month constant date := date_trunc('month', moment at time zone 'UTC')::date;
begin
  if seen is null or moment > seen + interval '1 minute' then
    if moment > seen + interval '1 day' then
      perform setval('private.clock_jumped', floor(extract(epoch from moment))::bigint);
      -- Another jump leaves ten minutes at least to notice it.
      perform setval('private.clock_doubted', case when doubted = 0 then 86400 else greatest(doubted, 600) end);
    elsif doubted > 0 then
      perform setval('private.clock_doubted', greatest(0, doubted - floor(extract(epoch from moment - seen))::bigint));
    end if;
    perform setval('private.clock_seen', floor(extract(epoch from moment))::bigint);
    return null;
  end if;
  -- Corrections of a few seconds move nothing.
  if ahead < interval '5 seconds' or not pg_try_advisory_xact_lock(hashtextextended('followClock', 0))
     or seen is distinct from to_timestamp(pg_sequence_last_value('private.clock_seen'))
  then
    return null;
  end if;
  -- Ids may be a minute newer than what was seen.
  perform setval('private.uuid_floor', greatest(
    floor(extract(epoch from seen + interval '2 minutes') * 1000)::bigint, pg_sequence_last_value('private.uuid_floor')));
  -- Set back to before the jump: it was right until then.
  if moment < to_timestamp(pg_sequence_last_value('private.clock_jumped')) then
    perform setval('private.clock_jumped', 0, false), setval('private.clock_doubted', 0, false);
  end if;
  -- Of another time.
  delete from private.rate_limits r where r.window_start > moment;
  update public.tasks t
     set run_after = case when t.run_after > moment then t.run_after - ahead else t.run_after end, lease_until = t.lease_until - ahead
   where t.status in ('queued', 'waiting', 'running', 'stopping') and greatest(t.run_after, t.lease_until) > moment;
  -- Their triggers date them now.
  update public.documents d set status = d.status where d.status = 'indexing' and d.updated_at > moment;
  update public.messages m set status = m.status where m.status = 'streaming' and m.updated_at > moment;
  update public.sources s
     set next_sync_at = case when s.next_sync_at > moment then s.next_sync_at - ahead else s.next_sync_at end,
         listed_at = least(s.listed_at, moment)
   where greatest(s.next_sync_at, s.listed_at) > moment;
  update private.slack_events e
     set run_after = case when e.run_after > moment then e.run_after - ahead else e.run_after end, lease_until = e.lease_until - ahead
   where e.status in ('queued', 'running') and greatest(e.run_after, e.lease_until) > moment;
  update private.slack_installations i set refreshing_until = i.refreshing_until - ahead where i.refreshing_until > moment;
  update private.handover_deliveries d
     set run_after = case when d.run_after > moment then d.run_after - ahead else d.run_after end, lease_until = d.lease_until - ahead
   where d.status = 'queued' and greatest(d.run_after, d.lease_until) > moment;
  update private.unwanted_objects u set run_after = u.run_after - ahead where u.run_after > moment;
  update private.roots r set detached_at = r.detached_at - ahead where r.detached_at > moment;
  update private.clearings c set created_at = c.created_at - ahead where c.created_at > moment;
  update private.model_reservations r set expires_at = r.expires_at - ahead where r.expires_at > moment;
  update private.deletions d set expires_at = d.expires_at - ahead where d.expires_at > moment;
  update private.kept_objects k set expires_at = k.expires_at - ahead where k.deletion_id is null and k.expires_at > moment;
  -- A month begun too early has forgotten what was spent in this one. What the installation paid of it is only known of a team without models
  -- of its own.
  update private.model_budgets b
     set month = this_month, spent = m.spent,
         installation_spent = case when exists (select from private.models o where o.team_id = b.team_id) then b.installation_spent
                                   else m.spent end,
         warned_month = least(b.warned_month, this_month)
    from (select f.team_id, coalesce(sum(u.cost), 0) as spent
            from private.model_budgets f left join public.model_usage u on u.team_id = f.team_id and u.day >= this_month
           where f.month > this_month group by f.team_id) m
   where b.team_id = m.team_id and b.month > this_month;
  -- Ended by a clock that was ahead.
  update public.qa_entries e set ended_at = null where e.ended_at is not null and e.expires_at > moment;
  perform setval('private.clock_seen', floor(extract(epoch from moment))::bigint);
  return ahead;
end
$$;
revoke all on function private.follow_clock() from public;
grant execute on function private.follow_clock() to service_role;
