-- Takes a database with data from the schema before to that of sql/: leave out rows that refuse.

create function private.end_rows(kind text, ids uuid[]) returns int
language plpgsql volatile set search_path = '' as $$
declare
  ended int;
begin
  case end_rows.kind
    when 'expiredEntries' then
      update public.qa_entries e set ended_at = clock_timestamp() where e.id = any (ids);
    when 'deadReplies' then
      update public.messages m set status = 'failed', finished_at = clock_timestamp() where m.id = any (ids) and m.status = 'streaming';
    when 'tasks' then
      delete from public.tasks t
       where t.id = any (ids) and not exists (select 1 from private.listed_items i where i.task_id = t.id);
    when 'replyPassages' then
      delete from public.reply_passages p where p.message_id = any (ids);
    when 'slackThreads' then
      delete from private.slack_threads s
       where s.chat_id = any (ids)
         and s.created_at < (select clock_timestamp() - make_interval(days => r.days) from public.retention r where r.kind = 'slackThreads');
    when 'handovers' then
      delete from private.handover_deliveries d
       where (d.team_id, d.handover_id) in (select h.team_id, h.id from public.handovers h where h.id = any (ids));
      update public.handovers h set email = null, message = '', summary = '' where h.id = any (ids);
  end case;
  get diagnostics ended = row_count;
  return ended;
end
$$;
revoke all on function private.end_rows(text, uuid[]) from public;
grant execute on function private.end_rows(text, uuid[]) to service_role;

create function private.end_each_row(kind text, ids uuid[]) returns int
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
      if sqlstate ~ '^(25|40|53|57|58)' then
        raise;
      end if;
  end;
  foreach one in array ids loop
    begin
      ended := ended + private.end_rows(kind, array[one]);
    exception
      when others then
        if sqlstate ~ '^(25|40|53|57|58)' then
          raise;
        end if;
        raise warning 'row % was left out by the clean-up of %: % (%)', one, kind, sqlerrm, sqlstate;
    end;
  end loop;
  return ended;
end
$$;
revoke all on function private.end_each_row(text, uuid[]) from public;
grant execute on function private.end_each_row(text, uuid[]) to service_role;

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
        if sources is not null or sqlstate ~ '^(25|40|53|57|58)' then
          raise;
        end if;
        raise warning 'nothing of clearing % could be removed: % (%)', candidate.id, sqlerrm, sqlstate;
        update private.clearings c set created_at = clock_timestamp() + interval '1 hour' where c.id = candidate.id;
    end;
  end loop;
  return false;
end
$$;

create or replace function private.end_expired_entries(most int) returns int
language plpgsql volatile set search_path = '' as $$
begin
  -- An array: joined with the due ones, a plan may read all entries to find them.
  return private.end_each_row('expiredEntries', array(
    select due.id from public.qa_entries due
     where due.expires_at <= (select clock_timestamp()) and due.ended_at is null
     order by due.expires_at limit most for update skip locked));
end
$$;

create function private.remove_root_slice(root private.roots, most int) returns void
language plpgsql volatile set search_path = '' as $$
declare
  chosen uuid[];
  removed int;
begin
  if root.kind in ('users', 'api_keys') then
    if root.kind = 'users' then
      update public.messages m set user_id = null
       where m.id = any (array(select o.id from public.messages o where o.user_id = root.id limit most));
    else
      update public.messages m set api_key_id = null
       where m.id = any (array(select o.id from public.messages o where o.api_key_id = root.id limit most));
    end if;
    get diagnostics removed = row_count;
    if removed = 0 and root.kind = 'users' then
      update public.chats c set user_id = null where c.id = any (array(select o.id from public.chats o where o.user_id = root.id limit most));
      get diagnostics removed = row_count;
    elsif removed = 0 then
      update public.chats c set api_key_id = null
       where c.id = any (array(select o.id from public.chats o where o.api_key_id = root.id limit most));
      get diagnostics removed = row_count;
    end if;
  elsif root.kind = 'teams' then
    -- Each has versions, and its bytes a record.
    delete from public.files f where f.id = any (array(select o.id from public.files o where o.team_id = root.id limit least(most, 100)));
    get diagnostics removed = row_count;
    if removed = 0 then
      removed := private.disown_objects(root.id, most);
    end if;
    if removed = 0 and exists (select from private.deletions d where d.team_id = root.id) then
      removed := private.purge_deletions(most);
    end if;
  elsif root.kind = 'agents' then
    chosen := array(select c.id from public.chats c where c.team_id = root.team_id and c.agent_id = root.id order by c.id limit 50);
    removed := private.remove_messages(root.team_id, chosen, most);
    if removed = 0 then
      delete from public.chats c where c.id = any (chosen);
      get diagnostics removed = row_count;
    end if;
  else
    if root.kind = 'knowledges' then
      chosen := array(select i.document_id from public.document_indexes i
                       where i.team_id = root.team_id and i.knowledge_id = root.id order by i.document_id limit 100);
    else
      chosen := array(select d.id from public.documents d where d.team_id = root.team_id and d.source_id = root.id order by d.id limit 100);
    end if;
    removed := private.remove_passages(root.team_id, chosen, case root.kind when 'knowledges' then root.id end, most);
    if removed = 0 and root.kind = 'knowledges' then
      delete from public.document_indexes i where i.knowledge_id = root.id and i.document_id = any (chosen);
      get diagnostics removed = row_count;
    elsif removed = 0 then
      delete from public.documents d where d.id = any (chosen);
      get diagnostics removed = row_count;
    end if;
  end if;

  -- Takes with it a row that came meanwhile: whoever adds one holds a lock of the root, for which this waits.
  if removed = 0 then
    delete from private.roots r where r.id = root.id;
  end if;
end
$$;
revoke all on function private.remove_root_slice(private.roots, int) from public;

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
      if sqlstate ~ '^(25|40|53|57|58)' then
        raise;
      end if;
      raise warning 'nothing of % % could be removed: % (%)', root.kind, root.id, sqlerrm, sqlstate;
      update private.roots r set detached_at = clock_timestamp() + interval '1 hour' where r.id = root.id;
  end;
  return true;
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
    removed := private.end_each_row('tasks', chosen);
    kind := 'tasks';
    return next;
  end if;

  select clock_timestamp() - make_interval(days => r.days) into before from public.retention r where r.kind = 'replyPassages';
  if before is not null then
    chosen := array(
      select p.message_id from public.reply_passages p
       where p.created_at < before order by p.created_at limit most for update skip locked);
    removed := private.end_each_row('replyPassages', chosen);
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
    removed := private.end_each_row('slackThreads', chosen);
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
    removed := private.end_each_row('handovers', chosen);
    kind := 'handovers';
    return next;
  end if;
end
$$;

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
