-- Takes a database with data from the schema before to that of sql/: a question is read once.

create or replace function private.rank_vectors(knowledge_ids uuid[], query_embeddings jsonb, by_text uuid[], feedback int, depth int)
returns table (chunk_id uuid, vector_id uuid, score float8, similarity float8)
language sql stable set search_path = '' as $$
  with visible as (
    select array_agg(distinct k.team_id) as teams, array_agg(k.id) as ids
      from public.knowledges k where k.id = any (knowledge_ids)
  ), asked as materialized (
    -- Read once: the planner would copy this into each use, and a thousand numbers take a quarter of a millisecond.
    select v.id as vector_id, v.dimensions, v.model like 'offline-hash%' as is_pulled,
           extensions.l2_normalize((e ->> 'embedding')::extensions.halfvec) as question
      from jsonb_array_elements(query_embeddings) e join public.vectors v on v.id = (e ->> 'vectorId')::uuid
     where jsonb_array_length(e -> 'embedding') = v.dimensions
  ), trusted as (
    select ce.vector_id, extensions.avg(ce.embedding) as middle
      from unnest(by_text[:feedback]) t (chunk_id)
     cross join lateral (select * from public.chunk_embeddings e where e.chunk_id = t.chunk_id offset 0) ce
     group by ce.vector_id
  ), pulled as materialized (
    select a.vector_id, a.dimensions, a.question,
           case when t.middle is null then a.question else a.question operator(extensions.+)
             (t.middle operator(extensions.*) array_fill(0.5::real, array[a.dimensions])::extensions.halfvec) end as target
      from asked a left join trusted t on t.vector_id = a.vector_id and a.is_pulled
  ), opposite as materialized (
    select p.*, extensions.l2_normalize(p.target) as ahead,
           extensions.l2_normalize(p.target operator(extensions.*) array_fill(-1::real, array[p.dimensions])::extensions.halfvec) as behind,
           array_fill((1 / sqrt(p.dimensions))::real, array[p.dimensions])::extensions.halfvec as usual
      from pulled p
  ), signs as materialized (
    -- The question's numbers in five steps, as pairs of bits: far above zero, above, at zero, below, far below.
    select o.vector_id, o.dimensions, o.question, o.target,
           extensions.binary_quantize(o.ahead)::bit varying as above, extensions.binary_quantize(o.behind)::bit varying as below,
           extensions.binary_quantize(o.ahead operator(extensions.-) o.usual)::bit varying as far_above,
           extensions.binary_quantize(o.behind operator(extensions.-) o.usual)::bit varying as far_below
      from opposite o
  )
  select near.chunk_id, p.vector_id, 1 - near.distance, 1 - (near.embedding operator(extensions.<=>) p.question)
    from visible s cross join signs p cross join lateral (
      select ce.chunk_id, ce.embedding, ce.embedding operator(extensions.<=>) p.target as distance
        from ((select b.chunk_id
                 from public.chunk_embeddings b
                where b.team_id = any (s.teams) and b.knowledge_id = any (s.ids) and b.vector_id = p.vector_id
                order by (b.bits operator(extensions.<~>) p.above) - (b.bits operator(extensions.<~>) p.below)
                       + (b.bits operator(extensions.<~>) p.far_above) - (b.bits operator(extensions.<~>) p.far_below)
                limit case when p.dimensions >= 256 then 600 end)
              union
              select unnest(by_text)) close
       -- Offset 0: each by its key, whatever the planner expects.
       cross join lateral (select * from public.chunk_embeddings e
                            where e.chunk_id = close.chunk_id and e.vector_id = p.vector_id offset 0) ce
       order by distance limit depth) near
$$;
