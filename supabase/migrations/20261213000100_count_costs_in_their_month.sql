-- A call counts in the month in which its costs are stored, also when another call has begun that month while it waited.

-- Reserves the maximum cost of a call for some seconds, or refuses when the total spent and reserved could exceed a cap: the team's, or where
-- the installation pays, the installation's of what it pays. Locks the budget's row, so that of two concurrent calls the second sees the
-- first. Neither a reservation nor a refusal: no cap applies. For the service.
create or replace function private.reserve_model_cost(team uuid, most numeric, seconds int, is_installations boolean default true)
returns table (reservation uuid, is_refused boolean)
language plpgsql volatile set search_path = '' as $$
declare
  this_month date;
  budget private.model_budgets;
  taken numeric;
  taken_of_installation numeric;
begin
  is_refused := false;
  -- In the order in which a deletion of the team locks.
  perform 1 from public.teams t where t.id = team for key share;
  select b.* into budget from private.model_budgets b where b.team_id = team for no key update;
  -- Not before the lock: the month may have changed while this waited.
  this_month := date_trunc('month', clock_timestamp() at time zone 'UTC')::date;
  if budget.team_cap is null and (budget.installation_cap is null or not is_installations) then
    return next;
    return;
  end if;
  delete from private.model_reservations r where r.team_id = team and r.expires_at <= clock_timestamp();
  select coalesce(sum(r.cost), 0), coalesce(sum(r.cost) filter (where r.is_installations), 0) into taken, taken_of_installation
    from private.model_reservations r where r.team_id = team;
  if budget.month = this_month then
    taken := taken + budget.spent;
    taken_of_installation := taken_of_installation + budget.installation_spent;
  end if;
  if taken + most > budget.team_cap or taken >= budget.team_cap
     or is_installations and (taken_of_installation + most > budget.installation_cap
                              or taken_of_installation >= budget.installation_cap)
  then
    is_refused := true;
  else
    insert into private.model_reservations as r (team_id, cost, expires_at, is_installations)
    values (team, most, clock_timestamp() + make_interval(secs => seconds), reserve_model_cost.is_installations)
    returning r.id into reservation;
  end if;
  return next;
end
$$;

-- Records a call's cost and releases its reservation. True when the team's owners are to be warned: once a month, when spending first
-- reaches the given share of a cap. For the service.
create or replace function private.settle_model_cost(
  held uuid, team uuid, agent uuid, in_channel text, of_kind text, of_model text,
  prompt bigint, completion bigint, estimated bigint, unpriced bigint, price numeric, is_installations boolean default true)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  at timestamp;
  today date;
  this_month date;
  installations_price constant numeric := case when is_installations then price else 0 end;
  budget private.model_budgets;
begin
  -- The team may be gone by now, or is being deleted: then this waits for that, and not the deletion for this.
  perform 1 from public.teams t where t.id = team for key share;
  if not found then
    return false;
  end if;
  perform 1 from private.model_budgets b where b.team_id = team for no key update;
  -- Not before the lock: another call may have begun the next month while this waited, and its costs would be forgotten.
  at := clock_timestamp() at time zone 'UTC';
  today := at::date;
  this_month := date_trunc('month', today)::date;
  insert into private.model_budgets as b (team_id, month, spent, installation_spent)
  values (team, this_month, price, installations_price)
  on conflict (team_id) do update
    set spent = case when b.month = excluded.month then b.spent + excluded.spent else excluded.spent end,
        installation_spent = case when b.month = excluded.month then b.installation_spent else 0 end + excluded.installation_spent,
        month = excluded.month
  returning b.* into budget;
  delete from private.model_reservations r where r.id = held and r.team_id = team;
  insert into public.model_usage as u
    (team_id, day, quarter, agent_id, channel, kind, model, calls, prompt_tokens, completion_tokens, estimated_tokens, unpriced_tokens,
     cost)
  values (team, today, floor(extract(epoch from at - today) / 900), coalesce(agent, '00000000-0000-0000-0000-000000000000'), in_channel, of_kind, of_model, 1, prompt, completion, estimated, unpriced, price)
  on conflict (team_id, day, quarter, agent_id, channel, kind, model) do update
    set calls = u.calls + 1, prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = u.completion_tokens + excluded.completion_tokens,
        estimated_tokens = u.estimated_tokens + excluded.estimated_tokens,
        unpriced_tokens = u.unpriced_tokens + excluded.unpriced_tokens, cost = u.cost + excluded.cost;
  if budget.warned_month is distinct from this_month
     and (budget.spent * 100 >= budget.team_cap * budget.warn_percent
       or budget.installation_spent * 100 >= budget.installation_cap * budget.warn_percent)
  then
    update private.model_budgets b set warned_month = this_month where b.team_id = team;
    return true;
  end if;
  return false;
end
$$;
