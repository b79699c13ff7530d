-- Agents: what a team builds. An agent answers from the knowledges linked to it.

create table public.agents (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  instructions text not null default '' check (char_length(instructions) <= 20000),
  greeting text not null default '' check (char_length(greeting) <= 2000),
  suggested_prompts text[] not null default '{}'
    check (cardinality(suggested_prompts) <= 12 and char_length(array_to_string(suggested_prompts, '', '')) <= 3600),
  -- Empty: the installation's default model.
  model text not null default '' check (char_length(model) <= 200),
  temperature real not null default 0.2 check (temperature between 0 and 2),
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  retrieval_top_k int not null default 6 check (retrieval_top_k between 1 and 50),
  retrieval_min_score real not null default 0 check (retrieval_min_score between 0 and 1),
  retrieval_mode text not null default 'hybrid' check (retrieval_mode in ('hybrid', 'vector', 'text')),
  -- Sites that may embed the agent's chat, as in a frame-ancestors policy, which they become part of; none: every site may.
  allowed_origins text[] not null default '{}' check (
    cardinality(allowed_origins) <= 50 and char_length(array_to_string(allowed_origins, '', '')) <= 15000
    and array_to_string(allowed_origins, ' ', '?')
        ~ '^$|^https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?( https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?)*$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id)
);
create index agents_team_name_idx on public.agents (team_id, name collate private.natural_order, id);
create index agents_team_updated_idx on public.agents (team_id, updated_at, id);
create index agents_public_idx on public.agents (name collate private.natural_order, id) where visibility = 'public';
create index agents_created_by_idx on public.agents (created_by);
create trigger touch_agents before update on public.agents
  for each row execute function private.touch_updated_at();

revoke all on public.agents from public, anon, authenticated;
grant select, delete on public.agents to authenticated;
grant insert (team_id, name, description, instructions, greeting, suggested_prompts, model, temperature, visibility,
              retrieval_top_k, retrieval_min_score, retrieval_mode, allowed_origins) on public.agents to authenticated;
grant update (name, description, instructions, greeting, suggested_prompts, model, temperature, visibility,
              retrieval_top_k, retrieval_min_score, retrieval_mode, allowed_origins) on public.agents to authenticated;
-- Everyone may know a public agent; nobody outside the team its instructions, model or retrieval settings.
grant select (id, team_id, name, description, greeting, suggested_prompts, visibility, allowed_origins, created_at, updated_at)
  on public.agents to anon;
grant select, insert, update, delete on public.agents to service_role;
alter table public.agents enable row level security;

create policy "members read their team's agents" on public.agents for select to authenticated
  using (team_id = any ((select private.teams_with('agents.read'))::uuid[]));
create policy "visitors read public agents" on public.agents for select to anon
  using (visibility = 'public');
create policy "an agent reads itself while it answers" on public.agents for select to authenticated
  using (id = (select private.claim_id('agent_id')));
create policy "editors add agents to their team" on public.agents for insert to authenticated
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[]));
create policy "editors change their team's agents" on public.agents for update to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('agents.write'))::uuid[]));
create policy "editors delete their team's agents" on public.agents for delete to authenticated
  using (team_id = any ((select private.teams_with('agents.write'))::uuid[]));
