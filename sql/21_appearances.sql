-- Short addresses of agents, /c/ADDRESS. An agent has one current address and keeps its last five former ones as redirects. Older ones are
-- released, and all of them when the agent is deleted. A team may give a former address to another of its agents.
create table private.agent_addresses (
  address text primary key,
  team_id uuid not null,
  agent_id uuid not null,
  taken_at timestamptz not null default clock_timestamp(),
  foreign key (team_id, agent_id) references public.agents (team_id, id) on delete cascade
);
create index agent_addresses_agent_idx on private.agent_addresses (team_id, agent_id, taken_at);
revoke all on private.agent_addresses from public, anon, authenticated;
grant select, insert, update, delete on private.agent_addresses to service_role;
alter table private.agent_addresses enable row level security;

-- Reserves the agent's address and releases its former ones beyond the last five. Security definer: nobody may list addresses, because
-- private agents have some too.
-- Who may: callers the policies let write the agent, by a trigger. Checks: an address that another team's agent holds is refused.
create function private.hold_agent_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.agent_addresses as held (address, team_id, agent_id) values (new.address, new.team_id, new.id)
  on conflict (address) do update set agent_id = excluded.agent_id, taken_at = clock_timestamp() where held.team_id = excluded.team_id;
  if not found then
    raise exception 'another agent has this address' using errcode = '23505', constraint = 'agents_address_key';
  end if;
  delete from private.agent_addresses d
   where d.team_id = new.team_id and d.agent_id = new.id
     and d.address not in (select kept.address from private.agent_addresses kept
                            where kept.team_id = new.team_id and kept.agent_id = new.id order by kept.taken_at desc limit 6);
  return null;
end
$$;
revoke all on function private.hold_agent_address() from public;
create trigger hold_address_of_new after insert on public.agents
  for each row when (new.address <> '' and not private.is_restoring()) execute function private.hold_agent_address();
create trigger hold_address after update of address on public.agents
  for each row when (new.address <> '' and new.address <> old.address) execute function private.hold_agent_address();

-- An agent whose deletion is undone gets its addresses back, except those that another agent has taken since. Security definer: reads the
-- owners of addresses.
-- Who may: those who undo a deletion, by a trigger. Checks: only whether the address is taken.
create function private.restore_agent_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from private.agent_addresses d where d.address = new.address) then
    return new;
  end if;
  if tg_table_name = 'agent_addresses' then
    return null;
  end if;
  new.address := '';
  return new;
end
$$;
revoke all on function private.restore_agent_address() from public;
create trigger restore_address before insert on public.agents
  for each row when (new.address <> '' and private.is_restoring()) execute function private.restore_agent_address();
create trigger restore_address before insert on private.agent_addresses
  for each row when (private.is_restoring()) execute function private.restore_agent_address();

-- The public agent at an address, current or former. Security definer: nobody may list addresses.
-- Who may: everybody. Checks: the agent is public.
create function private.public_agent_at(wanted text) returns uuid
language sql stable security definer set search_path = '' as $$
  select a.id from private.agent_addresses d join public.agents a on a.team_id = d.team_id and a.id = d.agent_id
   where d.address = wanted and a.visibility = 'public'
$$;
revoke all on function private.public_agent_at(text) from public;
grant execute on function private.public_agent_at(text) to anon, authenticated, service_role;

-- True when a new agent could take the address. Security definer: nobody may list addresses.
-- Who may: users, who would learn it by requesting the address. Checks: nothing else.
create function private.is_free_address(wanted text) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from private.agent_addresses d where d.address = wanted)
$$;
revoke all on function private.is_free_address(text) from public;
grant execute on function private.is_free_address(text) to authenticated, service_role;
