-- Takes a database with data from the schema before to that of sql/: refuse estimates of repeated preferences.

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
