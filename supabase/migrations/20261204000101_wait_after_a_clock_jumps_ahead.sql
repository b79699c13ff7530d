-- Takes a database with data from the schema before to that of sql/: wait after a clock jumps ahead.
-- The second at which the clock was last found more than a day ahead of that: the machine was off, or its clock is wrong.
create sequence private.clock_jumped minvalue 0;

-- False for a day after such a jump: what looks old may be new, and an operator has the day to correct the clock. Security definer: no role
-- reads the sequences, and without the right to they would look empty.
-- Who may: the service. Checks: nothing more: it tells nothing of any row.
create function private.is_clock_trusted() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  -- Read before the jump, which private.follow_clock() notes first.
  seen constant timestamptz := to_timestamp(pg_sequence_last_value('private.clock_seen'));
  jumped constant timestamptz := to_timestamp(pg_sequence_last_value('private.clock_jumped'));
begin
  return not coalesce(moment > seen + interval '1 day', false) and not coalesce(jumped > moment - interval '1 day', false);
end
$$;
revoke all on function private.is_clock_trusted() from public;
grant execute on function private.is_clock_trusted() to service_role;

create or replace function private.follow_clock() returns interval
language plpgsql volatile security definer set search_path = '' as $$
declare
  moment timestamptz := clock_timestamp();
  seen timestamptz := to_timestamp(pg_sequence_last_value('private.clock_seen'));
  ahead interval := seen - moment;
  this_month constant date := date_trunc('month', moment at time zone 'UTC')::date;
begin
  if seen is null or moment > seen + interval '1 minute' then
    if moment > seen + interval '1 day' then
      perform setval('private.clock_jumped', floor(extract(epoch from moment))::bigint);
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
    perform setval('private.clock_jumped', 0, false);
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
  -- A month begun too early has forgotten what was spent in this one.
  update private.model_budgets b
     set month = this_month,
         spent = coalesce((select sum(u.cost) from public.model_usage u where u.team_id = b.team_id and u.day >= this_month), 0),
         warned_month = least(b.warned_month, this_month)
   where b.month > this_month;
  -- Ended by a clock that was ahead.
  update public.qa_entries e set ended_at = null where e.ended_at is not null and e.expires_at > moment;
  perform setval('private.clock_seen', floor(extract(epoch from moment))::bigint);
  return ahead;
end
$$;

create or replace function private.remove_outgrown(most int) returns table (kind text, removed int)
language plpgsql volatile set search_path = '' as $$
declare
  before timestamptz;
  chosen uuid[];
begin
  if not private.is_clock_trusted() then
    return;
  end if;
  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'tasks';
  if before is not null then
    chosen := array(
      select t.id from public.tasks t
       where t.finished_at < before and t.status in ('succeeded', 'failed', 'stopped')
       order by t.finished_at limit most for update skip locked);
    -- A listing that was stopped halfway may hold more rows than one transaction should remove.
    delete from private.listed_items l
     where (l.task_id, l.source_id, l.external_id) in (
       select i.task_id, i.source_id, i.external_id from private.listed_items i where i.task_id = any (chosen) limit most * 10);
    delete from public.tasks t
     where t.id = any (chosen) and not exists (select 1 from private.listed_items i where i.task_id = t.id);
    get diagnostics removed = row_count;
    kind := 'tasks';
    return next;
  end if;

  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'replyPassages';
  if before is not null then
    chosen := array(
      select p.message_id from public.reply_passages p
       where p.created_at < before order by p.created_at limit most for update skip locked);
    delete from public.reply_passages p where p.message_id = any (chosen);
    get diagnostics removed = row_count;
    kind := 'replyPassages';
    return next;
  end if;

  -- A thread counts from its latest message. Its chat stays; whoever asks there again begins another.
  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'slackThreads';
  if before is not null then
    chosen := array(
      select s.chat_id from private.slack_threads s
       where s.created_at < before
         and not exists (select 1 from public.messages m
                          where m.team_id = s.team_id and m.chat_id = s.chat_id and m.created_at >= before)
       order by s.created_at limit most for update skip locked);
    delete from private.slack_threads s where s.chat_id = any (chosen) and s.created_at < before;
    get diagnostics removed = row_count;
    kind := 'slackThreads';
    return next;
  end if;

  -- That there was one stays, for the insights; who it was and what they wrote to the team goes.
  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'handovers';
  if before is not null then
    chosen := array(
      select h.id from public.handovers h
       where h.updated_at < before and h.status <> 'open' and (h.email is not null or h.message <> '' or h.summary <> '')
       order by h.updated_at limit most for update skip locked);
    delete from private.handover_deliveries d
     where (d.team_id, d.handover_id) in (select h.team_id, h.id from public.handovers h where h.id = any (chosen));
    update public.handovers h set email = null, message = '', summary = '' where h.id = any (chosen);
    get diagnostics removed = row_count;
    kind := 'handovers';
    return next;
  end if;
end
$$;

create or replace function private.sweep_models(most int) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if not private.is_clock_trusted() then
    return;
  end if;
  delete from private.models m
   where m.role = 'earlierEmbedding'
     and (m.updated_at < now() - interval '30 days'
       or m.updated_at < now() - interval '10 minutes' and not exists (
            select from public.knowledges k join public.vectors v on v.id = k.vector_id
             where v.model = private.space_model(m.id, m.team_id, m.model) and v.dimensions = m.dimensions
               and (m.team_id is null or k.team_id = m.team_id)));
  delete from public.vectors v
   where v.model like 'connection:%' and v.created_at < now() - interval '1 day'
     and not exists (select from private.models m where 'connection:' || m.id = v.model)
     and not exists (select from public.knowledges k where k.vector_id = v.id)
     and not exists (select from public.chunk_embeddings e where e.vector_id = v.id);
  delete from private.model_reservations r where r.ctid = any (array(
    select e.ctid from private.model_reservations e where e.expires_at < now() limit most for update skip locked));
  delete from public.model_usage u where u.ctid = any (array(
    select o.ctid from public.model_usage o
     where o.day < (now() - interval '800 days')::date order by o.day limit most for update skip locked));
end
$$;

create or replace function private.disown_unregistered_objects() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  disowned bigint;
begin
  if not private.is_clock_trusted() then
    return 0;
  end if;
  insert into private.unwanted_objects (path)
  select o.name from storage.objects o
   where o.bucket_id = 'files' and o.created_at < now() - interval '1 day' and private.is_object_key(o.name)
     and not exists (select 1 from public.file_versions v where v.path = o.name)
     and not exists (select 1 from private.kept_objects k where k.path = o.name)
   limit 1000
  on conflict do nothing;
  get diagnostics disowned = row_count;
  -- The insert has waited for those that were just being registered: their bytes stay.
  delete from private.unwanted_objects u using public.file_versions v where v.path = u.path;
  delete from private.unwanted_objects u using private.kept_objects k where k.path = u.path;
  return disowned;
end
$$;
