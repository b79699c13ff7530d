-- How rare a word is among chunks, and which words of a question count when its language differs from the texts'. sql/44_search.sql ranks
-- by them.

-- Counts the chunks that hold each word. Four words share one product: a chunk's hit is a digit of base 64, and a product of sparse vectors
-- is exact up to 2^24.
create function private.count_holders(chunks extensions.sparsevec[], places int[]) returns int[]
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
revoke all on function private.count_holders(extensions.sparsevec[], int[]) from public;
grant execute on function private.count_holders(extensions.sparsevec[], int[]) to authenticated, service_role;

-- The rarity of words (BM25's idf), from the number of chunks that hold each.
create function private.rarities(holders float8[], total float8) returns float8[]
language sql immutable set search_path = '' as $$
  select array_agg(ln(1 + (greatest(total, n) - n + 0.5) / (n + 0.5)) order by i) from unnest(holders) with ordinality h (n, i)
$$;
revoke all on function private.rarities(float8[], float8) from public;
grant execute on function private.rarities(float8[], float8) to authenticated, service_role;

-- True when the question's language differs from the texts' and Postgres knows the words of both.
create function private.is_foreign(config regconfig, asked_in text) returns boolean
language sql immutable set search_path = '' as $$
  select config <> 'pg_catalog.simple'::regconfig and private.search_config(asked_in) <> 'pg_catalog.simple'::regconfig
     and config <> private.search_config(asked_in)
$$;
revoke all on function private.is_foreign(regconfig, text) from public;
grant execute on function private.is_foreign(regconfig, text) to authenticated, service_role;

-- The stop words of a text in its language.
create function private.little_words(language text, content text) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(u.lexeme, ' '), '') from unnest(to_tsvector('pg_catalog.simple', content)) u
   where to_tsvector(private.search_config(language), u.lexeme) = ''
$$;
revoke all on function private.little_words(text, text) from public;
grant execute on function private.little_words(text, text) to authenticated, service_role;
