-- Replies say how far their passages support them, and an agent what becomes of a claim that they do not. Replies of before say
-- nothing of it.
alter table public.messages add column support jsonb
  check (support ->> 'state' in ('answered', 'partial', 'not_found', 'disagreeing', 'unchecked'));

alter table public.agents add column unsupported_claims text not null default 'mark'
  check (unsupported_claims in ('mark', 'omit', 'ignore'));
grant insert (unsupported_claims), update (unsupported_claims) on public.agents to authenticated;

create or replace function private.answering_agent(agent uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
           'id', a.id, 'name', a.name, 'instructions', a.instructions, 'model', a.model, 'temperature', a.temperature,
           'retrievalTopK', a.retrieval_top_k, 'retrievalMinScore', a.retrieval_min_score, 'retrievalMode', a.retrieval_mode,
           'knowledgeIds', coalesce(k.ids, '[]'), 'spaces', coalesce(k.spaces, '[]'),
           'greeting', a.greeting, 'suggestedPrompts', to_jsonb(a.suggested_prompts),
           'unsupportedClaims', a.unsupported_claims,
           'teamId', a.team_id, 'models', private.models_of(a.team_id))
    from public.agents a
   cross join lateral (
      select jsonb_agg(ak.knowledge_id) as ids,
             jsonb_agg(distinct jsonb_build_object('id', v.id, 'model', v.model, 'dimensions', v.dimensions))
               filter (where v.id is not null) as spaces
        from public.agent_knowledges ak
        join public.knowledges kn on kn.id = ak.knowledge_id
        left join public.vectors v on v.id = kn.vector_id
       where ak.agent_id = a.id) k
   where a.id = agent
$$;

create or replace function private.agent_settings(agent uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
           'name', a.name, 'description', a.description, 'instructions', a.instructions, 'greeting', a.greeting,
           'suggestedPrompts', to_jsonb(a.suggested_prompts), 'model', a.model, 'temperature', round(a.temperature::numeric, 4),
           'visibility', a.visibility, 'allowedOrigins', to_jsonb(a.allowed_origins),
           'retrieval', jsonb_build_object('topK', a.retrieval_top_k, 'minScore', round(a.retrieval_min_score::numeric, 4),
                                           'mode', a.retrieval_mode),
           'unsupportedClaims', a.unsupported_claims,
           'knowledgeIds', coalesce((select jsonb_agg(ak.knowledge_id order by ak.knowledge_id)
                                       from public.agent_knowledges ak where ak.agent_id = a.id), '[]'))
    from public.agents a where a.id = agent
$$;

-- So that an agent that is saved unchanged leaves no version.
update public.agent_versions set settings = settings || '{"unsupportedClaims": "mark"}' where not settings ? 'unsupportedClaims';
