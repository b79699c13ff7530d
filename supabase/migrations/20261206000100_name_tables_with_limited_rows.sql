-- Takes a database with data from the schema before to that of sql/: name tables with limited rows.

create or replace function private.limit_team_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  team uuid;
  many int;
begin
  for team in select distinct n.team_id from added n where n.team_id is not null order by n.team_id loop
    perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ':' || team, 0));
    -- Without "else": a table that is not counted here fails, instead of having no limit.
    case tg_table_name
      when 'roles' then many := (select count(*) from public.roles r where r.team_id = team);
      when 'api_keys' then many := (select count(*) from public.api_keys k where k.team_id = team);
      when 'apps' then many := (select count(*) from public.apps p where p.team_id = team);
    end case;
    if many > 1000 then
      raise exception 'a team has at most 1000 of these' using errcode = '23514', constraint = tg_table_name || '_few';
    end if;
  end loop;
  return null;
end
$$;
