-- Hits are counted for all keys of a call in one statement, and old windows are swept by the schedule.
create function private.take_hits(limit_keys text[], max_hits int[], window_seconds int[])
returns table (key text, seconds int)
language sql volatile set search_path = '' as $$
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
   where c.hits > a.max
$$;
revoke all on function private.take_hits(text[], int[], int[]) from public;
grant execute on function private.take_hits(text[], int[], int[]) to service_role;

drop function private.take_hit(text, int, int);
create function private.take_hit(limit_key text, max_hits int, window_seconds int) returns int
language sql volatile set search_path = '' as $$
  select coalesce(max(t.seconds), 0)
    from private.take_hits(array[limit_key], array[max_hits], array[window_seconds]) t
$$;
revoke all on function private.take_hit(text, int, int) from public;
grant execute on function private.take_hit(text, int, int) to service_role;
