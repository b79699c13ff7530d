-- Knowledge bases: what an agent answers from. A knowledge base has sources, chunking settings and one embedding space.

-- Embedding spaces, called vectors in the API. One row per model and number of dimensions.
create table public.vectors (
  id uuid primary key default private.uuid_v7(),
  name text not null check (char_length(name) between 1 and 200),
  model text not null check (char_length(model) between 1 and 200),
  dimensions int not null check (dimensions between 1 and 4000),
  status text not null default 'active' check (status in ('active', 'building', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (model, dimensions)
);
create trigger touch_vectors before update on public.vectors
  for each row execute function private.touch_updated_at();
revoke all on public.vectors from public, anon, authenticated;
grant select on public.vectors to authenticated;
grant insert (name, model, dimensions, status), update (name, model, dimensions, status), delete
  on public.vectors to authenticated;
grant select, insert, update, delete on public.vectors to service_role;
alter table public.vectors enable row level security;
create policy "platform admins add embedding spaces" on public.vectors for insert to authenticated
  with check ((select private.is_admin()));
create policy "platform admins change embedding spaces" on public.vectors for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "platform admins remove embedding spaces" on public.vectors for delete to authenticated
  using ((select private.is_admin()));

create table public.knowledges (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  language text not null default 'en' check (private.is_document_language(language)),
  chunk_max_tokens int not null default 320 check (chunk_max_tokens between 32 and 2000),
  chunk_overlap_tokens int not null default 40 check (chunk_overlap_tokens >= 0),
  -- The space that its live chunks are embedded in; null until first indexed.
  vector_id uuid references public.vectors (id),
  status text not null default 'none'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  documents_count int not null default 0,
  chunks_count int not null default 0,
  indexed_at timestamptz,
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Warns the team when a source has not been synced for this many days; null never warns.
  warn_after_days int check (warn_after_days between 1 and 3650),
  primary key (id),
  unique (team_id, id),
  check (chunk_overlap_tokens < chunk_max_tokens)
);
create index knowledges_team_name_idx on public.knowledges (team_id, name collate private.natural_order, id);
create index knowledges_team_status_idx on public.knowledges (team_id, status, id);
create index knowledges_team_indexed_idx on public.knowledges (team_id, coalesce(indexed_at, '-infinity'), id);
create index knowledges_vector_idx on public.knowledges (vector_id);
create index knowledges_created_by_idx on public.knowledges (created_by);
create trigger touch_knowledges before update on public.knowledges
  for each row execute function private.touch_updated_at();
create trigger make_root after insert on public.knowledges
  for each row when (not private.is_restoring()) execute function private.make_root();
create trigger restore_root after insert on public.knowledges
  for each row when (private.is_restoring()) execute function private.restore_root();
create trigger leave_root after delete on public.knowledges for each row execute function private.leave_root();

create table public.knowledge_sources (
  team_id uuid not null,
  knowledge_id uuid not null,
  source_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (knowledge_id, source_id),
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade,
  foreign key (team_id, source_id) references public.sources (team_id, id) on delete cascade
);
create index knowledge_sources_team_idx on public.knowledge_sources (team_id, knowledge_id);
create index knowledge_sources_source_idx on public.knowledge_sources (source_id);
create index knowledge_sources_team_source_idx on public.knowledge_sources (team_id, source_id);

create table public.agent_knowledges (
  team_id uuid not null,
  agent_id uuid not null,
  knowledge_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (agent_id, knowledge_id),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade,
  foreign key (team_id, knowledge_id) references public.knowledges (team_id, id) on delete cascade
);
create index agent_knowledges_team_idx on public.agent_knowledges (team_id, agent_id);
create index agent_knowledges_knowledge_idx on public.agent_knowledges (knowledge_id);
create index agent_knowledges_team_knowledge_idx on public.agent_knowledges (team_id, knowledge_id);

-- The knowledge bases of the answering agent. Security definer: reads the links whose policies call it.
-- Who may: answering agents, for themselves. Checks: the agent that the platform's claims name.
create function private.agent_knowledge_ids() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select ak.knowledge_id from public.agent_knowledges ak where ak.agent_id = private.claim_id('agent_id'));
end
$$;
revoke all on function private.agent_knowledge_ids() from public;
grant execute on function private.agent_knowledge_ids() to anon, authenticated, service_role;

revoke all on public.knowledges, public.knowledge_sources, public.agent_knowledges from public, anon, authenticated;
grant select, insert, update, delete on public.knowledges, public.knowledge_sources, public.agent_knowledges to service_role;

grant select, delete on public.knowledges to authenticated;
grant insert (team_id, name, description, language, chunk_max_tokens, chunk_overlap_tokens, warn_after_days) on public.knowledges to authenticated;
grant update (name, description, language, chunk_max_tokens, chunk_overlap_tokens, warn_after_days) on public.knowledges to authenticated;
alter table public.knowledges enable row level security;
create policy "members read their team's knowledges" on public.knowledges for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "an answering agent reads its knowledges" on public.knowledges for select to authenticated
  using (id = any ((select private.agent_knowledge_ids())::uuid[]));
create policy "editors add knowledges to their team" on public.knowledges for insert to authenticated
  with check (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));
create policy "editors change their team's knowledges" on public.knowledges for update to authenticated
  using (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));
create policy "editors delete their team's knowledges" on public.knowledges for delete to authenticated
  using (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));

-- Who may: anyone logged in. Checks: a team's own space only with a knowledge base in it that the caller may read, or as a platform admin.
create policy "anyone logged in reads embedding spaces but other teams' own" on public.vectors for select to authenticated
  using ((select private.is_known())
     and (model not like 'connection:%' or (select private.is_admin())
       or exists (select from public.knowledges k where k.vector_id = vectors.id)));

grant select, delete on public.knowledge_sources to authenticated;
grant insert (team_id, knowledge_id, source_id) on public.knowledge_sources to authenticated;
alter table public.knowledge_sources enable row level security;
create policy "members read which sources a knowledge has" on public.knowledge_sources for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
-- A link exposes the source's content, so nobody links a source they may not read.
create policy "editors give a knowledge sources that they read" on public.knowledge_sources for insert to authenticated
  with check (team_id = any ((select private.teams_with('knowledges.write'))::uuid[])
          and team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "editors take sources from a knowledge" on public.knowledge_sources for delete to authenticated
  using (team_id = any ((select private.teams_with('knowledges.write'))::uuid[]));

grant select, delete on public.agent_knowledges to authenticated;
grant insert (team_id, agent_id, knowledge_id) on public.agent_knowledges to authenticated;
alter table public.agent_knowledges enable row level security;
create policy "members read which knowledges an agent has" on public.agent_knowledges for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));
create policy "editors give an agent knowledges that they read" on public.agent_knowledges for insert to authenticated
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[])
          and team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "editors take knowledges from an agent" on public.agent_knowledges for delete to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]));

-- The embedding space of a knowledge base, for a search; null when it has none. Raises PT404 for one that the caller cannot see in that
-- team, so that the service, in the same message, does not count the search. Runs as the caller: policies apply.
create function private.searched_space(team uuid, knowledge uuid) returns table (team_id uuid, id uuid, model text, dimensions int)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select k.team_id, v.id, v.model, v.dimensions
      from public.knowledges k left join public.vectors v on v.id = k.vector_id
     where k.team_id = team and k.id = knowledge;
  if not found then
    raise exception 'no such knowledge base' using errcode = 'PT404';
  end if;
end
$$;
revoke all on function private.searched_space(uuid, uuid) from public;
grant execute on function private.searched_space(uuid, uuid) to authenticated, service_role;
