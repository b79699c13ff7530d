-- Models: which ones answer for a team's agents and embed its knowledge bases, their cost and its cap. Connections and budgets are service
-- only: edge-functions/v1/models decides who changes them.

-- One connection per role. A team's takes precedence over the installation's, and that over the environment's.
create table private.models (
  id uuid primary key default private.uuid_v7(),
  -- Null for the installation's.
  team_id uuid references public.teams (id) on delete cascade,
  -- earlierEmbedding: embeds questions for knowledge bases that are still in its space.
  role text not null check (role in ('chat', 'fallback', 'embedding', 'earlierEmbedding', 'vision')),
  provider text not null check (provider ~ '^[a-zA-Z]{1,30}$'),
  base_url text not null check (char_length(base_url) between 1 and 500),
  model text not null check (char_length(model) between 1 and 200),
  -- Sealed (_shared/secrets/sealing.ts); null for a server without a key.
  api_key bytea check (octet_length(api_key) <= 4096),
  -- The limit keeps a row of chunk_embeddings in line, on one page.
  dimensions int check (dimensions between 1 and 3584),
  -- In US dollars per million tokens; null: unknown, and not counted as cost.
  prompt_price numeric check (prompt_price between 0 and 100000),
  completion_price numeric check (completion_price between 0 and 100000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((role in ('embedding', 'earlierEmbedding')) = (dimensions is not null))
);
create unique index models_role_key on private.models (team_id, role) nulls not distinct where role <> 'earlierEmbedding';
create index models_team_idx on private.models (team_id);
create index models_earlier_idx on private.models (updated_at) where role = 'earlierEmbedding';
create trigger touch_models before update on private.models
  for each row execute function private.touch_updated_at();
revoke all on private.models from public, anon, authenticated;
grant select, insert, update, delete on private.models to service_role;
alter table private.models enable row level security;

-- A team's cost caps per calendar month (UTC), in US dollars.
create table private.model_budgets (
  team_id uuid primary key references public.teams (id) on delete cascade,
  -- Of all models, set by the team's owners.
  team_cap numeric check (team_cap between 0 and 10000000),
  -- Of the models that the installation pays: not of the team's own connections. Set by the operator for a new team, and by platform admins.
  installation_cap numeric check (installation_cap between 0 and 10000000),
  warn_percent int not null default 80 check (warn_percent between 1 and 100),
  -- The month of the amount spent; a row of an earlier month counts as nothing spent.
  month date not null,
  spent numeric not null default 0,
  -- The last month in which the team's owners were warned.
  warned_month date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The part of the amount spent that the installation pays.
  installation_spent numeric not null default 0
);
create trigger touch_model_budgets before update on private.model_budgets
  for each row execute function private.touch_updated_at();
revoke all on private.model_budgets from public, anon, authenticated;
grant select, insert, update, delete on private.model_budgets to service_role;
alter table private.model_budgets enable row level security;

-- Caps a new team as the operator has set it (13_limits.sql). Security definer: no client writes budgets.
-- Who may: whoever creates a team, by a trigger. Checks: the new team alone, whose owners may not change this cap.
create function private.cap_new_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.model_budgets (team_id, installation_cap, month)
  select new.id, l.new_team_cap, date_trunc('month', clock_timestamp() at time zone 'UTC')::date
    from private.operator_limits l where l.new_team_cap is not null;
  return null;
end
$$;
revoke all on function private.cap_new_team() from public;
create trigger cap_new_team after insert on public.teams
  for each row execute function private.cap_new_team();

-- The maximum cost of calls in progress. A process that died leaves one behind, which expires.
create table private.model_reservations (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null references public.teams (id) on delete cascade,
  cost numeric not null check (cost >= 0),
  expires_at timestamptz not null,
  -- Whether the installation pays.
  is_installations boolean not null default true,
  primary key (team_id, id)
);
create index model_reservations_team_idx on private.model_reservations (team_id, expires_at);
create index model_reservations_expires_idx on private.model_reservations (expires_at);
revoke all on private.model_reservations from public, anon, authenticated;
grant select, insert, update, delete on private.model_reservations to service_role;
alter table private.model_reservations enable row level security;

-- A team's model usage, a row per quarter of an hour, agent, channel and model: time zones differ by quarters, so that a reader's days are
-- sums of these. Written by the platform alone.
create table public.model_usage (
  team_id uuid not null references public.teams (id) on delete cascade,
  -- In UTC, as is the quarter. Earlier releases counted by day; their rows are at noon, which is the same day in nearly all zones.
  day date not null,
  -- No reference: usage stays when its agent is deleted. All zeros for usage without an agent, such as indexing.
  agent_id uuid not null,
  -- A chat's channel, or 'mcp', 'search' or 'indexing'.
  channel text not null,
  kind text not null check (kind in ('chat', 'embedding')),
  model text not null,
  calls int not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  -- Part of both counts: tokens that the provider did not report.
  estimated_tokens bigint not null,
  -- Part of both counts: tokens of a model without a price.
  unpriced_tokens bigint not null,
  -- In US dollars.
  cost numeric not null,
  created_at timestamptz not null default now(),
  quarter smallint not null default 48 check (quarter between 0 and 95),
  primary key (team_id, day, quarter, agent_id, channel, kind, model)
);
create index model_usage_day_idx on public.model_usage (day);
revoke all on public.model_usage from public, anon, authenticated;
grant select on public.model_usage to authenticated;
grant select, insert, update, delete on public.model_usage to service_role;
alter table public.model_usage enable row level security;
create policy "editors read what their team's models took" on public.model_usage for select to authenticated
  using (team_id = any ((select private.teams_with('insights.read'))::uuid[]));

-- A team's effective connections, its own and the installation's, and whose costs are capped, in the shape that
-- edge-functions/_shared/models/model-connections.ts reads. The keys are sealed. For the service.
create function private.models_of(team uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'connections', coalesce((
        select jsonb_agg(jsonb_build_object(
                 'id', m.id, 'isTeams', m.team_id is not null, 'role', m.role, 'provider', m.provider, 'baseUrl', m.base_url,
                 'model', m.model, 'sealedKey', encode(m.api_key, 'base64'), 'dimensions', m.dimensions,
                 'promptPrice', m.prompt_price, 'completionPrice', m.completion_price) order by m.id desc)
          from private.models m where m.team_id = team or m.team_id is null), '[]'),
      'isCapped', exists (select from private.model_budgets b where b.team_id = team and b.team_cap is not null),
      'isInstallationCapped', exists (select from private.model_budgets b
                                       where b.team_id = team and b.installation_cap is not null)));
end
$$;
revoke all on function private.models_of(uuid) from public;
grant execute on function private.models_of(uuid) to service_role;

-- Reserves the maximum cost of a call for some seconds, or refuses when the total spent and reserved could exceed a cap: the team's, or where
-- the installation pays, the installation's of what it pays. Locks the budget's row, so that of two concurrent calls the second sees the
-- first. Neither a reservation nor a refusal: no cap applies. For the service.
create function private.reserve_model_cost(team uuid, most numeric, seconds int, is_installations boolean default true)
returns table (reservation uuid, is_refused boolean)
language plpgsql volatile set search_path = '' as $$
declare
  this_month date;
  budget private.model_budgets;
  taken numeric;
  taken_of_installation numeric;
begin
  is_refused := false;
  -- In the order in which a deletion of the team locks.
  perform 1 from public.teams t where t.id = team for key share;
  select b.* into budget from private.model_budgets b where b.team_id = team for no key update;
  -- Not before the lock: the month may have changed while this waited.
  this_month := date_trunc('month', clock_timestamp() at time zone 'UTC')::date;
  if budget.team_cap is null and (budget.installation_cap is null or not is_installations) then
    return next;
    return;
  end if;
  delete from private.model_reservations r where r.team_id = team and r.expires_at <= clock_timestamp();
  select coalesce(sum(r.cost), 0), coalesce(sum(r.cost) filter (where r.is_installations), 0) into taken, taken_of_installation
    from private.model_reservations r where r.team_id = team;
  if budget.month = this_month then
    taken := taken + budget.spent;
    taken_of_installation := taken_of_installation + budget.installation_spent;
  end if;
  if taken + most > budget.team_cap or taken >= budget.team_cap
     or is_installations and (taken_of_installation + most > budget.installation_cap
                              or taken_of_installation >= budget.installation_cap)
  then
    is_refused := true;
  else
    insert into private.model_reservations as r (team_id, cost, expires_at, is_installations)
    values (team, most, clock_timestamp() + make_interval(secs => seconds), reserve_model_cost.is_installations)
    returning r.id into reservation;
  end if;
  return next;
end
$$;
revoke all on function private.reserve_model_cost(uuid, numeric, int, boolean) from public;
grant execute on function private.reserve_model_cost(uuid, numeric, int, boolean) to service_role;

-- Records a call's cost and releases its reservation. True when the team's owners are to be warned: once a month, when spending first
-- reaches the given share of a cap. For the service.
create function private.settle_model_cost(
  held uuid, team uuid, agent uuid, in_channel text, of_kind text, of_model text,
  prompt bigint, completion bigint, estimated bigint, unpriced bigint, price numeric, is_installations boolean default true)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  at timestamp;
  today date;
  this_month date;
  installations_price constant numeric := case when is_installations then price else 0 end;
  budget private.model_budgets;
begin
  -- The team may be gone by now, or is being deleted: then this waits for that, and not the deletion for this.
  perform 1 from public.teams t where t.id = team for key share;
  if not found then
    return false;
  end if;
  perform 1 from private.model_budgets b where b.team_id = team for no key update;
  -- Not before the lock: another call may have begun the next month while this waited, and its costs would be forgotten.
  at := clock_timestamp() at time zone 'UTC';
  today := at::date;
  this_month := date_trunc('month', today)::date;
  insert into private.model_budgets as b (team_id, month, spent, installation_spent)
  values (team, this_month, price, installations_price)
  on conflict (team_id) do update
    set spent = case when b.month = excluded.month then b.spent + excluded.spent else excluded.spent end,
        installation_spent = case when b.month = excluded.month then b.installation_spent else 0 end + excluded.installation_spent,
        month = excluded.month
  returning b.* into budget;
  delete from private.model_reservations r where r.id = held and r.team_id = team;
  insert into public.model_usage as u
    (team_id, day, quarter, agent_id, channel, kind, model, calls, prompt_tokens, completion_tokens, estimated_tokens, unpriced_tokens,
     cost)
  values (team, today, floor(extract(epoch from at - today) / 900), coalesce(agent, '00000000-0000-0000-0000-000000000000'), in_channel, of_kind, of_model, 1, prompt, completion, estimated, unpriced, price)
  on conflict (team_id, day, quarter, agent_id, channel, kind, model) do update
    set calls = u.calls + 1, prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = u.completion_tokens + excluded.completion_tokens,
        estimated_tokens = u.estimated_tokens + excluded.estimated_tokens,
        unpriced_tokens = u.unpriced_tokens + excluded.unpriced_tokens, cost = u.cost + excluded.cost;
  if budget.warned_month is distinct from this_month
     and (budget.spent * 100 >= budget.team_cap * budget.warn_percent
       or budget.installation_spent * 100 >= budget.installation_cap * budget.warn_percent)
  then
    update private.model_budgets b set warned_month = this_month where b.team_id = team;
    return true;
  end if;
  return false;
end
$$;
revoke all on function private.settle_model_cost(uuid, uuid, uuid, text, text, text, bigint, bigint, bigint, bigint, numeric, boolean) from public;
grant execute on function private.settle_model_cost(uuid, uuid, uuid, text, text, text, bigint, bigint, bigint, bigint, numeric, boolean)
  to service_role;

-- The name of a connection's embedding space. Teams share the installation's, named by its model; a team's own connection has a space of
-- its own under an opaque name.
create function private.space_model(connection uuid, team uuid, model text) returns text
language sql immutable set search_path = '' as $$
  select case when team is null then model else 'connection:' || connection end
$$;
revoke all on function private.space_model(uuid, uuid, text) from public;
grant execute on function private.space_model(uuid, uuid, text) to service_role;

-- Queues the knowledge bases outside the space of their team's embedding model: a team's, or with null those of all teams without an
-- embedding model of their own. Returns their number. For the service.
create function private.queue_moves(team uuid, space text, numbers int) returns int
language sql volatile set search_path = '' as $$
  select count(private.enqueue_task(k.team_id, 'index', 'index:knowledge:' || k.id, null, k.id, null))::int
    from public.knowledges k join public.vectors v on v.id = k.vector_id
   where (v.model <> space or v.dimensions <> numbers)
     and (k.team_id = team or team is null and not exists (
       select from private.models m where m.team_id = k.team_id and m.role = 'embedding'))
$$;
revoke all on function private.queue_moves(uuid, text, int) from public;
grant execute on function private.queue_moves(uuid, text, int) to service_role;

-- Queues the files that wait for a vision model: a team's, or with null those of all teams without a connection of their own. Returns the
-- number of sources. For the service.
create function private.queue_pictures(team uuid) returns int
language plpgsql volatile set search_path = '' as $$
declare
  queued int;
begin
  update public.documents d set content_hash = null
   where d.note is not null
     and (d.team_id = team or team is null and not exists (
       select from private.models m where m.team_id = d.team_id and m.role = 'vision'));
  select count(private.enqueue_task(s.team_id, 'index', 'index:source:' || s.id, s.id, null, null))::int into queued
    from public.sources s
   where (s.team_id = team or team is null and not exists (
           select from private.models m where m.team_id = s.team_id and m.role = 'vision'))
     and exists (select from public.documents d
                  where d.source_id = s.id and (d.note is not null or d.error is not null and d.content is null));
  return queued;
end
$$;
revoke all on function private.queue_pictures(uuid) from public;
grant execute on function private.queue_pictures(uuid) to service_role;

-- Deletes what no longer counts: embedding models that no knowledge base uses or that were replaced a month ago; spaces of deleted
-- connections; expired reservations; usage older than 800 days. Nothing while the clock is not trusted (86_clock.sql). For the service.
create function private.sweep_models(most int) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if not private.is_clock_trusted() then
    return;
  end if;
  delete from private.models m
   where m.role = 'earlierEmbedding'
     and (m.updated_at < now() - interval '30 days'
       or m.updated_at < now() - interval '10 minutes' and not exists (
            select from public.knowledges k join public.vectors v on v.id = k.vector_id
             where v.model = private.space_model(m.id, m.team_id, m.model) and v.dimensions = m.dimensions
               and (m.team_id is null or k.team_id = m.team_id))
         and not exists (
            select from public.vectors v
             where v.model = private.space_model(m.id, m.team_id, m.model) and v.dimensions = m.dimensions
               and private.is_restorable_space(v.id)));
  delete from public.vectors v
   where v.model like 'connection:%' and v.created_at < now() - interval '1 day'
     and not exists (select from private.models m where 'connection:' || m.id = v.model)
     and not exists (select from public.knowledges k where k.vector_id = v.id)
     and not exists (select from public.chunk_embeddings e where e.vector_id = v.id)
     and not private.is_restorable_space(v.id);
  delete from private.model_reservations r where r.ctid = any (array(
    select e.ctid from private.model_reservations e where e.expires_at < now() limit most for update skip locked));
  delete from public.model_usage u where u.ctid = any (array(
    select o.ctid from public.model_usage o
     where o.day < (now() - interval '800 days')::date order by o.day limit most for update skip locked));
end
$$;
revoke all on function private.sweep_models(int) from public;
grant execute on function private.sweep_models(int) to service_role;

-- The caller's teams that have a language model, their own or the installation's; the others use the environment's. Security definer:
-- connections are service only.
-- Who may: everyone, of their own teams. Checks: team.read.
create function private.teams_with_chat_model() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select t.id from unnest(private.teams_with('team.read')) t (id)
     where exists (select from private.models m where m.role = 'chat' and (m.team_id = t.id or m.team_id is null)));
end
$$;
revoke all on function private.teams_with_chat_model() from public;
grant execute on function private.teams_with_chat_model() to authenticated, service_role;

-- The embedding model that a knowledge base is indexed with next, the team's own before the installation's, as its space is named. No row:
-- the environment's. Security definer: connections are service only.
-- Who may: everyone, of the knowledge bases that they see. Checks: knowledges.read in its team.
create function private.next_embedding(knowledge uuid) returns table (model text, dimensions int)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select private.space_model(m.id, m.team_id, m.model), m.dimensions
      from public.knowledges k
      join private.models m on m.role = 'embedding' and (m.team_id = k.team_id or m.team_id is null)
     where k.id = knowledge and k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
     order by m.team_id nulls last
     limit 1;
end
$$;
revoke all on function private.next_embedding(uuid) from public;
grant execute on function private.next_embedding(uuid) to authenticated, service_role;
