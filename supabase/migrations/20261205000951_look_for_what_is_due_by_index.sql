-- Takes a database with data from the schema before to that of sql/: look for what is due by index.

create or replace function private.claim_unwanted_objects(only_paths text[] default null) returns setof text
language sql volatile set search_path = '' as $$
  delete from private.unwanted_objects u where u.run_after <= (select clock_timestamp()) and u.removed_at is not null;
  update private.unwanted_objects u
     set attempts = u.attempts + 1, run_after = clock_timestamp() + least(u.attempts + 1, 60) * interval '1 minute'
   -- An array, which is made once: a plan may run a subquery of in () again, and its limit counts anew.
   where u.path = any (array(
     select due.path from private.unwanted_objects due
      where due.removed_at is null
        and due.run_after <= (select case when only_paths is null then clock_timestamp() else 'infinity' end)
        and (only_paths is null or due.path = any (only_paths))
      order by due.run_after limit 100 for update skip locked))
  returning u.path
$$;

create or replace function private.queue_due_syncs() returns int
language plpgsql volatile set search_path = '' as $$
declare
  due record;
  queued int := 0;
begin
  for due in
    select s.id, s.team_id, s.schedule from public.sources s
     -- Asked once: compared with a volatile function, no index bounds what is read, and every scheduled source would be.
     where s.next_sync_at <= (select clock_timestamp())
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

create or replace function private.end_expired_entries(most int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  ended int;
begin
  -- An array: joined with the due ones, a plan may read all entries to find them.
  update public.qa_entries e set ended_at = clock_timestamp()
   where e.id = any (array(
     select due.id from public.qa_entries due
      where due.expires_at <= (select clock_timestamp()) and due.ended_at is null
      order by due.expires_at limit most for update skip locked));
  get diagnostics ended = row_count;
  return ended;
end
$$;
