-- Takes a database with data from the schema before to that of sql/: keep settings of listings.

-- A listing in progress has no settings noted: it goes on, as before.
alter table private.listings
  add column config jsonb,
  add column started_at timestamptz not null default clock_timestamp(),
  add column is_outdated boolean not null default false;

create or replace function public.sync_source(source uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not sync this source' using errcode = '42501';
  end if;
  -- A listing that runs may have passed what has changed since: its end must not make the next one incremental. Locked before the source,
  -- as the end of a listing does.
  update private.listings set is_outdated = true where source_id = source and finished_at is null;
  update public.sources
     set sync_cursor = null, status = case when status in ('indexing', 'stopping') then status else 'queued' end
   where id = source;
  return private.enqueue_task(team, 'sync', 'sync:source:' || source, source, null, null);
end
$$;
