-- Rate limits and idempotency keys. Both are in Postgres so that every instance of the API shares them.

-- A fixed window per key, e.g. "login:203.0.113.7". An unlogged table would be faster, but a crash must not reset the count of login
-- attempts.
create table private.rate_limits (
  key text not null check (char_length(key) <= 300),
  window_start timestamptz not null,
  hits int not null default 1,
  primary key (key, window_start)
);
create index rate_limits_window_idx on private.rate_limits (window_start);
revoke all on private.rate_limits from public, anon, authenticated;
grant select, insert, update, delete on private.rate_limits to service_role;
alter table private.rate_limits enable row level security;

-- Counts one hit for each key. Returns the keys above max_hits in their window, with the seconds until the window ends. Keys are distinct
-- and counted in one order, so that two calls cannot deadlock. The schedule deletes old windows (sweepCounts in
-- _shared/requests/limits.ts).
create function private.take_hits(limit_keys text[], max_hits int[], window_seconds int[])
returns table (key text, seconds int)
language plpgsql volatile set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with asked as (
      select left(h.key, 300) as key, h.max, h.width,
             to_timestamp(floor(extract(epoch from clock_timestamp()) / h.width) * h.width) as started
        from unnest(limit_keys, max_hits, window_seconds) as h (key, max, width)
    ), counted as (
      insert into private.rate_limits as r (key, window_start)
      select a.key, a.started from asked a order by a.key
      on conflict (key, window_start) do update set hits = least(r.hits + 1, 1000000)
      returning r.key, r.hits
    )
    select a.key, greatest(1, ceil(extract(epoch from a.started - clock_timestamp()) + a.width)::int)
      from asked a join counted c on c.key = a.key
     where c.hits > a.max;
end
$$;
revoke all on function private.take_hits(text[], int[], int[]) from public;
grant execute on function private.take_hits(text[], int[], int[]) to service_role;

-- The same for one key: seconds to wait, 0 while the window has room.
create function private.take_hit(limit_key text, max_hits int, window_seconds int) returns int
language sql volatile set search_path = '' as $$
  select coalesce(max(t.seconds), 0)
    from private.take_hits(array[limit_key], array[max_hits], array[window_seconds]) t
$$;
revoke all on function private.take_hit(text, int, int) from public;
grant execute on function private.take_hit(text, int, int) to service_role;

-- First responses to POSTs with an Idempotency-Key, stored for 24 h. caller and route separate the keys of different people. status is null
-- while the first request is still running.
create table private.idempotency_keys (
  caller text not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  body_hash text not null,
  status int,
  body text,
  created_at timestamptz not null default now(),
  -- The request that has the key: another one gets a new claim.
  claim uuid not null default gen_random_uuid(),
  -- True once a transaction of that request was committed: it must not be repeated, although its response may be lost.
  took_effect boolean not null default false,
  -- True when the process of that request is gone.
  is_abandoned boolean not null default false,
  primary key (caller, route, key)
);
create index idempotency_keys_created_idx on private.idempotency_keys (created_at);
create unique index idempotency_keys_claim_key on private.idempotency_keys (claim);
-- The requests that are running: a starting process looks for those of an earlier one.
create index idempotency_keys_running_idx on private.idempotency_keys (created_at) where status is null;
revoke all on private.idempotency_keys from public, anon, authenticated;
grant select, insert, update, delete on private.idempotency_keys to service_role;
alter table private.idempotency_keys enable row level security;

-- Notes in a transaction that the request of a claim takes effect with its commit. Fails when another request has got the key meanwhile: only
-- one of them may take effect. Security definer: no client writes the keys.
-- Who may: whoever knows the claim, which no client is told. Checks: the claim still has its key.
create function private.note_effect(claimed uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.idempotency_keys k set took_effect = true where k.claim = claimed;
  if not found then
    raise exception 'another request has this Idempotency-Key by now' using errcode = 'PT409';
  end if;
end
$$;
revoke all on function private.note_effect(uuid) from public;
grant execute on function private.note_effect(uuid) to anon, authenticated, service_role;

-- The operator's limits, written from the settings of the indexing function (_shared/operation/operator-limits.ts), because Postgres alone sees
-- every door. One row; null: no limit.
create table private.operator_limits (
  is_only boolean primary key default true check (is_only),
  -- The bytes that a team may store (45_storage.sql).
  team_storage bigint check (team_storage > 0),
  -- US dollars a month that a new team may spend on the models that the installation pays (56_models.sql).
  new_team_cap numeric check (new_team_cap between 0 and 10000000),
  -- Teams that a person may create in a day (12_members.sql).
  teams_per_day int check (teams_per_day > 0)
);
insert into private.operator_limits default values;
revoke all on private.operator_limits from public, anon, authenticated;
grant select, update on private.operator_limits to service_role;
alter table private.operator_limits enable row level security;
