-- Takes a database with data from the schema before to that of sql/: keep credentials of listings.

create function private.source_login(source uuid) returns text
language sql volatile set search_path = '' as $$
  select encode(sha256(c.ciphertext), 'hex') from private.source_credentials c where c.source_id = source
$$;
revoke all on function private.source_login(uuid) from public;
grant execute on function private.source_login(uuid) to service_role;

-- A listing in progress has no credentials noted: it starts again, as after a change.
alter table private.listings add column login text;
