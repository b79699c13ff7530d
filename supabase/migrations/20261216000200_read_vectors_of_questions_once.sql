-- The grouping of unanswered questions reads the vector of each once.

-- For each of several questions of an agent, the gap with the same words, or the one whose leader is nearest in meaning, with the cosine.
-- Compares the latest thousand gaps.
create or replace function private.nearest_gaps(agent uuid, vector uuid, hashes text[], vectors text[])
returns table (at int, gap_id uuid, similarity float8)
language sql stable set search_path = '' as $$
  with leaders as materialized (
    select q.gap_id, q.embedding from public.gap_questions q
     where q.agent_id = agent and q.vector_id = vector and q.is_leader
     order by q.asked_at desc limit 1000),
  -- Each text is read as a vector once, and not again for every gap that it is compared with.
  asked as materialized (
    select n.at, n.hash, n.vector::extensions.halfvec as vector from unnest(hashes, vectors) with ordinality as n (hash, vector, at))
  select n.at::int, coalesce(same.gap_id, near.gap_id), case when same.gap_id is not null then 1 else near.similarity end
    from asked n
    left join lateral (
      select q.gap_id from public.gap_questions q
       where q.agent_id = agent and q.words_hash = n.hash and q.gap_id is not null
       order by q.asked_at desc limit 1) same on true
    left join lateral (
      select l.gap_id, 1 - (l.embedding operator(extensions.<=>) n.vector) as similarity
        from leaders l where n.vector is not null
       order by l.embedding operator(extensions.<=>) n.vector, l.gap_id limit 1) near on same.gap_id is null
$$;
