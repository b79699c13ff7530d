-- Words and vectors of an embedding that knows meaning are fused by their scores.
-- A score between the last and the best of a list of so many, 0 to 1. The last of a short list is worth something: it is as near to
-- the others as they are to one another.
create function private.scaled(score float8, last float8, best float8, entries bigint) returns float8
language sql immutable set search_path = '' as $$
  select case when best > last then (score - last + (best - last) / entries) / ((best - last) * (1 + 1.0 / entries)) else 1 end
$$;
revoke all on function private.scaled(float8, float8, float8, bigint) from public;
grant execute on function private.scaled(float8, float8, float8, bigint) to authenticated, service_role;

-- The passages that best answer a question, best first, among those that the caller may read.
-- query_embeddings: [{ "vectorId": uuid, "embedding": [number, ...] }], one for each embedding space of the knowledges.
-- score, 0 to 1: what a passage is worth in both lists, times how well the best passage fits the question at all, so that an
-- off-topic question scores low throughout. With the built-in embedding, reciprocal-rank fusion (k 60) in which a rank is worth its
-- score's share of the list's best. With one that knows meaning, .35 of the score by words and .65 of that by vector, each between
-- the list's last and its best: ranks would let a weak list outvote a sure one.
-- vector_score: cosine to the question; text_score: the share of its words that the passage holds.
-- Raises 22023 for more than a search is for: 1,000 knowledges, 1,000,000 bytes of text, 16 embeddings of one space each.
-- Without compiling its plans first, which takes longer than running them.
create or replace function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int)
language plpgsql stable set search_path = '' set jit = off as $$
begin
  if mode is null or mode not in ('hybrid', 'vector', 'text') then
    raise exception 'mode is hybrid, vector or text' using errcode = '22023';
  end if;
  if cardinality(knowledge_ids) > 1000 then
    raise exception 'at most 1,000 knowledges are searched at once' using errcode = '22023';
  end if;
  if octet_length(query_text) > 1000000 then
    raise exception 'the text is longer than 1,000,000 bytes' using errcode = '22023';
  end if;
  perform private.check_embeddings(query_embeddings);
  return query
  with meaning as materialized (
    select case when known then 0.35 else 1 end as by_words, case when known then 0.65 else 1 end as by_vectors, known
      from (select exists (
              select from jsonb_array_elements(case when mode = 'text' then '[]' else query_embeddings end) e
                join public.vectors v on v.id = (e ->> 'vectorId')::uuid
               where v.model not like 'offline-hash%') as known) m
  ), by_text as materialized (
    select t.chunk_id, t.coverage, (row_number() over (order by t.score desc, t.chunk_id))::int as rank,
           t.score / nullif(max(t.score) over (), 0) as share,
           private.scaled(t.score, min(t.score) over (), max(t.score) over (), count(*) over ()) as scaled
      from private.rank_text(knowledge_ids, query_text, 100) t where mode <> 'vector'
  ), by_vector as materialized (
    select v.chunk_id, v.similarity,
           (row_number() over (partition by v.vector_id order by v.score desc, v.chunk_id))::int as rank,
           greatest(v.score, 0) / nullif(max(v.score) over (partition by v.vector_id), 0) as share,
           private.scaled(v.score, min(v.score) over (partition by v.vector_id), max(v.score) over (partition by v.vector_id),
                          count(*) over (partition by v.vector_id)) as scaled
      from private.rank_vectors(knowledge_ids, case when mode = 'text' then '[]' else query_embeddings end,
             array(select t.chunk_id from by_text t order by t.rank), 2, 100) v
  ), fused as (
    select coalesce(t.chunk_id, v.chunk_id) as id, t.rank as text_rank, t.coverage, v.rank as vector_rank, v.similarity,
           case when m.known then coalesce(m.by_words * t.scaled, 0) + coalesce(m.by_vectors * v.scaled, 0)
                else coalesce(t.share * 61 / (60 + t.rank), 0) + coalesce(v.share * 61 / (60 + v.rank), 0) end as worth
      from by_text t full join by_vector v using (chunk_id) cross join meaning m
  ), confident as (
    select least(1, greatest(max(coverage), max(similarity), 0))
             / nullif((select coalesce(sum(m.by_words), 0) from meaning m where exists (select from by_text))
                    + (select coalesce(sum(m.by_vectors), 0) from meaning m where exists (select from by_vector)), 0) as factor
      from fused
  )
  select c.id, c.document_id, c.source_id, c.knowledge_id, d.title, d.url, c.content,
         c.start_offset, c.end_offset, c.page, c.heading,
         f.worth * n.factor, f.similarity, f.vector_rank, f.coverage, f.text_rank
    -- What is farther than a right angle from the question is worth nothing, and still has its rank.
    from (select * from fused u order by u.worth desc, least(u.text_rank, u.vector_rank), u.id
           limit least(greatest(max_results, 1), 200)) f
    cross join confident n
    join public.chunks c on c.id = f.id
    join public.documents d on d.id = c.document_id
   order by f.worth desc, least(f.text_rank, f.vector_rank), c.id;
end
$$;
revoke all on function public.search_chunks(uuid[], text, jsonb, int, text) from public, anon;
grant execute on function public.search_chunks(uuid[], text, jsonb, int, text) to authenticated, service_role;
