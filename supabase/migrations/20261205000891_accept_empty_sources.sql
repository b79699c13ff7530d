-- Takes a database with data from the schema before to that of sql/: accept empty sources.

alter table private.listings add column accepts_empty boolean not null default false;

-- It has one more argument.
drop function public.sync_source(uuid);
create function public.sync_source(source uuid, accept_empty boolean default false) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
  task uuid;
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
