-- A search of a knowledge base is admitted and counted in one message to Postgres.

-- The embedding space of a knowledge base, for a search; null when it has none. Raises PT404 for one that the caller cannot see in that
-- team, so that the service, in the same message, does not count the search. Runs as the caller: policies apply.
create function private.searched_space(team uuid, knowledge uuid) returns table (team_id uuid, id uuid, model text, dimensions int)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select k.team_id, v.id, v.model, v.dimensions
      from public.knowledges k left join public.vectors v on v.id = k.vector_id
     where k.team_id = team and k.id = knowledge;
  if not found then
    raise exception 'no such knowledge base' using errcode = 'PT404';
  end if;
end
$$;
revoke all on function private.searched_space(uuid, uuid) from public;
grant execute on function private.searched_space(uuid, uuid) to authenticated, service_role;
