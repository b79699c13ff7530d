-- What models took is counted by the quarter of an hour, so that it can be told by the days of any time zone. What was counted by the
-- day is at its noon.
alter table public.model_usage add column quarter smallint not null default 48 check (quarter between 0 and 95);
alter table public.model_usage drop constraint model_usage_pkey;
alter table public.model_usage add primary key (team_id, day, quarter, agent_id, channel, kind, model);

create or replace function private.settle_model_cost(
  held uuid, team uuid, agent uuid, in_channel text, of_kind text, of_model text,
  prompt bigint, completion bigint, estimated bigint, unpriced bigint, price numeric) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  at constant timestamp := clock_timestamp() at time zone 'UTC';
  today constant date := at::date;
  this_month constant date := date_trunc('month', today)::date;
  budget private.model_budgets;
begin
  -- The team may be gone by now.
  if not exists (select from public.teams t where t.id = team) then
    return false;
  end if;
  insert into private.model_budgets as b (team_id, month, spent) values (team, this_month, price)
  on conflict (team_id) do update
    set spent = case when b.month = excluded.month then b.spent + excluded.spent else excluded.spent end, month = excluded.month
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
     and budget.spent * 100 >= least(budget.team_cap, budget.installation_cap) * budget.warn_percent
  then
    update private.model_budgets b set warned_month = this_month where b.team_id = team;
    return true;
  end if;
  return false;
end
$$;
