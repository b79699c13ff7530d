-- The built-in model greets with the agent's own words.
create or replace function private.answering_agent(agent uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
           'id', a.id, 'name', a.name, 'instructions', a.instructions, 'model', a.model, 'temperature', a.temperature,
           'retrievalTopK', a.retrieval_top_k, 'retrievalMinScore', a.retrieval_min_score, 'retrievalMode', a.retrieval_mode,
           'knowledgeIds', coalesce(k.ids, '[]'), 'spaces', coalesce(k.spaces, '[]'),
           'greeting', a.greeting, 'suggestedPrompts', to_jsonb(a.suggested_prompts))
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
