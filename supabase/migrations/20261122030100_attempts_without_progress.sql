-- Takes a database with data from the schema before to that of sql/: attempts at a task are numbered apart from its failures in
-- a row, and a row that cannot be written keeps no claim and no sync from the others.

alter table public.tasks add column attempts_without_progress int not null default 0;

-- A task whose count was set back stood in the way of every claim: its next number was taken. It goes on after its last one.
alter table public.tasks disable trigger user;
update public.tasks t
   set attempts_without_progress = t.attempts,
       attempts = greatest(t.attempts, (select max(a.number) from public.task_attempts a where a.task_id = t.id))
 where t.attempts > 0;
alter table public.tasks enable trigger user;

-- Puts a task off that could not be claimed, so that it does not stand in the way of others; after its last attempt it fails.
-- Raises what says nothing about the task: a database without disk or connections, one that shuts down or takes no writes.
-- A deadlock says nothing either: the next claim may succeed.
create function private.put_off_task(task uuid, state text, problem text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if state ~ '^(25|53|57|58)' then
    raise exception '%', problem using errcode = state;
  elsif state ~ '^40' then
    return;
  end if;
  raise warning 'task % could not be claimed: % (%)', task, problem, state;
  update public.tasks t
     set attempts_without_progress = t.attempts_without_progress + 1,
         run_after = clock_timestamp() + interval '1 minute', lease_owner = null, lease_until = null
   where t.id = task;
  update public.tasks t
     set status = 'failed', finished_at = clock_timestamp(), message_code = 'failed',
         error = 'An unexpected error ended this task. Try again, and contact support if it happens again.'
   where t.id = task and t.attempts_without_progress >= t.max_attempts;
exception
  when others then
    if sqlstate ~ '^(25|53|57|58)' then
      raise;
    end if;
    raise warning 'task % could not be put off: % (%)', task, sqlerrm, sqlstate;
end
$$;
revoke all on function private.put_off_task(uuid, text, text) from public;
grant execute on function private.put_off_task(uuid, text, text) to service_role;

-- Claims one task for a worker, fairest team first. A task whose lease ran out is taken over (its worker died: one more
-- attempt); one with a null lease was put down between slices and just goes on. Null when there is nothing to do.
-- Each row is written in a subtransaction: one that cannot be written keeps nobody from the others.
create or replace function private.claim_task(worker text, lease_seconds int) returns setof public.tasks
language plpgsql volatile set search_path = '' set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  moment timestamptz := clock_timestamp();
  candidate uuid;
  claimed public.tasks;
  violated text;
begin
  for candidate in
    select t.id from public.tasks t
     where t.status in ('running', 'stopping') and t.lease_until < moment and t.attempts_without_progress >= t.max_attempts
       for update skip locked
  loop
    begin
      update public.tasks t
         set status = 'failed', finished_at = moment, lease_owner = null, lease_until = null,
             message_code = 'workerDied', error = 'The worker stopped several times while it was at this task.'
       where t.id = candidate;
    exception
      when others then
        perform private.put_off_task(candidate, sqlstate, sqlerrm);
    end;
  end loop;

  -- One at a time: others that claim in this moment hold some of them, and may have changed them since.
  for candidate in select c.id from private.claimable_tasks(moment) c order by c.turn loop
    begin
      perform 1 from public.tasks t
        where t.id = candidate and t.status in ('queued', 'waiting', 'running', 'stopping')
          and t.run_after <= moment and (t.lease_until is null or t.lease_until < moment)
          for update skip locked;
      if found then
        update public.tasks t
           set status = case when t.status = 'stopping' then 'stopping' else 'running' end,
               attempts = t.attempts + begun.attempt,
               attempts_without_progress = t.attempts_without_progress + begun.attempt,
               lease_owner = worker,
               lease_until = moment + make_interval(secs => lease_seconds),
               fence = t.fence + 1,
               claimed_at = moment,
               started_at = coalesce(t.started_at, moment)
          from (select o.id, case when o.status in ('running', 'stopping') and o.lease_until is null then 0 else 1 end as attempt
                  from public.tasks o where o.id = candidate) as begun
         where t.id = begun.id
        returning t.* into claimed;
        -- Not by return query: what it has given is not taken back with the subtransaction.
        return next claimed;
        return;
      end if;
    exception
      when others then
        get stacked diagnostics violated = constraint_name;
        -- Another worker claimed a task of the same key in the same moment.
        if violated <> 'tasks_running_key' then
          perform private.put_off_task(candidate, sqlstate, sqlerrm);
        end if;
    end;
  end loop;
end
$$;

-- Queues the syncs that are due; what is gone at the source is looked for once a day. Answers how many. For the service.
-- Each in a subtransaction: a source whose sync cannot be queued is put off for an hour and keeps nobody from theirs.
create or replace function private.queue_due_syncs() returns int
language plpgsql volatile set search_path = '' as $$
declare
  due record;
  queued int := 0;
begin
  for due in
    select s.id, s.team_id, s.schedule from public.sources s
     where s.next_sync_at <= clock_timestamp()
     order by s.next_sync_at limit 50
       for update skip locked
  loop
    begin
      update public.sources s
         set next_sync_at = clock_timestamp() + private.schedule_interval(due.schedule),
             sync_cursor = case when s.listed_at > clock_timestamp() - interval '1 day' then s.sync_cursor end
       where s.id = due.id;
      perform private.enqueue_task(due.team_id, 'sync', 'sync:source:' || due.id, due.id, null, null);
      queued := queued + 1;
    exception
      when others then
        -- Not the source's fault: the disk is full, the server ends, the database takes no writes.
        if sqlstate ~ '^(25|53|57|58)' then
          raise;
        end if;
        raise warning 'the sync of source % could not be queued: % (%)', due.id, sqlerrm, sqlstate;
        begin
          update public.sources s set next_sync_at = clock_timestamp() + interval '1 hour' where s.id = due.id;
        exception
          when others then
            raise warning 'the sync of source % could not be put off: % (%)', due.id, sqlerrm, sqlstate;
        end;
    end;
  end loop;
  return queued;
end
$$;

-- Hands out notes that are due (or those of the given paths), each to one worker for a minute, later after every failure.
-- Drops those whose hour is over.
create or replace function private.claim_unwanted_objects(only_paths text[] default null) returns setof text
language sql volatile set search_path = '' as $$
  delete from private.unwanted_objects u where u.run_after <= clock_timestamp() and u.removed_at is not null;
  update private.unwanted_objects u
     set attempts = u.attempts + 1, run_after = clock_timestamp() + least(u.attempts + 1, 60) * interval '1 minute'
   -- An array, which is made once: a plan may run a subquery of in () again, and its limit counts anew.
   where u.path = any (array(
     select due.path from private.unwanted_objects due
      where due.removed_at is null
        and case when only_paths is null then due.run_after <= clock_timestamp() else due.path = any (only_paths) end
      order by due.run_after limit 100 for update skip locked))
  returning u.path
$$;
