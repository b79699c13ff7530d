-- Takes a database with data from the schema before to that of sql/: delete unwanted objects apart.

create or replace function private.claim_unwanted_objects(only_paths text[] default null) returns setof text
language sql volatile set search_path = '' as $$
  delete from private.unwanted_objects u where u.run_after <= (select clock_timestamp()) and u.removed_at is not null;
  update private.unwanted_objects u
     set attempts = u.attempts + 1, run_after = clock_timestamp() + least(u.attempts + 1, 60) * (1 + random()) * interval '1 minute'
   -- An array, which is made once: a plan may run a subquery of in () again, and its limit counts anew.
   where u.path = any (array(
     select due.path from private.unwanted_objects due
      where due.removed_at is null
        and due.run_after <= (select case when only_paths is null then clock_timestamp() else 'infinity' end)
        and (only_paths is null or due.path = any (only_paths))
      order by due.run_after limit 100 for update skip locked))
  returning u.path
$$;
