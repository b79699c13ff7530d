-- Takes a database with data from the schema before to that of sql/: limit new teams.

-- Creates a team with the caller as its owner, at most 30 per person and hour, from PostgREST and /v1 alike. Security definer: nobody may
-- insert a team or a first member directly. Raises 42501 for callers who aren't users, 23505 when a given codename is taken, PT429.
-- Who may: users, for themselves. Checks: the caller is a user; the first member is the caller and nobody else.
create or replace function public.create_team(name text, codename text default null) returns public.teams
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  made_up constant text := coalesce(nullif(private.slug(left(name, 200)), ''), 'team');
  wanted text := coalesce(nullif(codename, ''), made_up);
  team public.teams;
  wait int;
begin
  if caller is null then
    raise exception 'only a user makes a team' using errcode = '42501';
  end if;
  wait := private.take_hit('team:by:' || caller, 30, 3600);
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
