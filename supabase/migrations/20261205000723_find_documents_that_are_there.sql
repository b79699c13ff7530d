-- Takes a database with data from the schema before to that of sql/: find documents that are there.

-- The newest documents of a team whose title matches a query. Security definer: row-level security keeps a text search from its index.
-- Results are then read under the caller's policies.
-- Who may: logged-in users. Checks: sources.read in the team.
create or replace function private.find_documents(team uuid, query text, most int) returns table (document_id uuid)
language plpgsql stable security definer rows 10 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
begin
  if asked is null or not coalesce(team = any (private.teams_with('sources.read')), false) then
    return;
  end if;
  return query
    select d.id from public.documents d
     where d.team_id = team and private.team_words(d.team_id, d.title) operator(pg_catalog.@@) asked
       and d.source_id not in (select private.detached_roots())
     order by d.id desc limit least(most, 100);
end
$$;
