-- Takes a database with data from the schema before to that of sql/: count what the installation paid.

create or replace function private.follow_clock() returns interval
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
