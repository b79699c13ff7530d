-- Retention: what an installation deletes automatically, and after how long. Never chats, messages, documents or files.

create table public.retention (
  kind text primary key check (kind in ('tasks', 'replyPassages', 'slackThreads', 'handovers')),
  -- Null: kept forever. At least a week, because a worker that was interrupted may still read what has just ended.
  days int check (days between 7 and 36500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch_retention before update on public.retention
  for each row execute function private.touch_updated_at();

revoke all on public.retention from public, anon, authenticated;
grant select on public.retention to authenticated;
grant update (days) on public.retention to authenticated;
grant select, insert, update, delete on public.retention to service_role;
alter table public.retention enable row level security;
create policy "platform admins at work read the retention" on public.retention for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work change the retention" on public.retention for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

insert into public.retention (kind, days) values ('tasks', 365), ('replyPassages', 365), ('slackThreads', 365), ('handovers', 365);

-- Indexes for the deletion, which takes the oldest rows first.
create index tasks_finished_idx on public.tasks (finished_at) where finished_at is not null;
create index reply_passages_created_idx on public.reply_passages (created_at);
create index slack_threads_created_idx on private.slack_threads (created_at);
create index handovers_finished_idx on public.handovers (updated_at)
  where status <> 'open' and (email is not null or message <> '' or summary <> '');

-- What the clean-ups do to rows of a kind, by their ids. Returns the number of rows.
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

-- The same for rows of many teams: for all at once, or one by one where a row refuses it, which is then left out with a warning, so that it
-- does not stop those of others.
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
revoke all on function private.end_each_row(text, uuid[]) from public;
grant execute on function private.end_each_row(text, uuid[]) to service_role;

-- Deletes rows past their retention, the oldest first and at most `most` of each kind. Returns their number. Skips locked rows until the
-- next time, and all while the clock is not trusted (86_clock.sql). For the service.
create function private.remove_outgrown(most int) returns table (kind text, removed int)
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
revoke all on function private.remove_outgrown(int) from public;
grant execute on function private.remove_outgrown(int) to service_role;
