-- The two rankings of a search, by words and by vectors; sql/44_search.sql fuses them. All of it is PL/pgSQL, which caches its plans
-- (before Postgres 18 a function in SQL is planned at every call). Lists are arrays in order of rank. In a product of sparse vectors the
-- shorter one comes first, which is faster.

-- Ranks the chunks of one language by BM25, and the best of them once more with the words that the best two add to the question (RM3:
-- Lavrenko and Croft 2001, weight 0.3, 20 words). A word repeated in the question counts as often. knowledges, teams, languages: where
-- these chunks are, as in chunk_words. drawn: chunks of every searched language, sampled by lot from so many in total. A word's rarity is
-- counted in them, and for rare words in the best 400. known, spoken: the sample's chunks and their languages, when it holds every chunk;
-- then knowledges and teams are not read. A question in another language drops its stop words, which would look rare among the texts; its
-- translation counts beside its words, each at most as often. coverages, 0 to 1: the share of the question's own words, weighted by
-- rarity, that a chunk holds. Null when it finds nothing. Runs as the caller.
create function private.rank_words(
  config regconfig, knowledges uuid[], teams uuid[], languages text[], drawn extensions.sparsevec[], total float8,
  known uuid[], spoken text[], query_text text, depth int, asked_in text default null, translation text default '',
  out ids uuid[], out scores float8[], out coverages float8[])
language plpgsql stable set search_path = '' as $$
declare
  asking constant regconfig := private.search_config(asked_in);
  asked int[];
  times float8[];
  own int;
  little int[];
  probes extensions.sparsevec[];
  holders int[];
  rarity float8[];
  -- What the presence of a word says about a chunk.
  telling float8[];
  question extensions.sparsevec;
  pool uuid[];
  pool_words extensions.sparsevec[];
  pool_scores float8[];
  -- The words of the best two chunks.
  found int[];
  worths float8[];
  added extensions.sparsevec;
  gain float8;
begin
  select array_agg(w.place), array_agg(w.count), count(*) into asked, times, own
    from (select 1 + (hashtext(u.lexeme) & 536870911) as place, cardinality(u.positions) as count
            from unnest(to_tsvector(config, left(query_text, 4000))) u
           order by 2 desc, length(u.lexeme) desc, u.lexeme limit 48) w;
  if config <> asking and config <> 'pg_catalog.simple'::regconfig and asking <> 'pg_catalog.simple'::regconfig then
    little := array(
      select 1 + (hashtext(l.lexeme) & 536870911)
        from unnest(to_tsvector(config, (
               select string_agg(u.lexeme, ' ') from unnest(to_tsvector('pg_catalog.simple', left(query_text, 4000))) u
                where to_tsvector(asking, u.lexeme) = ''))) l);
    select array_agg(u.place), array_agg(u.count), count(*) into asked, times, own
      from unnest(asked, times) u (place, count) where u.place <> all (little);
    select asked || array_agg(t.place), times || array_agg(0.8::float8) into asked, times
      from (select w.place from (select 1 + (hashtext(u.lexeme) & 536870911) as place, u.lexeme
                                   from unnest(to_tsvector(config, left(translation, 4000))) u) w
             where w.place <> all (coalesce(asked, '{}')) order by length(w.lexeme) desc, w.lexeme limit 48) t;
  end if;
  if asked is null then
    return;
  end if;

  probes := private.word_probes(asked);
  holders := private.count_holders(drawn, probes);
  rarity := private.rarities(array(
    select u.n * total / cardinality(drawn) from unnest(asked, holders) u (place, n) where u.place is not null), total);
  question := private.word_vector(asked, array(select u.idf * u.n from unnest(rarity, times) u (idf, n)));

  if known is not null then
    select array_agg(b.id), array_agg(b.words), array_agg(- b.distance) into pool, pool_words, pool_scores
      from (select d.* from (select k.id, k.words, question operator(extensions.<#>) k.words as distance
                               from unnest(known, drawn, spoken) k (id, words, language) where k.language = any (languages) offset 0) d
             where d.distance < 0 order by d.distance, d.id limit 200) b;
  else
    select array_agg(b.chunk_id), array_agg(b.words) into pool, pool_words
      from (select c.* from unnest(knowledges, teams, languages) k (id, team, language)
             cross join lateral (select c.chunk_id, c.words, question operator(extensions.<#>) c.words as distance
                                   from public.chunk_words c
                                  where c.team_id = k.team and c.knowledge_id = k.id and c.language = k.language
                                  order by distance limit 400) c
             order by c.distance limit 400) b
     where b.distance < 0;
    -- Of a rare word those that were drawn may hold none: then all that hold it are in the pool.
    rarity := private.rarities(array(
      select greatest(u.n * total / cardinality(drawn), u.pooled)
        from unnest(asked, holders, private.count_holders(pool_words, probes)) with ordinality u (place, n, pooled, i)
       where u.place is not null order by u.i), total);
    question := private.word_vector(asked, array(select u.idf * u.n from unnest(rarity, times) u (idf, n)));
    select array_agg(b.id), array_agg(b.words), array_agg(b.score) into pool, pool_words, pool_scores
      from (select p.id, p.words, - (question operator(extensions.<#>) p.words) as score
              from unnest(pool, pool_words) p (id, words) order by 3 desc, 1 limit 200) b;
  end if;
  if pool is null then
    return;
  end if;

  -- As one array of places and weights, which is faster than a row of text for each word. Weights of passages are whole numbers.
  select array_agg(f.place), array_agg(f.worth) into found, worths
    from (select b.numbers[i] as place, sum(b.score * b.numbers[i + 1]) as worth
            from (select p.score / pool_scores[1] as score,
                         (replace(split_part(p.words::text, '}', 1), ':', ',') || '}')::int[] as numbers
                    from unnest(pool_scores[1:2], pool_words[1:2]) p (score, words) offset 0) b
           cross join generate_series(1, cardinality(b.numbers), 2) i
           group by 1) f;
  -- The best 100 tell as well as all 200 which of these words are rare, at half the products.
  holders := private.count_holders(pool_words[1:100], private.word_probes(found));
  select array_agg(a.place), array_agg(a.worth * a.idf), sum(a.worth) into found, worths, gain
    from (select c.place, c.idf, c.worth * c.idf as worth
            -- In floats: Postgres takes some 40 µs for each logarithm of a numeric.
            from (select n.place, n.worth, n.chunks,
                         ln(1 + (least(cardinality(pool), 100)::float8 - n.chunks + 0.5::float8) / (n.chunks + 0.5::float8)) as idf
                    from unnest(found, worths, holders) n (place, worth, chunks)) c
           where c.chunks > 1 or c.place = any (asked)
           order by 3 desc, 1 limit 20) a;
  added := private.word_vector(found, worths);

  telling := array(
    select case when w.i <= own then ln(1 + exp(w.idf)) else 0 end from unnest(rarity) with ordinality w (idf, i) order by w.i);
  select array_agg(b.id), array_agg(b.score), array_agg(coalesce(b.told / nullif((select sum(t) from unnest(telling) t), 0), 0))
    into ids, scores, coverages
    from (select r.id, r.score, (
                   select sum(case when d.digits & 63 > 0 then telling[4 * d.probe - 3] else 0 end
                            + case when d.digits & 4032 > 0 then telling[4 * d.probe - 2] else 0 end
                            + case when d.digits & 258048 > 0 then telling[4 * d.probe - 1] else 0 end
                            + case when d.digits & 16515072 > 0 then telling[4 * d.probe] else 0 end)
                     from (select p.probe, (- (p.words operator(extensions.<#>) r.words))::int as digits
                             from unnest(probes[1:(own + 3) / 4]) with ordinality p (words, probe) offset 0) d) as told
            from (select p.id, p.words,
                         0.7 / (select sum(t) from unnest(times) t) * p.score
                         - 0.3 / gain * (added operator(extensions.<#>) p.words) as score
                    from unnest(pool, pool_words, pool_scores) p (id, words, score) order by 3 desc, 1 limit depth) r
           order by r.score desc, r.id) b;
end
$$;
revoke all on function private.rank_words(
  regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, uuid[], text[], text, int, text, text) from public;
grant execute on function private.rank_words(
  regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, uuid[], text[], text, int, text, text)
  to authenticated, service_role;

-- Ranks by words, each chunk in the language of its word forms, or its knowledge base's when unset. Rarity is counted across all languages;
-- otherwise a match in a language with few chunks would score too low. Reads a sample of 2,000 chunks at once. With fewer chunks the sample
-- is all of them and held is their number; otherwise held is null. Runs as the caller.
create function private.rank_text(
  knowledge_ids uuid[], query_text text, depth int, asked_in text default null, translation text default '',
  out ids uuid[], out scores float8[], out coverages float8[], out held int)
language plpgsql stable set search_path = '' as $$
declare
  -- Few enough to rank a small knowledge base from its sample.
  sample constant int := 2000;
  known uuid[];
  spoken text[];
  drawn extensions.sparsevec[];
  last_lot float8;
  total float8;
  language record;
  ranked record;
begin
  select array_agg(s.chunk_id), array_agg(s.words), array_agg(s.language), max(s.lot) into known, drawn, spoken, last_lot
    from (select c.chunk_id, c.words, c.lot, case l.code when '' then k.language else l.code end as language
            from public.knowledges k cross join unnest(private.document_languages() || '{""}') l (code)
           cross join lateral (select c.chunk_id, c.words, c.lot from public.chunk_words c
                                where c.team_id = k.team_id and c.knowledge_id = k.id and c.language = l.code
                                order by c.lot limit sample) c
           where k.id = any (knowledge_ids)
           order by c.lot limit sample) s;
  held := case when drawn is null then 0 when cardinality(drawn) < sample then cardinality(drawn) end;
  if held = 0 then
    return;
  end if;

  if held is not null and spoken[1] = all (spoken) then
    select r.ids, r.scores, r.coverages into ids, scores, coverages
      from private.rank_words(private.search_config(spoken[1]), null, null, spoken[1:1], drawn, held, known, spoken,
                              query_text, depth, asked_in, translation) r;
    return;
  end if;

  -- As many as the range of lots holds at the density of those that were drawn.
  total := coalesce(held, sample * 1e9 / greatest(last_lot, 1));
  for language in
    select private.search_config(u.language) as config, null::uuid[] as knowledges, null::uuid[] as teams, array_agg(u.language) as codes
      from (select distinct s.language from unnest(spoken) s (language) where held is not null) u group by 1
    union all
    select private.search_config(case l.code when '' then k.language else l.code end),
           array_agg(k.id), array_agg(k.team_id), array_agg(l.code)
      from public.knowledges k cross join unnest(private.document_languages() || '{""}') l (code)
     cross join lateral (select from public.chunk_words c
                          where c.team_id = k.team_id and c.knowledge_id = k.id and c.language = l.code limit 1) present
     where held is null and k.id = any (knowledge_ids) group by 1
  loop
    select r.* into ranked
      from private.rank_words(language.config, language.knowledges, language.teams, language.codes, drawn, total,
                              case when held is not null then known end, spoken, query_text, depth, asked_in, translation) r;
    ids := ids || ranked.ids;
    scores := scores || ranked.scores;
    coverages := coverages || ranked.coverages;
  end loop;
  select array_agg(u.id), array_agg(u.score), array_agg(u.coverage) into ids, scores, coverages
    from (select r.* from unnest(ids, scores, coverages) r (id, score, coverage) order by r.score desc, r.id) u;
end
$$;
revoke all on function private.rank_text(uuid[], text, int, text, text) from public;
grant execute on function private.rank_text(uuid[], text, int, text, text) to authenticated, service_role;

-- The chunks of an embedding space that are nearest to the question, moved halfway towards the mean of the chunks in pulled_by; best first.
-- Exact among the 600 nearest by the signs of their numbers and those that the search by words found. few: there are at most 600 chunks, so
-- all are compared exactly. The signs of a vector with few dimensions say too little, so such spaces are compared exactly too.
-- similarities: the cosine to the question itself. Runs as the caller.
create function private.rank_vectors(
  knowledge_ids uuid[], space uuid, question extensions.halfvec, pulled_by uuid[], by_text uuid[], few boolean, depth int,
  out ids uuid[], out scores float8[], out similarities float8[])
language plpgsql stable set search_path = '' as $$
declare
  size constant int := extensions.vector_dims(question);
  plain_question constant extensions.vector := question::extensions.vector;
  middle extensions.halfvec;
  target extensions.halfvec := question;
  ahead extensions.halfvec;
  behind extensions.halfvec;
  usual extensions.halfvec;
  -- The question's numbers in five steps, as pairs of bits: far above zero, above, at zero, below, far below.
  above bit varying;
  below bit varying;
  far_above bit varying;
  far_below bit varying;
begin
  if few then
    -- Each is read and converted once: WebAssembly takes nearly four times as long to compare numbers of half precision.
    with held as materialized (
      select ce.chunk_id, ce.numbers
        from public.knowledges k
       cross join lateral (select e.chunk_id, e.embedding::extensions.vector as numbers from public.chunk_embeddings e
                            where e.team_id = k.team_id and e.knowledge_id = k.id and e.vector_id = space offset 0) ce
       where k.id = any (knowledge_ids)
    ), aimed as materialized (
      select coalesce((question operator(extensions.+) question operator(extensions.+) m.middle)::extensions.vector,
                      plain_question) as target
        from (select extensions.avg(h.numbers)::extensions.halfvec as middle from held h where h.chunk_id = any (pulled_by)) m
    )
    select array_agg(n.chunk_id), array_agg(1 - n.distance), array_agg(1 - (n.numbers operator(extensions.<=>) plain_question))
      into ids, scores, similarities
      from (select h.chunk_id, h.numbers, h.numbers operator(extensions.<=>) a.target as distance
              from aimed a cross join held h order by distance, h.chunk_id limit depth) n;
    return;
  end if;

  if pulled_by is not null then
    middle := (select extensions.avg(ce.embedding)
                 from unnest(pulled_by) t (id)
                cross join lateral (select e.embedding from public.chunk_embeddings e
                                     where e.chunk_id = t.id and e.vector_id = space offset 0) ce);
    target := coalesce(question operator(extensions.+) question operator(extensions.+) middle, question);
  end if;
  ahead := extensions.l2_normalize(target);
  behind := extensions.l2_normalize(target operator(extensions.*) array_fill(-1::real, array[size])::extensions.halfvec);
  usual := array_fill((1 / sqrt(size))::real, array[size])::extensions.halfvec;
  above := extensions.binary_quantize(ahead);
  below := extensions.binary_quantize(behind);
  far_above := extensions.binary_quantize(ahead operator(extensions.-) usual);
  far_below := extensions.binary_quantize(behind operator(extensions.-) usual);
  select array_agg(n.chunk_id), array_agg(1 - n.distance), array_agg(1 - (n.embedding operator(extensions.<=>) question))
    into ids, scores, similarities
    from (select ce.chunk_id, ce.embedding, ce.embedding operator(extensions.<=>) target as distance
            from ((select b.chunk_id
                     from (select array_agg(distinct k.team_id) as teams, array_agg(k.id) as ids
                             from public.knowledges k where k.id = any (knowledge_ids)) s
                    cross join lateral (
                      select e.chunk_id
                        from public.chunk_embeddings e
                       where e.team_id = any (s.teams) and e.knowledge_id = any (s.ids) and e.vector_id = space
                       order by (e.bits operator(extensions.<~>) above) - (e.bits operator(extensions.<~>) below)
                              + (e.bits operator(extensions.<~>) far_above) - (e.bits operator(extensions.<~>) far_below)
                       limit case when size >= 256 then 600 end) b)
                  union
                  select unnest(by_text)) close
           -- Offset 0: each by its key, whatever the planner expects.
           cross join lateral (select * from public.chunk_embeddings e
                                where e.chunk_id = close.chunk_id and e.vector_id = space offset 0) ce
           order by distance, ce.chunk_id limit depth) n;
end
$$;
revoke all on function private.rank_vectors(
  uuid[], uuid, extensions.halfvec, uuid[], uuid[], boolean, int) from public;
grant execute on function private.rank_vectors(
  uuid[], uuid, extensions.halfvec, uuid[], uuid[], boolean, int) to authenticated, service_role;
