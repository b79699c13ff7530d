-- Agents: what a team builds. An agent answers from the knowledge bases linked to it.

-- True for a short address of an agent, as in /c/ADDRESS: shorter than an id, and none of the installation's reserved words.
create function private.is_agent_address(value text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select char_length(value) between 3 and 32 and value ~ '^[a-z0-9](-?[a-z0-9])+$'
     and value <> all (array[
       'account', 'admin', 'administrator', 'agent', 'agents', 'api', 'app', 'assets', 'auth', 'billing', 'chat', 'chats', 'confirm', 'contact',
       'create', 'dashboard', 'demo', 'docs', 'edit', 'guides', 'health', 'help', 'home', 'index', 'login', 'logout', 'mail', 'new', 'null',
       'official', 'onboarding', 'parley', 'password', 'privacy', 'register', 'root', 'sdk', 'security', 'settings', 'sign-in', 'sign-up',
       'signup', 'static', 'status', 'support', 'system', 'team', 'teams', 'terms', 'undefined', 'verify', 'widget', 'www'])
$$;
revoke all on function private.is_agent_address(text) from public;
grant execute on function private.is_agent_address(text) to authenticated, service_role;

-- True for an avatar in base64: at most 128 KiB, starting like a PNG, a JPEG or a WebP. Excludes formats that a browser executes.
create function private.is_avatar(value text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case
    when value = '' then true
    when octet_length(value) not between 24 and 174764 or octet_length(value) % 4 <> 0 or value !~ '^[A-Za-z0-9+/]+={0,2}$' then false
    else (select substring(bytes from 1 for 8) = '\x89504e470d0a1a0a' or substring(bytes from 1 for 3) = '\xffd8ff'
              or substring(bytes from 1 for 4) = '\x52494646' and substring(bytes from 9 for 4) = '\x57454250'
            from decode(left(value, 16), 'base64') as bytes)
  end
$$;
revoke all on function private.is_avatar(text) from public;
grant execute on function private.is_avatar(text) to authenticated, service_role;

create table public.agents (
  id uuid not null default private.next_id(),
  team_id uuid not null references public.teams (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  instructions text not null default '' check (char_length(instructions) <= 20000),
  greeting text not null default '' check (char_length(greeting) <= 2000),
  suggested_prompts text[] not null default '{}'
    check (cardinality(suggested_prompts) <= 12 and char_length(array_to_string(suggested_prompts, '', '')) <= 3600),
  -- Empty for the installation's default model.
  model text not null default '' check (char_length(model) <= 200),
  temperature real not null default 0.2 check (temperature between 0 and 2),
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  retrieval_top_k int not null default 6 check (retrieval_top_k between 1 and 50),
  retrieval_min_score real not null default 0 check (retrieval_min_score between 0 and 1),
  retrieval_mode text not null default 'hybrid' check (retrieval_mode in ('hybrid', 'vector', 'text')),
  -- Sites that may embed the agent's chat. Copied into the frame-ancestors policy; empty allows every site.
  allowed_origins text[] not null default '{}' check (
    cardinality(allowed_origins) <= 50 and char_length(array_to_string(allowed_origins, '', '')) <= 15000
    and array_to_string(allowed_origins, ' ', '?')
        ~ '^$|^https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?( https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?)*$'),
  created_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether claims that the cited passages do not support are marked or omitted.
  unsupported_claims text not null default 'mark' check (unsupported_claims in ('mark', 'omit', 'ignore')),
  -- How visitors see the agent (sql/21_appearances.sql). Empty: the agent's name, our colour, no label, no address, no avatar.
  display_name text not null default '' check (char_length(display_name) <= 60),
  color text not null default '' check (color ~ '^(#[0-9a-f]{6})?$'),
  launcher_icon text not null default 'chat' check (launcher_icon in ('chat', 'question', 'sparkles', 'book', 'headset')),
  launcher_label text not null default '' check (char_length(launcher_label) <= 30),
  widget_position text not null default 'right' check (widget_position in ('right', 'left')),
  address text not null default '' check (address = '' or private.is_agent_address(address)),
  -- The avatar in base64. In the row, so that it is created and deleted with it.
  avatar text not null default '' check (private.is_avatar(avatar)),
  avatar_hash text not null generated always as (case when avatar = '' then '' else md5(avatar) end) stored,
  primary key (id),
  unique (team_id, id)
);
create index agents_team_name_idx on public.agents (team_id, name collate private.natural_order, id);
create index agents_team_updated_idx on public.agents (team_id, updated_at, id);
create index agents_public_idx on public.agents (name collate private.natural_order, id) where visibility = 'public';
create index agents_created_by_idx on public.agents (created_by);
create unique index agents_address_key on public.agents (address) where address <> '';
create trigger touch_agents before update on public.agents
  for each row execute function private.touch_updated_at();
create trigger make_root after insert on public.agents
  for each row when (not private.is_restoring()) execute function private.make_root();
create trigger restore_root after insert on public.agents
  for each row when (private.is_restoring()) execute function private.restore_root();
create trigger leave_root after delete on public.agents for each row execute function private.leave_root();

revoke all on public.agents from public, anon, authenticated;
grant select, delete on public.agents to authenticated;
grant insert (team_id, name, description, instructions, greeting, suggested_prompts, model, temperature, visibility,
              retrieval_top_k, retrieval_min_score, retrieval_mode, allowed_origins, unsupported_claims,
              display_name, color, launcher_icon, launcher_label, widget_position, address, avatar) on public.agents to authenticated;
grant update (name, description, instructions, greeting, suggested_prompts, model, temperature, visibility,
              retrieval_top_k, retrieval_min_score, retrieval_mode, allowed_origins, unsupported_claims,
              display_name, color, launcher_icon, launcher_label, widget_position, address, avatar) on public.agents to authenticated;
-- Anyone may read a public agent's profile. Instructions, model and retrieval settings stay in the team.
grant select (id, team_id, name, description, greeting, suggested_prompts, visibility, allowed_origins, created_at, updated_at,
              display_name, color, launcher_icon, launcher_label, widget_position, address, avatar, avatar_hash)
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
