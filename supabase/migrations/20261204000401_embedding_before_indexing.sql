-- Takes a database with data from the schema before to that of sql/: embedding before indexing.
-- The embedding model that a knowledge base is indexed with next, the team's own before the installation's, as its space is named. No row:
-- the environment's. Security definer: connections are service only.
-- Who may: everyone, of the knowledge bases that they see. Checks: knowledges.read in its team.
create function private.next_embedding(knowledge uuid) returns table (model text, dimensions int)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select private.space_model(m.id, m.team_id, m.model), m.dimensions
      from public.knowledges k
      join private.models m on m.role = 'embedding' and (m.team_id = k.team_id or m.team_id is null)
     where k.id = knowledge and k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
     order by m.team_id nulls last
     limit 1;
end
$$;
revoke all on function private.next_embedding(uuid) from public;
grant execute on function private.next_embedding(uuid) to authenticated, service_role;
