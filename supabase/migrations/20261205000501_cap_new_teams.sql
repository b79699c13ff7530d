-- Takes a database with data from the schema before to that of sql/: cap what new teams cost the operator.

alter table private.operator_limits
  add column new_team_cap numeric check (new_team_cap between 0 and 10000000),
  add column teams_per_day int check (teams_per_day > 0);

alter table private.model_budgets add column installation_spent numeric not null default 0;
-- What was spent this month counts on both caps, as it did.
alter table private.model_budgets disable trigger touch_model_budgets;
update private.model_budgets set installation_spent = spent;
alter table private.model_budgets enable trigger touch_model_budgets;
alter table private.model_reservations add column is_installations boolean not null default true;

-- Caps a new team as the operator has set it (13_limits.sql). Security definer: no client writes budgets.
-- Who may: whoever creates a team, by a trigger. Checks: the new team alone, whose owners may not change this cap.
create function private.cap_new_team() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.model_budgets (team_id, installation_cap, month)
  select new.id, l.new_team_cap, date_trunc('month', clock_timestamp() at time zone 'UTC')::date
    from private.operator_limits l where l.new_team_cap is not null;
  return null;
end
$$;
revoke all on function private.cap_new_team() from public;
create trigger cap_new_team after insert on public.teams
  for each row execute function private.cap_new_team();

create or replace function private.models_of(team uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'connections', coalesce((
        select jsonb_agg(jsonb_build_object(
                 'id', m.id, 'isTeams', m.team_id is not null, 'role', m.role, 'provider', m.provider, 'baseUrl', m.base_url,
                 'model', m.model, 'sealedKey', encode(m.api_key, 'base64'), 'dimensions', m.dimensions,
                 'promptPrice', m.prompt_price, 'completionPrice', m.completion_price) order by m.id desc)
          from private.models m where m.team_id = team or m.team_id is null), '[]'),
      'isCapped', exists (select from private.model_budgets b where b.team_id = team and b.team_cap is not null),
      'isInstallationCapped', exists (select from private.model_budgets b
                                       where b.team_id = team and b.installation_cap is not null)));
end
$$;

drop function private.reserve_model_cost(uuid, numeric, int);
drop function private.settle_model_cost(uuid, uuid, uuid, text, text, text, bigint, bigint, bigint, bigint, numeric);
-- Reserves the maximum cost of a call for some seconds, or refuses when the total spent and reserved could exceed a cap: the team's, or where
-- the installation pays, the installation's of what it pays. Locks the budget's row, so that of two concurrent calls the second sees the
-- first. Neither a reservation nor a refusal: no cap applies. For the service.
create function private.reserve_model_cost(team uuid, most numeric, seconds int, is_installations boolean default true)
returns table (reservation uuid, is_refused boolean)
language plpgsql volatile set search_path = '' as $$
declare
  this_month constant date := date_trunc('month', clock_timestamp() at time zone 'UTC')::date;
  budget private.model_budgets;
  taken numeric;
  taken_of_installation numeric;
begin
  is_refused := false;
  select b.* into budget from private.model_budgets b where b.team_id = team for no key update;
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
revoke all on function private.reserve_model_cost(uuid, numeric, int, boolean) from public;
grant execute on function private.reserve_model_cost(uuid, numeric, int, boolean) to service_role;

-- Records a call's cost and releases its reservation. True when the team's owners are to be warned: once a month, when spending first
-- reaches the given share of a cap. For the service.
create function private.settle_model_cost(
  held uuid, team uuid, agent uuid, in_channel text, of_kind text, of_model text,
  prompt bigint, completion bigint, estimated bigint, unpriced bigint, price numeric, is_installations boolean default true)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  at constant timestamp := clock_timestamp() at time zone 'UTC';
  today constant date := at::date;
  this_month constant date := date_trunc('month', today)::date;
  installations_price constant numeric := case when is_installations then price else 0 end;
  budget private.model_budgets;
begin
  -- The team may be gone by now.
  if not exists (select from public.teams t where t.id = team) then
    return false;
  end if;
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
revoke all on function private.settle_model_cost(uuid, uuid, uuid, text, text, text, bigint, bigint, bigint, bigint, numeric, boolean) from public;
grant execute on function private.settle_model_cost(uuid, uuid, uuid, text, text, text, bigint, bigint, bigint, bigint, numeric, boolean)
  to service_role;

create or replace function public.create_team(name text, codename text default null) returns public.teams
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  made_up constant text := coalesce(nullif(private.slug(left(name, 200)), ''), 'team');
  wanted text := coalesce(nullif(codename, ''), made_up);
  team public.teams;
  per_day constant int := (select l.teams_per_day from private.operator_limits l);
  wait int;
begin
  if caller is null then
    raise exception 'only a user makes a team' using errcode = '42501';
  end if;
  wait := greatest(private.take_hit('team:by:' || caller, 30, 3600),
                   case when per_day is not null then private.take_hit('team:day:' || caller, per_day, 86400) else 0 end);
  if wait > 0 then
    raise exception 'too many teams were created' using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  loop
    begin
      insert into public.teams (name, codename, created_by) values (create_team.name, wanted, caller) returning * into team;
      exit;
    exception when unique_violation then
      if nullif(create_team.codename, '') is not null then
        raise;
      end if;
      -- A made-up codename gives way to those that are there.
      wanted := made_up || '-' || substr(md5(gen_random_uuid()::text), 1, 6);
    end;
  end loop;
  insert into public.team_users (team_id, user_id, email, role_id, status)
  select team.id, u.id, lower(u.email), '00000000-0000-7000-8000-000000000001', 'accepted'
    from public.users u where u.id = caller;
  return team;
end
$$;
