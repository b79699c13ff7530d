-- A deadlock while a due sync was queued postponed it for an hour.

-- Queues due syncs. If the last full listing is older than a day, the sync is a full one, which also finds deletions at the source. Returns
-- the number queued. For the service. Each runs in a subtransaction: a source whose sync cannot be queued is postponed for an hour and does
-- not block the others.
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
        -- Not the source's fault: no disk, a deadlock, a shutdown.
        if private.is_no_rows_fault(sqlstate) then
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
