-- The schedule of a hosted project: pg_cron calls the functions through pg_net every minute, which continues work longer than one call and
-- retries waiting work. Elsewhere (npm start) the supervisor calls them, and these extensions are absent.

-- Calls a function of the project. Its URL and key are two secrets in the vault, set as docs/deploy.md describes; without them it does
-- nothing. Only the owner's jobs may run it, because it sends a service key.
create function private.call_function(name text) returns void
language plpgsql volatile set search_path = '' as $$
declare
  address text;
  key text;
begin
  select s.decrypted_secret into address from vault.decrypted_secrets s where s.name = 'parley_functions_url';
  select s.decrypted_secret into key from vault.decrypted_secrets s where s.name = 'parley_secret_key';
  if address is null or key is null then
    return;
  end if;
  perform net.http_post(
    url := rtrim(address, '/') || '/' || call_function.name,
    body := '{}'::jsonb,
    -- A key of the newer kind is refused as a bearer token, and a legacy one is asked for as one.
    headers := jsonb_build_object('Content-Type', 'application/json', 'apikey', key)
      || case when key like 'sb\_%' then '{}'::jsonb else jsonb_build_object('Authorization', 'Bearer ' || key) end,
    -- A tick of indexing may take as long as a hosted function may run.
    timeout_milliseconds := 150000);
end
$$;
revoke all on function private.call_function(text) from public;

do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_cron', 'pg_net')) = 2 then
    create extension if not exists pg_cron;
    create extension if not exists pg_net;
  end if;
  if to_regprocedure('cron.schedule(text, text, text)') is not null and to_regclass('vault.decrypted_secrets') is not null
     and exists (select from pg_proc p where p.pronamespace = to_regnamespace('net') and p.proname = 'http_post')
  then
    execute $jobs$
      select cron.schedule('parley-indexing', '* * * * *', 'select private.call_function(''indexing'')'),
             cron.schedule('parley-slack', '* * * * *', 'select private.call_function(''slack/tick'')'),
             -- pg_cron records every run and never deletes the records.
             cron.schedule('parley-history', '17 3 * * *',
               'delete from cron.job_run_details where end_time < now() - interval ''7 days''')
    $jobs$;
  end if;
end
$$;
