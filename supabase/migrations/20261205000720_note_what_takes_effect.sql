-- Takes a database with data from the schema before to that of sql/: note what takes effect. Keys of requests that run during the upgrade may
-- be of requests that took effect: nothing says so, and they are repeated after five minutes as before.

alter table private.idempotency_keys
  add column claim uuid not null default gen_random_uuid(),
  add column took_effect boolean not null default false,
  add column is_abandoned boolean not null default false;
create unique index idempotency_keys_claim_key on private.idempotency_keys (claim);
create index idempotency_keys_running_idx on private.idempotency_keys (created_at) where status is null;

-- Notes in a transaction that the request of a claim takes effect with its commit. Fails when another request has got the key meanwhile: only
-- one of them may take effect. Security definer: no client writes the keys.
-- Who may: whoever knows the claim, which no client is told. Checks: the claim still has its key.
create function private.note_effect(claimed uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.idempotency_keys k set took_effect = true where k.claim = claimed;
  if not found then
    raise exception 'another request has this Idempotency-Key by now' using errcode = 'PT409';
  end if;
end
$$;
revoke all on function private.note_effect(uuid) from public;
grant execute on function private.note_effect(uuid) to anon, authenticated, service_role;
