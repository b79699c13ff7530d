-- Takes a database with data from the schema before to that of sql/: a search returns the text before a passage too.

drop function public.search_chunks(uuid[], text, jsonb, int, text, text, text);
create function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid',
  asked_in text default null, translation text default '')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int, preface text)
language plpgsql stable set search_path = '' set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  if mode is null or mode not in ('hybrid', 'vector', 'text') then
    raise exception 'mode is hybrid, vector or text' using errcode = '22023';
  end if;
  if cardinality(knowledge_ids) > 1000 then
    raise exception 'at most 1,000 knowledges are searched at once' using errcode = '22023';
  end if;
  if octet_length(query_text) > 1000000 or octet_length(translation) > 1000000 then
    raise exception 'the text is longer than 1,000,000 bytes' using errcode = '22023';
  end if;
  perform private.check_embeddings(query_embeddings);
  return query
  with meaning as materialized (
    select case when known then 0.35 else 1 end::float8 as by_words, case when known then 0.65 else 1 end::float8 as by_vectors, known
      from (select exists (
              select from jsonb_array_elements(case when mode = 'text' then '[]' else query_embeddings end) e
                join public.vectors v on v.id = (e ->> 'vectorId')::uuid
               where v.model not like 'offline-hash%') as known offset 0) m
  ), by_text as materialized (
    select t.chunk_id, t.coverage, (row_number() over (order by t.score desc, t.chunk_id))::int as rank,
           t.score / nullif(max(t.score) over (), 0) as share,
           t.score, min(t.score) over () as last, max(t.score) over () as best, count(*) over () as entries
      from private.rank_text(knowledge_ids, query_text, 100, asked_in, translation) t where mode <> 'vector'
  ), by_vector as materialized (
    select v.chunk_id, v.similarity,
           (row_number() over (partition by v.vector_id order by v.score desc, v.chunk_id))::int as rank,
           greatest(v.score, 0) / nullif(max(v.score) over (partition by v.vector_id), 0) as share,
           v.score, min(v.score) over (partition by v.vector_id) as last, max(v.score) over (partition by v.vector_id) as best,
           count(*) over (partition by v.vector_id) as entries
      from private.rank_vectors(knowledge_ids, case when mode = 'text' then '[]' else query_embeddings end,
             array(select t.chunk_id from by_text t order by t.rank), 2, 100) v
  ), fused as (
    select coalesce(t.chunk_id, v.chunk_id) as id, t.rank as text_rank, t.coverage, v.rank as vector_rank, v.similarity,
           case when m.known then coalesce(m.by_words * private.scaled(t.score, t.last, t.best, t.entries), 0)
                                + coalesce(m.by_vectors * private.scaled(v.score, v.last, v.best, v.entries), 0)
                else coalesce(t.share * 61 / (60 + t.rank), 0) + coalesce(v.share * 61 / (60 + v.rank), 0) end as worth
      from by_text t full join by_vector v using (chunk_id) cross join meaning m
  ), worthiest as materialized (
    select f.id, f.worth, e.vector_id, e.embedding
      from (select u.id, u.worth from fused u order by u.worth desc, least(u.text_rank, u.vector_rank), u.id limit 30) f
     cross join lateral (select * from public.chunk_embeddings ce where ce.chunk_id = f.id offset 0) e
     where mode = 'hybrid' and not (select m.known from meaning m) and (select count(*) from fused) > 60
       and exists (select from jsonb_array_elements(query_embeddings) q where (q ->> 'vectorId')::uuid = e.vector_id)
  ), centred as materialized (
    select w.id, w.worth, w.vector_id, extensions.l2_normalize(w.embedding operator(extensions.-) m.middle) as embedding
      from worthiest w
      join (select u.vector_id, extensions.avg(u.embedding) as middle from worthiest u group by u.vector_id) m using (vector_id)
  ), smoothed as materialized (
    select c.id, 0.6 * c.worth + 0.4 * coalesce(n.worth, c.worth) as worth, max(c.worth) over () as best
      from centred c cross join lateral (
        select sum(o.nearness * o.worth) / sum(o.nearness) as worth
          from (select - (b.embedding operator(extensions.<#>) c.embedding) as nearness, b.worth
                  from centred b where b.vector_id = c.vector_id and b.id <> c.id order by 1 desc limit 5) o
         where o.nearness > 0) n
  ), weighed as (
    select f.id, f.text_rank, f.coverage, f.vector_rank, f.similarity, 
           coalesce(s.worth * s.best / nullif(max(s.worth) over (), 0), f.worth) as worth
      from fused f left join smoothed s using (id)
  ), confident as (
    select least(1, greatest(max(coverage), max(similarity), 0))
             / nullif((select coalesce(sum(m.by_words), 0) from meaning m where exists (select from by_text))
                    + (select coalesce(sum(m.by_vectors), 0) from meaning m where exists (select from by_vector)), 0) as factor
      from fused
  )
  select c.id, c.document_id, c.source_id, c.knowledge_id, d.title, d.url, c.content,
         c.start_offset, c.end_offset, c.page, c.heading,
         f.worth * n.factor, f.similarity, f.vector_rank, f.coverage, f.text_rank, c.preface
    -- What is farther than a right angle from the question is worth nothing, and still has its rank.
    from (select * from weighed u order by u.worth desc, least(u.text_rank, u.vector_rank), u.id
           limit least(greatest(max_results, 1), 200)) f
    cross join confident n
    join public.chunks c on c.id = f.id
    join public.documents d on d.id = c.document_id
   order by f.worth desc, least(f.text_rank, f.vector_rank), c.id;
end
$$;
revoke all on function public.search_chunks(uuid[], text, jsonb, int, text, text, text) from public, anon;
grant execute on function public.search_chunks(uuid[], text, jsonb, int, text, text, text) to authenticated, service_role;
