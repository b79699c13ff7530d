-- The same search for less: no logarithm or division of a numeric, of which Postgres takes some 40 µs each, where floats do; scores
-- between a list's last and best for embeddings that know meaning alone; and a probe of words made in place.

create or replace function private.count_holders(chunks extensions.sparsevec[], places int[]) returns int[]
language sql stable set search_path = '' as $$
  with probes as materialized (
    select (i - 1) / 4 as probe,
           -- As private.word_vector() makes it: some forty calls of it would cost more than the products.
           ('{' || string_agg(place || ':' || 64 ^ ((i - 1) % 4), ',') || '}/1000000000')::extensions.sparsevec as words
      from unnest(places) with ordinality p (place, i) group by 1
  ), held as (
    select s.probe, array[count(*) filter (where s.digits & 63 > 0), count(*) filter (where s.digits & 4032 > 0),
                          count(*) filter (where s.digits & 258048 > 0), count(*) filter (where s.digits & 16515072 > 0)] as counts
      from (select p.probe, (- (c.words operator(extensions.<#>) p.words))::int as digits
              from unnest(chunks) c (words) cross join probes p offset 0) s
     group by s.probe
  )
  select array_agg(u.count order by h.probe, u.i) from held h cross join unnest(h.counts) with ordinality u (count, i)
$$;

create or replace function private.rank_words(
  config regconfig, knowledges uuid[], teams uuid[], languages text[], drawn extensions.sparsevec[], total float8,
  query_text text, depth int, asked_in text default null, translation text default '')
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable set search_path = '' as $$
declare
  asked int[];
  times float8[];
  own int;
  holders int[];
  rarity float8[];
  question extensions.sparsevec;
  pool uuid[];
  pool_words extensions.sparsevec[];
begin
  select array_agg(w.place), array_agg(w.count), count(*) into asked, times, own
    from (select l.place, l.count from private.count_lexemes(config, left(query_text, 4000)) l
           order by l.count desc, length(l.lexeme) desc, l.lexeme limit 48) w;
  if private.is_foreign(config, asked_in) then
    select array_agg(w.place order by w.i), array_agg(w.count order by w.i), count(*) filter (where w.i = 0) into asked, times, own
      from (select 0 as i, u.place, u.count from unnest(asked, times) u (place, count)
             where u.place not in (select l.place from private.count_lexemes(config, private.little_words(asked_in, left(query_text, 4000))) l)
            union all
            (select 1, l.place, 0.8 from private.count_lexemes(config, left(translation, 4000)) l
              where l.place <> all (coalesce(asked, '{}')) order by length(l.lexeme) desc, l.lexeme limit 48)) w;
  end if;
  if asked is null then
    return;
  end if;

  holders := private.count_holders(drawn, asked);
  rarity := private.rarities(array(select n * total / cardinality(drawn) from unnest(holders) n), total);
  question := private.word_vector(asked, array(select w * n from unnest(rarity, times) u (w, n))::real[]);

  select array_agg(b.chunk_id), array_agg(b.words) into pool, pool_words
    from (select c.* from unnest(knowledges, teams, languages) k (id, team, language)
           cross join lateral (select c.chunk_id, c.words, c.words operator(extensions.<#>) question as distance
                                 from public.chunk_words c
                                where c.team_id = k.team and c.knowledge_id = k.id and c.language = k.language
                                order by distance limit 400) c
           order by c.distance limit 400) b
   where b.distance < 0;
  if pool is null then
    return;
  end if;
  -- Of a rare word those that were drawn may hold none: then all that hold it are in the pool.
  rarity := private.rarities(array(
    select greatest(u.n * total / cardinality(drawn), u.pooled)
      from unnest(holders, private.count_holders(pool_words, asked)) with ordinality u (n, pooled, i) order by i), total);
  question := private.word_vector(asked, array(select w * n from unnest(rarity, times) u (w, n))::real[]);

  return query
  with words as materialized (
    select w.place, w.idf, w.n, case when w.i <= own then ln(1 + exp(w.idf)) else 0 end as telling, private.word_vector(array[w.place], array[1]) as word
      from unnest(asked, rarity, times) with ordinality w (place, idf, n, i)
  ), ranked as materialized (
    select p.id, p.words, - (p.words operator(extensions.<#>) question) as score
      from unnest(pool, pool_words) p (id, words) order by 3 desc, 1 limit 200
  ), found as materialized (
    select split_part(e, ':', 1)::int as place, sum(b.score * split_part(e, ':', 2)::float8) as worth
      from (select r.words, r.score from ranked r order by r.score desc, r.id limit 2) b
     cross join string_to_table(trim(both '{' from split_part(b.words::text, '}', 1)), ',') e
     group by 1
  ), counted as materialized (
    -- In floats: Postgres takes some 40 µs for each logarithm of a numeric.
    select n.place, n.worth, n.chunks, ln(1 + (l.pooled - n.chunks + 0.5) / (n.chunks + 0.5)) as idf
      from (select array_agg(place) as places, array_agg(worth) as worths, (select count(*) from ranked)::float8 as pooled from found) l
     cross join unnest(l.places, l.worths, private.count_holders(array(select r.words from ranked r), l.places)) n (place, worth, chunks)
  ), added as (
    select place, idf, worth * idf as worth from counted
     where chunks > 1 or place = any (asked)
     order by 3 desc, 1 limit 20
  ), expanded as (
    select private.word_vector(array_agg(u.place), array_agg(u.weight)) as question
      from (select e.place, sum(e.weight)::real as weight
              from (select place, 0.7 * n / sum(n) over () * idf as weight from words
                    union all
                    select place, 0.3 * worth / nullif(sum(worth) over (), 0) * idf from added) e
             group by e.place) u
  )
  select r.id, - (r.words operator(extensions.<#>) e.question),
         (select coalesce(sum(w.telling) filter (where (r.words operator(extensions.<#>) w.word) < 0) / nullif(sum(w.telling), 0), 0)
            from words w)
    from ranked r cross join expanded e
   order by 2 desc, 1 limit depth;
end
$$;

create or replace function private.scaled(score float8, last float8, best float8, entries bigint) returns float8
language sql immutable strict set search_path = '' as $$
  select case when best > last then (score - last + (best - last) / entries) / ((best - last) * (1 + 1 / entries::float8)) else 1 end
$$;

create or replace function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid',
  asked_in text default null, translation text default '')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int)
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
               where v.model not like 'offline-hash%') as known) m
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
         f.worth * n.factor, f.similarity, f.vector_rank, f.coverage, f.text_rank
    -- What is farther than a right angle from the question is worth nothing, and still has its rank.
    from (select * from weighed u order by u.worth desc, least(u.text_rank, u.vector_rank), u.id
           limit least(greatest(max_results, 1), 200)) f
    cross join confident n
    join public.chunks c on c.id = f.id
    join public.documents d on d.id = c.document_id
   order by f.worth desc, least(f.text_rank, f.vector_rank), c.id;
end
$$;
