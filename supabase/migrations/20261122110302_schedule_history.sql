-- pg_cron notes every run of a job and forgets none: two jobs a minute are a million rows a year.
do $$
begin
  if to_regprocedure('cron.schedule(text, text, text)') is not null and to_regclass('cron.job_run_details') is not null then
    execute $job$
      select cron.schedule('parley-history', '17 3 * * *',
        'delete from cron.job_run_details where end_time < now() - interval ''7 days''')
    $job$;
  end if;
end
$$;
