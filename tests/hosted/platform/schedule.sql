-- Stand-ins for pg_cron, pg_net and the vault, which cannot be installed everywhere: they keep what they are told in tables of the
-- same shape, and scheduled-jobs.ts does what their background workers would.

create schema cron;
grant usage on schema cron to postgres;
create table cron.job (
  jobid bigint primary key generated always as identity, schedule text not null, command text not null,
  database text not null default current_database(), username text not null, active boolean not null default true,
  jobname text, unique (jobname, username));
grant select on cron.job to postgres;
create function cron.schedule(job_name text, schedule text, command text) returns bigint
language sql security definer set search_path = '' as $$
  insert into cron.job (jobname, schedule, command, username)
  values (schedule.job_name, schedule.schedule, schedule.command, session_user)
  on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command
  returning jobid
$$;

create schema net;
grant usage on schema net to postgres;
create table net.http_request_queue (
  id bigint primary key generated always as identity, method text not null, url text not null, headers jsonb, body bytea,
  timeout_milliseconds integer not null);
create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{"Content-Type": "application/json"}',
  timeout_milliseconds integer default 5000)
returns bigint
language sql security definer set search_path = '' as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values ('POST', http_post.url, http_post.headers, convert_to(http_post.body::text, 'UTF8'), http_post.timeout_milliseconds)
  returning id
$$;

create schema vault;
grant usage on schema vault to postgres;
create table vault.secrets (
  id uuid primary key default gen_random_uuid(), name text unique, description text not null default '', secret text not null);
create view vault.decrypted_secrets as select id, name, description, secret, secret as decrypted_secret from vault.secrets;
grant select, delete on vault.secrets, vault.decrypted_secrets to postgres;
create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null)
returns uuid
language sql security definer set search_path = '' as $$
  insert into vault.secrets (secret, name, description) values (new_secret, new_name, new_description) returning id
$$;
