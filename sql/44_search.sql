-- Search: the passages of one or more knowledge bases for a question, by words, by vectors, or by both. docs/decisions/0005-retrieval.md
-- explains the ranking and has the measurements.

-- Ranks the chunks of one language by BM25, and the best of them once more with the words that the best two add to the question (RM3:
-- Lavrenko and Croft 2001, weight 0.3, 20 words). A word repeated in the question counts as often. knowledges, teams, languages: where
-- these chunks are, as in chunk_words. drawn: chunks of every searched language, sampled by lot from so many in total. A word's rarity is
-- counted in them, and for rare words in the best 400. known, known_words: all chunks of this language, when the sample holds every chunk;
-- then knowledges, teams and languages are not read. A question in another language drops its stop words, which would look rare among the
-- texts; its translation counts beside its words, each at most as often. coverage, 0 to 1: the share of the question's own words, weighted
-- by rarity, that a chunk holds. Runs as the caller.
create function private.rank_words(
  config regconfig, knowledges uuid[], teams uuid[], languages text[], drawn extensions.sparsevec[], total float8,
  known uuid[], known_words extensions.sparsevec[], query_text text, depth int, asked_in text default null, translation text default '')
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
  if asked_in is not null and private.is_foreign(config, asked_in) then
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

  if known is not null then
    select array_agg(b.id), array_agg(b.words) into pool, pool_words
      from (select d.* from (select k.id, k.words, k.words operator(extensions.<#>) question as distance
                               from unnest(known, known_words) k (id, words) offset 0) d
             where d.distance < 0 order by d.distance limit 400) b;
  else
    select array_agg(b.chunk_id), array_agg(b.words) into pool, pool_words
      from (select c.* from unnest(knowledges, teams, languages) k (id, team, language)
             cross join lateral (select c.chunk_id, c.words, c.words operator(extensions.<#>) question as distance
                                   from public.chunk_words c
                                  where c.team_id = k.team and c.knowledge_id = k.id and c.language = k.language
                                  order by distance limit 400) c
             order by c.distance limit 400) b
     where b.distance < 0;
    -- Of a rare word those that were drawn may hold none: then all that hold it are in the pool.
    rarity := private.rarities(array(
      select greatest(u.n * total / cardinality(drawn), u.pooled)
        from unnest(holders, private.count_holders(pool_words, asked)) with ordinality u (n, pooled, i) order by i), total);
    question := private.word_vector(asked, array(select w * n from unnest(rarity, times) u (w, n))::real[]);
  end if;
  if pool is null then
    return;
  end if;

  return query
  with words as materialized (
    select w.place, w.idf, w.n, case when w.i <= own then ln(1 + exp(w.idf)) else 0 end as telling,
           -- As private.word_vector() makes it, which costs a query for each word.
           ('{' || w.place || ':1}/1000000000')::extensions.sparsevec as word
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
revoke all on function private.rank_words(
  regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, uuid[], extensions.sparsevec[], text, int, text, text) from public;
grant execute on function private.rank_words(
  regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, uuid[], extensions.sparsevec[], text, int, text, text)
  to authenticated, service_role;

-- Ranks by words, each chunk in the language of its word forms, or its knowledge base's when unset. Rarity is counted across all languages;
-- otherwise a match in a language with few chunks would score too low. Fewer than 2,000 chunks are read once: their sample is all of them.
-- Runs as the caller.
create function private.rank_text(
  knowledge_ids uuid[], query_text text, depth int, asked_in text default null, translation text default '')
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable set search_path = '' as $$
declare
  -- Few enough to rank a small knowledge base from its sample.
  sample constant int := 2000;
  known uuid[];
  spoken text[];
  drawn extensions.sparsevec[];
  last_lot float8;
  total float8;
begin
  select array_agg(s.chunk_id), array_agg(s.words), array_agg(s.language), max(s.lot) into known, drawn, spoken, last_lot
    from (select c.chunk_id, c.words, c.lot, case l.code when '' then k.language else l.code end as language
            from public.knowledges k cross join unnest(private.document_languages() || '{""}') l (code)
           cross join lateral (select c.chunk_id, c.words, c.lot from public.chunk_words c
                                where c.team_id = k.team_id and c.knowledge_id = k.id and c.language = l.code
                                order by c.lot limit sample) c
           where k.id = any (knowledge_ids)
           order by c.lot limit sample) s;
  if drawn is null then
    return;
  end if;

  if cardinality(drawn) < sample then
    return query
      with configs as materialized (
        select d.language, private.search_config(d.language) as config from (select distinct u.language from unnest(spoken) u (language)) d
      ), same_language as materialized (
        select c.config, array_agg(u.id) as ids, array_agg(u.words) as words
          from unnest(known, drawn, spoken) u (id, words, language) join configs c using (language) group by 1
      )
      select r.* from same_language s
       cross join private.rank_words(s.config, null, null, null, drawn, cardinality(drawn), s.ids, s.words,
                                     query_text, depth, asked_in, translation) r;
    return;
  end if;

  -- As many as the range of lots holds at the density of those that were drawn.
  total := sample * 1e9 / greatest(last_lot, 1);
  return query
    with same_language as materialized (
      select private.search_config(case l.code when '' then k.language else l.code end) as config,
             array_agg(k.id) as ids, array_agg(k.team_id) as teams, array_agg(l.code) as languages
        from public.knowledges k cross join unnest(private.document_languages() || '{""}') l (code)
       cross join lateral (select from public.chunk_words c
                            where c.team_id = k.team_id and c.knowledge_id = k.id and c.language = l.code limit 1) held
       where k.id = any (knowledge_ids) group by 1
    )
    select r.* from same_language s
     cross join private.rank_words(s.config, s.ids, s.teams, s.languages, drawn, total, null, null,
                                   query_text, depth, asked_in, translation) r;
end
$$;
revoke all on function private.rank_text(uuid[], text, int, text, text) from public;
grant execute on function private.rank_text(uuid[], text, int, text, text) to authenticated, service_role;

-- The chunks nearest to the question in each embedding space: exact among the 600 nearest by the signs of their numbers and those that the
-- search by words found. feedback: the number of these that a ranking trusts enough to move the question halfway towards them (Rocchio
-- 1971), in the built-in model's space only: a model that knows meaning gets worse by words. similarity is the cosine to the question
-- itself. Runs as the caller. Signs of few numbers tell too little: such spaces are compared in full.
create function private.rank_vectors(knowledge_ids uuid[], query_embeddings jsonb, by_text uuid[], feedback int, depth int)
returns table (chunk_id uuid, vector_id uuid, score float8, similarity float8)
language sql stable set search_path = '' as $$
  with visible as (
    select array_agg(distinct k.team_id) as teams, array_agg(k.id) as ids
      from public.knowledges k where k.id = any (knowledge_ids)
  ), asked as materialized (
    -- Read once: the planner would copy this into each use, and a thousand numbers take a quarter of a millisecond.
    select r.vector_id, r.dimensions, r.is_pulled, extensions.l2_normalize(r.question) as question
      from (select v.id as vector_id, v.dimensions, v.model like 'offline-hash%' as is_pulled,
                   (e ->> 'embedding')::extensions.halfvec as question
              from jsonb_array_elements(query_embeddings) e join public.vectors v on v.id = (e ->> 'vectorId')::uuid
             where case jsonb_typeof(e -> 'embedding') when 'array' then jsonb_array_length(e -> 'embedding') = v.dimensions
                     else e ->> 'embedding' <> '[]' end
            offset 0) r
     where extensions.vector_dims(r.question) = r.dimensions
  ), trusted as (
    select ce.vector_id, extensions.avg(ce.embedding) as middle
      from unnest(by_text[:feedback]) t (chunk_id)
     cross join lateral (select * from public.chunk_embeddings e where e.chunk_id = t.chunk_id offset 0) ce
     group by ce.vector_id
  ), pulled as materialized (
    select a.vector_id, a.dimensions, a.question, t.middle is not null as is_moved,
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
    select o.vector_id, o.dimensions, o.question, o.target, o.is_moved,
           extensions.binary_quantize(o.ahead)::bit varying as above, extensions.binary_quantize(o.behind)::bit varying as below,
           extensions.binary_quantize(o.ahead operator(extensions.-) o.usual)::bit varying as far_above,
           extensions.binary_quantize(o.behind operator(extensions.-) o.usual)::bit varying as far_below
      from opposite o
  )
  select near.chunk_id, p.vector_id, 1 - near.distance,
         1 - case when p.is_moved then near.embedding operator(extensions.<=>) p.question else near.distance end
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
revoke all on function private.rank_vectors(uuid[], jsonb, uuid[], int, int) from public;
grant execute on function private.rank_vectors(uuid[], jsonb, uuid[], int, int) to authenticated, service_role;

-- Refuses a malformed list of embeddings, or one longer than a search of all spaces needs: each embedding is compared with every vector.
create function private.check_embeddings(query_embeddings jsonb) returns void
language plpgsql immutable set search_path = '' as $$
declare
  asked jsonb;
  spaces text[] := '{}';
begin
  if jsonb_typeof(query_embeddings) is distinct from 'array' or jsonb_array_length(query_embeddings) > 16 then
    raise exception 'query_embeddings is a list of at most 16 embeddings' using errcode = '22023';
  end if;
  for asked in select e from jsonb_array_elements(query_embeddings) e loop
    if jsonb_typeof(asked) <> 'object' or asked ->> 'vectorId' is null or asked ->> 'vectorId' = any (spaces)
       or (case jsonb_typeof(asked -> 'embedding') when 'array' then jsonb_array_length(asked -> 'embedding') > 4000
             when 'string' then length(asked ->> 'embedding') > 64000 else true end)
    then
      raise exception 'each embedding has a vectorId of its own and at most 4,000 numbers' using errcode = '22023';
    end if;
    spaces := spaces || (asked ->> 'vectorId');
  end loop;
end
$$;
revoke all on function private.check_embeddings(jsonb) from public;
grant execute on function private.check_embeddings(jsonb) to authenticated, service_role;

-- A score's position between the last and the best of a list, 0 to 1. The last entry of a short list is above 0: it is as near to the
-- others as they are to one another.
create function private.scaled(score float8, last float8, best float8, entries bigint) returns float8
language sql immutable strict set search_path = '' as $$
  select case when best > last then (score - last + (best - last) / entries) / ((best - last) * (1 + 1 / entries::float8)) else 1 end
$$;
revoke all on function private.scaled(float8, float8, float8, bigint) from public;
grant execute on function private.scaled(float8, float8, float8, bigint) to authenticated, service_role;

-- The best passages for a question, best first, among those that the caller may read. query_embeddings: [{ "vectorId": uuid, "embedding":
-- [number, ...] }], one for each embedding space of the knowledge bases; "[number, ...]" as a text is read in a third of the time. score, 0
-- to 1: a passage's worth in both lists, times how well the best passage fits the question at all, so that an off-topic question scores low
-- throughout. With the built-in embedding: reciprocal-rank fusion (k 60) in which a rank is worth its score's share of the list's best.
-- With a semantic embedding: .35 of the score by words and .65 of that by vector, each between the list's last and its best; ranks would
-- let a weak list outvote a sure one. With the built-in embedding a passage of the best 30 is worth .6 of that and .4 of its five nearest
-- neighbours among them, when more than 60 were found; a smaller set returns all of them anyway. asked_in, translation: the question's
-- language (null when unknown), and its words in the other languages for texts in those. vector_score: cosine to the question; text_score:
-- the share of its words that the passage holds. Raises 22023 beyond the limits of a search: 1,000 knowledge bases, 1,000,000 bytes of
-- text, 16 embeddings of one space each. JIT and custom plans are off: both take longer than running the query.
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
