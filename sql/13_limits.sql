-- Rate limits and idempotency: both the platform's own, both in Postgres so that every instance sees the same.

-- A fixed window per key, e.g. "login:203.0.113.7". Unlogged would be faster, but a crash must not forgive guesses.
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

-- Counts one hit and returns 0 while hits <= max_hits in the window, otherwise the seconds until the window ends.
create function private.take_hit(limit_key text, max_hits int, window_seconds int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  started timestamptz := to_timestamp(floor(extract(epoch from clock_timestamp()) / window_seconds) * window_seconds);
  counted int;
begin
  insert into private.rate_limits as r (key, window_start) values (left(limit_key, 300), started)
  on conflict (key, window_start) do update set hits = least(r.hits + 1, 1000000)
  returning r.hits into counted;
  if counted = 1 then
    delete from private.rate_limits where window_start < clock_timestamp() - interval '2 days';
  end if;
  if counted <= max_hits then
    return 0;
  end if;
  return greatest(1, ceil(extract(epoch from started - clock_timestamp()) + window_seconds)::int);
end
$$;
revoke all on function private.take_hit(text, int, int) from public;
grant execute on function private.take_hit(text, int, int) to service_role;

-- First answers of POSTs that carried an Idempotency-Key, kept for 24 h. caller and route keep keys of different people
-- apart; status is null while the first request is still at work.
create table private.idempotency_keys (
  caller text not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  body_hash text not null,
  status int,
  body text,
  created_at timestamptz not null default now(),
  primary key (caller, route, key)
);
create index idempotency_keys_created_idx on private.idempotency_keys (created_at);
revoke all on private.idempotency_keys from public, anon, authenticated;
grant select, insert, update, delete on private.idempotency_keys to service_role;
alter table private.idempotency_keys enable row level security;
