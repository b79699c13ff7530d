-- Counts through PostgREST. count=planned and count=estimated return the planner's estimate, which comes from statistics of all rows: with a
-- filter by another team's id it is about the number of that team's rows.

-- Refuses estimates to clients; count=exact counts the rows that they see. Raises PT400.
-- The policies below hold without it. It stays: a PostgREST that has not reloaded its settings calls it before every request. The setting can
-- go with one release, and the function with the next.
create function private.refuse_estimates() returns void
language plpgsql stable set search_path = '' as $$
begin
  if private.is_client()
     and coalesce(nullif(current_setting('request.headers', true), '')::jsonb ->> 'prefer', '') ~* 'count\s*=\s*"?(planned|estimated)'
  then
    raise exception 'ask for count=exact: an estimate counts rows of other teams' using errcode = 'PT400';
  end if;
end
$$;
revoke all on function private.refuse_estimates() from public;
grant execute on function private.refuse_estimates() to anon, authenticated, service_role;

-- Only hosted PostgREST reads this setting. The gateway of npm start refuses estimates itself (supabase/local/gateway/rest-limits.ts).
do $$
begin
  if exists (select from pg_roles where rolname = 'supabase_admin') then
    alter role authenticator set pgrst.db_pre_request = 'private.refuse_estimates';
    notify pgrst, 'reload config';
  end if;
exception
  when insufficient_privilege then
    raise warning 'estimated counts are not refused: run alter role authenticator set pgrst.db_pre_request = ''private.refuse_estimates''';
end
$$;

-- True unless PostgREST only explains a client's query, which is how it estimates: then raises PT400. Declared immutable so that Postgres
-- calls it while it plans; the plan of an estimate is never run. PostgREST heeds the first of several Prefer headers and shows
-- refuse_estimates() the last, so that function alone does not hold.
create function private.is_no_estimate() returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if coalesce(current_setting('request.headers', true), '') <> '' and current_query() ~* '^\s*explain\M' then
    raise exception 'ask for count=exact: an estimate counts rows of other teams' using errcode = 'PT400';
  end if;
  return true;
end
$$;
revoke all on function private.is_no_estimate() from public;
grant execute on function private.is_no_estimate() to anon, authenticated;

-- On every table that a client reads. A migration that adds one writes it out.
do $$
declare
  relation regclass;
begin
  for relation in
    select c.oid from pg_catalog.pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and (has_any_column_privilege('authenticated', c.oid, 'select') or has_any_column_privilege('anon', c.oid, 'select'))
  loop
    execute format('create policy "estimates are refused" on %s as restrictive for select to anon, authenticated
                      using (private.is_no_estimate())', relation);
  end loop;
end
$$;
