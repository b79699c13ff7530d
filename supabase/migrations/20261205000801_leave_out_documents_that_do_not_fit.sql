-- Takes a database with data from the schema before to that of sql/: leave out documents that do not fit.

-- Documents that did not fit into their team's storage. They are not requested from their service again while they are unchanged there and the
-- team is as full.
create table private.unfit_documents (
  team_id uuid not null,
  document_id uuid not null,
  -- That of the text that did not fit, or whose passages did not.
  revision text not null,
  -- The knowledge bases that it was to be indexed in, with what decides the size of its passages there.
  builds text not null,
  -- What it needs at least beyond what is stored of it.
  bytes bigint not null,
  primary key (team_id, document_id),
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
revoke all on private.unfit_documents from public, anon, authenticated;
grant select, insert, update, delete on private.unfit_documents to service_role;
alter table private.unfit_documents enable row level security;

-- The bytes that a team may still store, below zero in one that is above its limit; null without a limit.
create function private.storage_left(team uuid) returns bigint
language sql stable set search_path = '' as $$
  select l.team_storage - private.storage_used(team) from private.operator_limits l where l.team_storage is not null
$$;
revoke all on function private.storage_left(uuid) from public;
grant execute on function private.storage_left(uuid) to service_role;

-- The one refusal. PostgREST answers it with 402; edge-functions/_shared/requests/errors.ts reads the numbers in its detail.
create function private.refuse_storage(used bigint, most bigint, added bigint) returns void
language plpgsql volatile set search_path = '' as $$
begin
  raise exception 'this does not fit: the team stores % of the % MiB that it may; delete files or documents, or ask whoever runs this installation for more',
                  used / 1048576, most / 1048576
    using errcode = 'PT402', hint = 'storageReached', detail = json_build_object('used', used, 'limit', most, 'added', added);
end
$$;
revoke all on function private.refuse_storage(bigint, bigint, bigint) from public;

-- Refuses a transaction that adds bytes to a team beyond the operator's limit. A team that is above a newly set limit keeps all, and may
-- delete and replace. Deferred to the commit. Security definer: no client reads the sums.
-- Who may: every writer, by a trigger. Checks: the bytes of the changed team alone.
create or replace function private.limit_storage() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant bigint := (select l.team_storage from private.operator_limits l);
  added bigint;
  total bigint;
begin
  if most is null then
    return null;
  end if;
  -- Null when an earlier change of this transaction was checked, and took this one along.
  select sum(c.bytes) into added from private.storage_changes c
   where c.team_id = new.team_id and c.transaction_id = pg_current_xact_id();
  if coalesce(added, 0) <= 0 then
    return null;
  end if;
  total := private.sum_storage(new.team_id);
  if total > most then
    perform private.refuse_storage(total - added, most, added);
  end if;
  return null;
end
$$;

drop function private.refuse_storage(bigint, bigint);
