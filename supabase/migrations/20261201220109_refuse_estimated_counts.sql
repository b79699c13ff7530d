-- Takes a database with data from the schema before to that of sql/: refuse estimated counts.

-- Counts through PostgREST. count=planned and count=estimated return the planner's estimate, which comes from statistics of all rows: with a
-- filter by another team's id it is about the number of that team's rows.

-- Refuses estimates to clients; count=exact counts the rows that they see. Raises PT400.
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
