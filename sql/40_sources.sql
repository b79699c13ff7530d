-- Sources: where documents come from. Credentials are encrypted before they reach Postgres and are stored in private.

create table public.sources (
  id uuid not null default private.next_id(),
  team_id uuid not null references public.teams (id) on delete cascade,
  type text not null check (type = any (private.source_types())),
  name text not null check (char_length(name) between 1 and 200),
  -- For type file: { "fileIds": [uuid, ...] }. Never a secret.
  config jsonb not null default '{}' check (jsonb_typeof(config) = 'object' and pg_column_size(config) <= 262144),
  status text not null default 'none'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  documents_count int not null default 0,
  synced_at timestamptz,
  error text,
  -- How often it is synced automatically, and when next.
  schedule text not null default 'manual' check (schedule in ('manual', 'hourly', 'daily', 'weekly')),
  next_sync_at timestamptz,
  -- The connector's cursor for listing only what changed since; null lists everything.
  sync_cursor text,
  -- The last full listing, which also detects deletions at the source.
  listed_at timestamptz,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id)
);
create index sources_team_type_idx on public.sources (team_id, type, id);
create index sources_team_name_idx on public.sources (team_id, name collate private.natural_order, id);
create index sources_team_status_idx on public.sources (team_id, status, id);
create index sources_team_synced_idx on public.sources (team_id, coalesce(synced_at, '-infinity'), id);
create index sources_created_by_idx on public.sources (created_by);
create index sources_due_idx on public.sources (next_sync_at) where next_sync_at is not null;
create trigger touch_sources before update on public.sources
  for each row execute function private.touch_updated_at();
create trigger make_root after insert on public.sources
  for each row when (not private.is_restoring()) execute function private.make_root();
create trigger restore_root after insert on public.sources
  for each row when (private.is_restoring()) execute function private.restore_root();
create trigger leave_root after delete on public.sources for each row execute function private.leave_root();

revoke all on public.sources from public, anon, authenticated;
grant select, delete on public.sources to authenticated;
grant insert (team_id, type, name, config, schedule) on public.sources to authenticated;
grant update (name, config, schedule) on public.sources to authenticated;
grant select, insert, update, delete on public.sources to service_role;
alter table public.sources enable row level security;
create policy "members read their team's sources" on public.sources for select to authenticated
  using (team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "editors add sources to their team" on public.sources for insert to authenticated
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors change their team's sources" on public.sources for update to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors delete their team's sources" on public.sources for delete to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]));

-- Encrypted with SECRETS_KEY by the edge functions; only the service reads or writes it.
create table private.source_credentials (
  source_id uuid primary key references public.sources (id) on delete cascade,
  team_id uuid not null references public.teams (id) on delete cascade,
  ciphertext bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index source_credentials_team_idx on private.source_credentials (team_id);
create trigger touch_source_credentials before update on private.source_credentials
  for each row execute function private.touch_updated_at();
revoke all on private.source_credentials from public, anon, authenticated;
grant select, insert, update, delete on private.source_credentials to service_role;
alter table private.source_credentials enable row level security;

-- Identifies a source's stored credentials without revealing anything of them; null without any. For the service.
-- Volatile: an update that waited for a change of the credentials sees the new ones.
create function private.source_login(source uuid) returns text
language sql volatile set search_path = '' as $$
  select encode(sha256(c.ciphertext), 'hex') from private.source_credentials c where c.source_id = source
$$;
revoke all on function private.source_login(uuid) from public;
grant execute on function private.source_login(uuid) to service_role;

-- True when a source has credentials, without revealing them. Security definer: the table is service only; answers only for sources that
-- the caller may read.
-- Who may: those who read the source. Checks: sources.read in the team of the credentials.
create function private.has_credentials(source uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from private.source_credentials c
     where c.source_id = source and c.team_id = any ((select private.teams_with('sources.read'))::uuid[]))
$$;
revoke all on function private.has_credentials(uuid) from public;
grant execute on function private.has_credentials(uuid) to authenticated, service_role;

-- Changed settings make a different source: its next listing is a full one. A changed address deletes the credentials, from PostgREST and
-- /v1 alike, so that they are never sent to a host they were not entered for. Security definer: the credentials are service only.
-- Who may: callers the policies let write, by a trigger. Checks: the credentials are of the source that is written.
create function private.reset_source() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.config is distinct from old.config then
    new.sync_cursor := null;
  end if;
  if exists (select 1 from unnest(private.source_addresses(new.type)) as address (name)
              where new.config -> address.name is distinct from old.config -> address.name)
  then
    delete from private.source_credentials c where c.source_id = new.id;
  end if;
  return new;
end
$$;
revoke all on function private.reset_source() from public;
create trigger reset_source before update of config on public.sources
  for each row execute function private.reset_source();

-- A source of type agentChat names an agent of its own team. It exposes everyone's chats, so only those who may read them set it up.
-- Security definer: reads agents that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: the agent is of the source's team, and chats.read there.
create function private.check_source_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.type <> 'agentChat' then
    return new;
  end if;
  -- First: others are not told which agents the team has.
  if private.is_client() and new.team_id <> all (private.teams_with('chats.read')) then
    raise exception 'may not read this team''s chats' using errcode = '42501';
  end if;
  if not exists (select 1 from public.agents a where a.id::text = new.config ->> 'agentId' and a.team_id = new.team_id) then
    raise exception 'the agent is not one of this team' using errcode = '23503';
  end if;
  return new;
end
$$;
revoke all on function private.check_source_agent() from public;
create trigger check_source_agent before insert or update of config on public.sources
  for each row when (not private.is_restoring()) execute function private.check_source_agent();

-- A source of type file lists files of its own team only, whoever writes. Security definer: reads files that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: every file is of the source's team; any other counts as missing.
create function private.check_source_files() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  listed uuid[];
begin
  if new.type = 'file' then
    -- What is no id of a file becomes null. An array, since a source may list thousands, which would be compared with every file.
    listed := array(
      select distinct case when l.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.id::uuid end
        from jsonb_array_elements_text(coalesce(new.config -> 'fileIds', '[]')) as l (id));
    if (select count(*) from public.files f where f.team_id = new.team_id and f.id = any (listed)) < cardinality(listed) then
      raise exception 'a listed file is not a file of this team' using errcode = '23503';
    end if;
  end if;
  return new;
end
$$;
revoke all on function private.check_source_files() from public;
-- Others than those who write there are left to the policies, and not told which files the team has.
create trigger check_source_files before insert or update of config on public.sources
  for each row
  when (not private.is_restoring() and (not private.is_client() or new.team_id = any (private.teams_with('sources.write'))))
  execute function private.check_source_files();
