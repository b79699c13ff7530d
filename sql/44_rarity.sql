-- The rarity of a word among chunks, and which words of a question count when its language differs from the texts'. sql/44_ranking.sql uses
-- both.

-- Packs words, four to a vector, so that one product finds in a chunk which of the four it holds: each word is one digit in base 64, and a
-- product of sparse vectors is exact up to 2^24.
create function private.word_probes(places int[]) returns extensions.sparsevec[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    -- As private.word_vector() makes it: a call for each would cost more than the products.
    select ('{' || string_agg(p.place || case (p.i - 1) % 4 when 0 then ':1' when 1 then ':64' when 2 then ':4096' else ':262144' end, ',')
            || '}/1000000000')::extensions.sparsevec
      from unnest(places) with ordinality p (place, i) group by (p.i - 1) / 4 order by (p.i - 1) / 4);
end
$$;
revoke all on function private.word_probes(int[]) from public;
grant execute on function private.word_probes(int[]) to authenticated, service_role;

-- Counts the chunks that hold each word of private.word_probes(). Most products are 0 and need no further step.
create function private.count_holders(chunks extensions.sparsevec[], probes extensions.sparsevec[]) returns int[]
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select array_agg(u.count order by held.probe, u.i)
      from (select p.probe, (
              select array[count(*) filter (where d.digits & 63 > 0), count(*) filter (where d.digits & 4032 > 0),
                           count(*) filter (where d.digits & 258048 > 0), count(*) filter (where d.digits & 16515072 > 0)]
                from (select (- c.product)::int as digits
                        from (select p.words operator(extensions.<#>) r.words as product from unnest(chunks) r (words) offset 0) c
                       where c.product < 0 offset 0) d) as counts
              from unnest(probes) with ordinality p (words, probe) offset 0) held
     cross join unnest(held.counts) with ordinality u (count, i));
end
$$;
revoke all on function private.count_holders(extensions.sparsevec[], extensions.sparsevec[]) from public;
grant execute on function private.count_holders(extensions.sparsevec[], extensions.sparsevec[]) to authenticated, service_role;

-- The rarity of words (BM25's idf), from the number of chunks that hold each.
create function private.rarities(holders float8[], total float8) returns float8[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(select ln(1 + (greatest(total, h.n) - h.n + 0.5) / (h.n + 0.5)) from unnest(holders) with ordinality h (n, i) order by h.i);
end
$$;
revoke all on function private.rarities(float8[], float8) from public;
grant execute on function private.rarities(float8[], float8) to authenticated, service_role;

-- True when the question's language differs from the texts' and Postgres knows the words of both.
create function private.is_foreign(config regconfig, asked_in text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return config <> 'pg_catalog.simple'::regconfig and private.search_config(asked_in) <> 'pg_catalog.simple'::regconfig
     and config <> private.search_config(asked_in);
end
$$;
revoke all on function private.is_foreign(regconfig, text) from public;
grant execute on function private.is_foreign(regconfig, text) to authenticated, service_role;

-- The stop words of a text in its language.
create function private.little_words(language text, content text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select coalesce(string_agg(u.lexeme, ' '), '') from unnest(to_tsvector('pg_catalog.simple', content)) u
     where to_tsvector(private.search_config(language), u.lexeme) = '');
end
$$;
revoke all on function private.little_words(text, text) from public;
grant execute on function private.little_words(text, text) to authenticated, service_role;
