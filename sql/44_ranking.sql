-- The two rankings of a search, by words and by vectors; sql/44_search.sql fuses them. All of it is PL/pgSQL, which caches its plans
-- (before Postgres 18 a function in SQL is planned at every call). Lists are arrays in order of rank. In a product of sparse vectors the
-- shorter one comes first, which is faster.

-- Ranks the chunks of one language by BM25, and the best of them once more with the words that the best two add to the question (RM3:
-- Lavrenko and Croft 2001, weight 0.3, 20 words). A word repeated in the question counts as often. knowledges, teams, languages: where
-- these chunks are, as in chunk_words. drawn: chunks of every searched language, sampled by lot from so many in total. A word's rarity is
-- counted in them, and for rare words in the best 400. known, known_words: all chunks of this language, when the sample holds every chunk;
-- then knowledges, teams and languages are not read. A question in another language drops its stop words, which would look rare among the
-- texts; its translation counts beside its words, each at most as often. coverages, 0 to 1: the share of the question's own words, weighted
-- by rarity, that a chunk holds. Null when it finds nothing. Runs as the caller.
create function private.rank_words(
  config regconfig, knowledges uuid[], teams uuid[], languages text[], drawn extensions.sparsevec[], total float8,
  known uuid[], known_words extensions.sparsevec[], query_text text, depth int, asked_in text default null, translation text default '',
  out ids uuid[], out scores float8[], out coverages float8[])
language plpgsql stable set search_path = '' as $$
declare
  asked int[];
  times float8[];
  own int;
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
  idfs float8[];
begin
  select array_agg(w.place), array_agg(w.count), count(*) into asked, times, own
    from (select l.place, l.count from private.count_lexemes(config, left(query_text, 4000)) l
           order by l.count desc, length(l.lexeme) desc, l.lexeme limit 48) w;
  if asked_in is not null and private.is_foreign(config, asked_in) then
    select array_agg(w.place order by w.i), array_agg(w.count order by w.i), count(*) filter (where w.i = 0) into asked, times, own
      from (select 0 as i, u.place, u.count from unnest(asked, times) u (place, count)
             where u.place not in (
                   select l.place from private.count_lexemes(config, private.little_words(asked_in, left(query_text, 4000))) l)
            union all
            (select 1, l.place, 0.8 from private.count_lexemes(config, left(translation, 4000)) l
              where l.place <> all (coalesce(asked, '{}')) order by length(l.lexeme) desc, l.lexeme limit 48)) w;
  end if;
  if asked is null then
    return;
  end if;

  probes := private.word_probes(asked);
  holders := private.count_holders(drawn, probes);
  rarity := private.rarities(array(
    select u.n * total / cardinality(drawn) from unnest(asked, holders) u (place, n) where u.place is not null), total);
  question := private.word_vector(asked, array(select u.idf * u.n from unnest(rarity, times) u (idf, n))::real[]);

  if known is not null then
    select array_agg(b.id), array_agg(b.words), array_agg(- b.distance) into pool, pool_words, pool_scores
      from (select d.* from (select k.id, k.words, question operator(extensions.<#>) k.words as distance
                               from unnest(known, known_words) k (id, words) offset 0) d
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
    question := private.word_vector(asked, array(select u.idf * u.n from unnest(rarity, times) u (idf, n))::real[]);
    select array_agg(b.id), array_agg(b.words), array_agg(b.score) into pool, pool_words, pool_scores
      from (select p.id, p.words, - (question operator(extensions.<#>) p.words) as score
              from unnest(pool, pool_words) p (id, words) order by 3 desc, 1 limit 200) b;
  end if;
  if pool is null then
    return;
  end if;

  select array_agg(f.place), array_agg(f.worth) into found, worths
    from (select split_part(e, ':', 1)::int as place, sum(b.score * split_part(e, ':', 2)::float8) as worth
            from unnest(pool_scores[1:2], pool_words[1:2]) b (score, words)
           cross join string_to_table(trim(both '{' from split_part(b.words::text, '}', 1)), ',') e
           group by 1) f;
  holders := private.count_holders(pool_words, private.word_probes(found));
  select array_agg(a.place), array_agg(a.idf), array_agg(a.worth) into found, idfs, worths
    from (select c.place, c.idf, c.worth * c.idf as worth
            -- In floats: Postgres takes some 40 µs for each logarithm of a numeric.
            from (select n.place, n.worth, n.chunks,
                         ln(1 + (cardinality(pool)::float8 - n.chunks + 0.5::float8) / (n.chunks + 0.5::float8)) as idf
                    from unnest(found, worths, holders) n (place, worth, chunks)) c
           where c.chunks > 1 or c.place = any (asked)
           order by 3 desc, 1 limit 20) a;
  select private.word_vector(array_agg(u.place), array_agg(u.weight)) into question
    from (select e.place, sum(e.weight)::real as weight
            from (select w.place, 0.7 * w.n / (select sum(t) from unnest(times) t) * w.idf as weight
                    from unnest(asked, rarity, times) w (place, idf, n)
                  union all
                  select a.place, 0.3 * a.worth / nullif((select sum(t) from unnest(worths) t), 0) * a.idf
                    from unnest(found, idfs, worths) a (place, idf, worth)) e
           group by e.place) u;

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
                             from unnest(probes) with ordinality p (words, probe) offset 0) d) as told
            from (select p.id, p.words, - (question operator(extensions.<#>) p.words) as score
                    from unnest(pool, pool_words) p (id, words) order by 3 desc, 1 limit depth) r
           order by r.score desc, r.id) b;
end
$$;
revoke all on function private.rank_words(
  regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, uuid[], extensions.sparsevec[], text, int, text, text) from public;
grant execute on function private.rank_words(
  regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, uuid[], extensions.sparsevec[], text, int, text, text)
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
      from private.rank_words(private.search_config(spoken[1]), null, null, null, drawn, held, known, drawn,
                              query_text, depth, asked_in, translation) r;
    return;
  end if;

  -- As many as the range of lots holds at the density of those that were drawn.
  total := coalesce(held, sample * 1e9 / greatest(last_lot, 1));
  for language in
    select private.search_config(u.language) as config, array_agg(u.id) as ids, array_agg(u.words) as words,
           null::uuid[] as knowledges, null::uuid[] as teams, null::text[] as codes
      from unnest(known, drawn, spoken) u (id, words, language) where held is not null group by 1
    union all
    select private.search_config(case l.code when '' then k.language else l.code end), null, null,
           array_agg(k.id), array_agg(k.team_id), array_agg(l.code)
      from public.knowledges k cross join unnest(private.document_languages() || '{""}') l (code)
     cross join lateral (select from public.chunk_words c
                          where c.team_id = k.team_id and c.knowledge_id = k.id and c.language = l.code limit 1) present
     where held is null and k.id = any (knowledge_ids) group by 1
  loop
    select r.* into ranked
      from private.rank_words(language.config, language.knowledges, language.teams, language.codes, drawn, total,
                              language.ids, language.words, query_text, depth, asked_in, translation) r;
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

-- The chunks of an embedding space that are nearest to target, best first: exact among the 600 nearest by the signs of their numbers and
-- those that the search by words found. few: there are at most 600 chunks, so all are compared exactly. The signs of a vector with few
-- dimensions say too little, so such spaces are compared exactly too. similarities: the cosine to the question itself, which differs from
-- target when target was moved towards other passages. Runs as the caller.
create function private.rank_vectors(
  knowledge_ids uuid[], space uuid, question extensions.halfvec, target extensions.halfvec, by_text uuid[], few boolean, depth int,
  out ids uuid[], out scores float8[], out similarities float8[])
language plpgsql stable set search_path = '' as $$
declare
  size constant int := extensions.vector_dims(target);
  plain_question constant extensions.vector := question::extensions.vector;
  plain_target constant extensions.vector := target::extensions.vector;
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
    -- Each is converted once: WebAssembly takes nearly four times as long to compare numbers of half precision.
    select array_agg(n.chunk_id), array_agg(1 - n.distance), array_agg(1 - (n.numbers operator(extensions.<=>) plain_question))
      into ids, scores, similarities
      from (select ce.chunk_id, ce.numbers, ce.numbers operator(extensions.<=>) plain_target as distance
              from public.knowledges k
             cross join lateral (select e.chunk_id, e.embedding::extensions.vector as numbers from public.chunk_embeddings e
                                  where e.team_id = k.team_id and e.knowledge_id = k.id and e.vector_id = space offset 0) ce
             where k.id = any (knowledge_ids)
             order by distance, ce.chunk_id limit depth) n;
    return;
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
  uuid[], uuid, extensions.halfvec, extensions.halfvec, uuid[], boolean, int) from public;
grant execute on function private.rank_vectors(
  uuid[], uuid, extensions.halfvec, extensions.halfvec, uuid[], boolean, int) to authenticated, service_role;
