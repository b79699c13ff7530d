-- The rarity of a word among chunks, for sql/44_ranking.sql.

-- Packs words, four to a vector, so that one product finds in a chunk which of the four it holds: each word is one digit in base 64, and a
-- product of sparse vectors is exact up to 2^24.
create function private.word_probes(places int[]) returns extensions.sparsevec[]
language plpgsql immutable set search_path = '' as $$
begin
  return array(
    -- As private.word_vector() makes it: a call for each would cost more than the products.
    select ('{' || places[i] || ':1' || coalesce(',' || places[i + 1] || ':64', '') || coalesce(',' || places[i + 2] || ':4096', '')
            || coalesce(',' || places[i + 3] || ':262144', '') || '}/1000000000')::extensions.sparsevec
      from generate_series(1, cardinality(places), 4) i order by i);
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
