-- Takes a database with data from the schema before to that of sql/: read feedback words as whole numbers.
create or replace function private.rank_words(
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
