-- Syncs: scheduled listings of sources, and the progress of a listing.

-- The interval of a schedule; null for manual.
create function private.schedule_interval(schedule text) returns interval
language sql immutable set search_path = '' as $$
  select case schedule when 'hourly' then interval '1 hour' when 'daily' then interval '1 day'
                       when 'weekly' then interval '7 days' end
$$;
revoke all on function private.schedule_interval(text) from public;
grant execute on function private.schedule_interval(text) to authenticated, service_role;

-- A changed schedule starts now: the next sync is one interval away.
create function private.plan_sync() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.next_sync_at := clock_timestamp() + private.schedule_interval(new.schedule);
  return new;
end
$$;
revoke all on function private.plan_sync() from public;
create trigger plan_sync_first before insert on public.sources
  for each row when (not private.is_restoring()) execute function private.plan_sync();
create trigger plan_sync before update of schedule on public.sources
  for each row when (new.schedule is distinct from old.schedule) execute function private.plan_sync();

-- Queues a full sync of a source, at a person's request. With accept_empty it removes every document when the service shows none; without,
-- it fails then, since a service may hide what it has. Security definer: clients may not write tasks; the permission is checked here.
-- Raises PT404 when the caller cannot see the source, 42501 when they may not change it.
-- Who may: those who write the source. Checks: sources.read, then sources.write, in the source's own team.
create function public.sync_source(source uuid, accept_empty boolean default false) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team constant uuid := private.authorize_source_write(source);
  task uuid;
begin
  -- A listing that runs may have passed what has changed since: its end must not make the next one incremental. Locked before the source,
  -- as the end of a listing does.
  update private.listings set is_outdated = true where source_id = source and finished_at is null;
  update public.sources
     set sync_cursor = null, status = case when status in ('indexing', 'stopping') then status else 'queued' end
   where id = source;
  task := private.enqueue_task(team, 'sync', 'sync:source:' || source, source, null, null);
  if accept_empty then
    -- Consent to this one sync, with the settings and the credentials that it starts with.
    insert into private.listings (task_id, source_id, team_id, accepts_empty) values (task, source, team, true)
    on conflict (task_id, source_id) do update set accepts_empty = true;
  end if;
  return task;
end
$$;
revoke all on function public.sync_source(uuid, boolean) from public, anon;
grant execute on function public.sync_source(uuid, boolean) to authenticated, service_role;

-- Queues due syncs. If the last full listing is older than a day, the sync is a full one, which also finds deletions at the source. Returns
-- the number queued. For the service. Each runs in a subtransaction: a source whose sync cannot be queued is postponed for an hour and does
-- not block the others.
create function private.queue_due_syncs() returns int
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
revoke all on function private.queue_due_syncs() from public;
grant execute on function private.queue_due_syncs() to service_role;

-- The progress of a task's listing, so that another slice, or another worker, resumes it.
create table private.listings (
  task_id uuid not null references public.tasks (id) on delete cascade,
  source_id uuid not null references public.sources (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  -- The cursor that the listing started with; null lists everything.
  since text,
  -- Where it resumes; null at the start.
  position text,
  is_uncertain boolean not null default false,
  listed int not null default 0,
  pages int not null default 0,
  -- Consecutive pages without a new item.
  barren int not null default 0,
  finished_at timestamptz,
  -- The settings of the source that the listing started with: under others, it starts again.
  config jsonb,
  -- The credentials that it started with (private.source_login): with others, it starts again.
  login text,
  started_at timestamptz not null default clock_timestamp(),
  -- Somebody requested a full sync since.
  is_outdated boolean not null default false,
  -- Somebody confirmed that the service may show nothing at all.
  accepts_empty boolean not null default false,
  primary key (task_id, source_id)
);
create index listings_source_idx on private.listings (source_id);
create index listings_team_idx on private.listings (team_id);
revoke all on private.listings from public, anon, authenticated;
grant select, insert, update, delete on private.listings to service_role;
alter table private.listings enable row level security;

-- Items that a full listing has seen. Documents that are not among them at its end were deleted at the source.
create table private.listed_items (
  task_id uuid not null,
  source_id uuid not null,
  external_id text not null,
  primary key (task_id, source_id, external_id),
  foreign key (task_id, source_id) references private.listings (task_id, source_id) on delete cascade
);
revoke all on private.listed_items from public, anon, authenticated;
grant select, insert, update, delete on private.listed_items to service_role;
alter table private.listed_items enable row level security;
