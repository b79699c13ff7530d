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
