-- Takes a database with data from the schema before to that of sql/: a search by words reads a small knowledge base once.

drop function private.rank_words(regconfig, uuid[], uuid[], text[], extensions.sparsevec[], float8, text, int, text, text);
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

create or replace function private.rank_text(
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
