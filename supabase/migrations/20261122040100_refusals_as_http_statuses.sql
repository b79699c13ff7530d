-- Functions refuse with a code that PostgREST answers with its HTTP status: PT404 and PT409. It answers every code of the class
-- P0 but P0001 with 500, as if the database had failed. The bodies stay as they are, but for the code.
do $$
declare
  refusing record;
begin
  for refusing in
    select p.oid from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'private') and p.prokind = 'f' and p.prosrc ~ 'P04(04|09)'
  loop
    execute pg_catalog.regexp_replace(pg_catalog.pg_get_functiondef(refusing.oid), 'P04(04|09)', 'PT4\1', 'g');
  end loop;
end
$$;
