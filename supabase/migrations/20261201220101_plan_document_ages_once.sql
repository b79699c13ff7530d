-- Postgres planned the ages of each reply's documents anew, which took twice as long as to read them.

create or replace function private.document_ages(documents uuid[])
returns table (document_id uuid, source_type text, synced_at timestamptz, changed_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select d.id, s.type, case when d.type = s.type then coalesce(d.synced_at, s.synced_at) end, d.changed_at
      from public.documents d join public.sources s on s.team_id = d.team_id and s.id = d.source_id
     where d.id = any (documents) and d.content_hash is not null
       and (d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
         or exists (select 1 from public.document_indexes i
                     where i.document_id = d.id and i.knowledge_id = any ((select private.agent_knowledge_ids())::uuid[])));
end
$$;
