-- A search by words looks for the languages that a knowledge base holds. Apart from the new column, whose lock shuts readers out: while the
-- index is built they go on reading.
create index chunk_words_language_idx on public.chunk_words (team_id, knowledge_id, language, lot);

drop function private.rank_text(uuid[], text, int, text, text);
drop function private.rank_words(regconfig, uuid[], uuid[], text, int, text, text);

-- Ranks the chunks of one language by BM25, and the best of them once more with the words that the best two add to
-- the question (RM3: Lavrenko and Croft 2001, weight 0.3, 20 words). A word that the question repeats counts as often.
-- knowledges, teams, languages: where these chunks are, as chunk_words has it. drawn: chunks of every language that is searched, drawn
-- by lot from so many in total: how rare a word is, is counted in them, and for rare words in the best 400.
-- A question in another language leaves its little words out, which would look rare among the texts, and its
-- translation counts beside its words, each at most as often.
-- coverage, 0 to 1: the share of the question's own words, weighted by rarity, that a chunk holds. Runs as the caller.
create function private.rank_words(
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
    select n.place, n.worth, n.chunks, ln(1 + (l.pooled - n.chunks + 0.5) / (n.chunks + 0.5)) as idf
      from (select array_agg(place) as places, array_agg(worth) as worths, (select count(*) from ranked) as pooled from found) l
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
revoke all on function private.rank_words(regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, text, int, text, text)
  from public;
grant execute on function private.rank_words(regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, text, int, text, text)
  to authenticated, service_role;

-- Ranks by words, each chunk in the language that its words were taken from: that of its knowledge, where they do not say. Rarity is counted
-- over all languages together, or what is said in one that few chunks have would be worth little. Runs as the caller.
create function private.rank_text(
  knowledge_ids uuid[], query_text text, depth int, asked_in text default null, translation text default '')
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable set search_path = '' as $$
declare
  ids uuid[];
  teams uuid[];
  languages text[];
  configs regconfig[];
  drawn extensions.sparsevec[];
  last_lot float8;
  total float8;
  same_language record;
begin
  select array_agg(k.id), array_agg(k.team_id), array_agg(l.code),
         array_agg(private.search_config(case l.code when '' then k.language else l.code end))
    into ids, teams, languages, configs
    from public.knowledges k cross join unnest(private.document_languages() || '{""}') l (code)
   cross join lateral (select from public.chunk_words c
                        where c.team_id = k.team_id and c.knowledge_id = k.id and c.language = l.code limit 1) held
   where k.id = any (knowledge_ids);

  select array_agg(s.words), max(s.lot) into drawn, last_lot
    from (select c.lot, c.words from unnest(ids, teams, languages) k (id, team, language)
           cross join lateral (select c.lot, c.words from public.chunk_words c
                                where c.team_id = k.team and c.knowledge_id = k.id and c.language = k.language
                                order by c.lot limit 2000) c
           order by c.lot limit 2000) s;
  -- As many as the range of lots holds at the density of those that were drawn.
  total := case when cardinality(drawn) < 2000 then cardinality(drawn) else 2000 * 1e9 / greatest(last_lot, 1) end;

  for same_language in
    select p.config, array_agg(p.id) as ids, array_agg(p.team) as teams, array_agg(p.language) as languages
      from unnest(ids, teams, languages, configs) p (id, team, language, config) group by 1
  loop
    return query
      select * from private.rank_words(same_language.config, same_language.ids, same_language.teams, same_language.languages,
                                       drawn, total, query_text, depth, asked_in, translation);
  end loop;
end
$$;
revoke all on function private.rank_text(uuid[], text, int, text, text) from public;
grant execute on function private.rank_text(uuid[], text, int, text, text) to authenticated, service_role;

drop index public.chunk_words_search_idx;
alter index public.chunk_words_language_idx rename to chunk_words_search_idx;
