-- Search: the passages of one or more knowledges for a question, by words, by vectors, or by both.
-- docs/decisions/0005-retrieval.md says why it ranks like this and what was measured.

-- A lexeme as a tsquery, whatever characters it holds.
create function private.lexeme_query(lexeme text) returns tsquery
language sql immutable set search_path = '' as $$
  select ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery
$$;
revoke all on function private.lexeme_query(text) from public;

-- Ranks the chunks of knowledges of one language by BM25 (k1 1.2, b 0.75; title and heading count twice), then once more
-- with the words that the best two add to the question (RM3: Lavrenko and Croft 2001, weight 0.3, 20 words).
-- coverage, 0 to 1: the share of the question's words, weighted by rarity, that a chunk holds.
-- Not granted to anyone: it reads past row-level security, private.rank_text() says for whom.
create function private.rank_lexemes(config regconfig, knowledges uuid[], query_text text, depth int)
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable set search_path = '' as $$
declare
  words text[] := array(
    select u.lexeme from unnest(to_tsvector(config, left(query_text, 4000))) u
     order by cardinality(u.positions) desc, length(u.lexeme) desc, u.lexeme limit 48);
  markers tsquery;
  any_word tsquery;
  total float8;
begin
  if cardinality(words) = 0 then
    return;
  end if;
  select string_agg(private.lexeme_query(private.knowledge_marker(k))::text, ' | ')::tsquery into markers from unnest(knowledges) k;
  select string_agg(private.lexeme_query(w)::text, ' | ')::tsquery into any_word from unnest(words) w;
  select count(*) into total from public.chunks c where c.knowledge_id = any (knowledges);

  return query
  with asked as (
    select w as word, private.lexeme_query(w) as query from unnest(words) w
  ), hits as materialized (
    -- Concatenating nothing unpacks the lexemes once for all words, not once for each.
    select c.id, a.word, ts_rank('{0.5,0.5,1,1}', c.lexemes, a.query) as strength
      from (select m.id, m.lexemes || ''::tsvector as lexemes from public.chunks m
             where m.lexemes @@ (markers && any_word) offset 0) c
      join asked a on c.lexemes @@ a.query
  ), weights as materialized (
    select a.word, ln(1 + (total - count(h.id) + 0.5) / (count(h.id) + 0.5)) as idf,
           ln(1 + total / (count(h.id) + 0.5)) as telling
      from asked a left join hits h using (word) group by a.word
  ), pool as materialized (
    -- Reading every lexeme of a chunk costs a hundred times a lookup: only the most promising are read.
    select h.id, sum(w.telling) / (select sum(telling) from weights) as coverage
      from hits h join weights w using (word)
     group by h.id order by sum(w.idf * h.strength) desc, h.id limit 200
  ), terms as materialized (
    select c.id, c.coverage, u.lexeme, u.lexeme = any (words) as asked, t.count / (t.count + c.norm) as tf
      from (select p.id, p.coverage, m.lexemes, 1.2 * (0.25 + 0.75 * m.tokens / avg(m.tokens::float8) over ()) as norm
              from pool p join public.chunks m on m.id = p.id) c
     cross join unnest(c.lexemes) u
     cross join lateral (select cardinality(u.positions) + cardinality(array_positions(u.weights, 'A'))
                                                         + cardinality(array_positions(u.weights, 'B')) as count) t
     where u.positions is not null
  ), best as materialized (
    select t.id, sum(w.idf * t.tf) as score
      from terms t join weights w on w.word = t.lexeme
     where t.asked and t.coverage >= 0.3
     group by t.id order by score desc, t.id limit 2
  ), found as materialized (
    select t.lexeme, sum(b.score * t.tf) as worth from best b join terms t using (id) group by t.lexeme
  ), added as (
    select lexeme, n.idf, f.worth * n.idf as worth
      from found f
      join (select t.lexeme, ln(1 + (pooled - count(*) + 0.5) / (count(*) + 0.5::float8)) as idf, count(*) as chunks, bool_or(asked) as asked
              from terms t cross join (select count(*)::float8 as pooled from pool) p
             where t.lexeme in (select lexeme from found) group by t.lexeme, pooled) n using (lexeme)
     where n.chunks > 1 or n.asked
     order by 3 desc, 1 limit 20
  ), expanded as materialized (
    select lexeme, sum(weight) as weight
      from (select word as lexeme, 0.7 / cardinality(words) * idf as weight from weights
            union all
            select lexeme, 0.3 * worth / nullif(sum(worth) over (), 0) * idf from added) w
     group by lexeme
  )
  select t.id, sum(e.weight * t.tf) as score, t.coverage
    from terms t join expanded e using (lexeme)
   group by t.id, t.coverage order by score desc, t.id limit depth;
end
$$;
revoke all on function private.rank_lexemes(regconfig, uuid[], text, int) from public;

-- Ranks by words in those of the knowledges that the caller may read, and gives ids and numbers only.
-- Security definer: @@ is not leakproof, so under row-level security it could not use the text index. The condition is
-- that of the two policies on chunks, and a test holds them to the same answer.
-- Who may: readers of the knowledges, agents of theirs, the service. Checks: knowledges.read, agent_knowledge_ids, or that no client asks.
create function private.rank_text(knowledge_ids uuid[], query_text text, depth int)
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable security definer set search_path = '' as $$
declare
  same_language record;
begin
  for same_language in
    select private.search_config(k.language) as config, array_agg(k.id) as ids
      from public.knowledges k
     where k.id = any (knowledge_ids)
       and (k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
         or k.id = any ((select private.agent_knowledge_ids())::uuid[])
         or not private.is_client())
     group by 1
  loop
    return query select * from private.rank_lexemes(same_language.config, same_language.ids, query_text, depth);
  end loop;
end
$$;
revoke all on function private.rank_text(uuid[], text, int) from public;
grant execute on function private.rank_text(uuid[], text, int) to authenticated, service_role;

-- The chunks nearest to the question in each embedding space, exactly. feedback: chunks that a first ranking trusts;
-- they pull the question halfway towards them (Rocchio 1971). similarity is the cosine to the question itself.
-- Runs as the caller. "dimensions" chooses between the covering index and the one for spaces too large for it.
create function private.rank_vectors(knowledge_ids uuid[], query_embeddings jsonb, feedback uuid[], depth int)
returns table (chunk_id uuid, vector_id uuid, score float8, similarity float8)
language sql stable set search_path = '' as $$
  with visible as (
    select array_agg(distinct k.team_id) as teams, array_agg(k.id) as ids
      from public.knowledges k where k.id = any (knowledge_ids)
  ), asked as (
    select v.id as vector_id, v.dimensions, extensions.l2_normalize((e ->> 'embedding')::extensions.halfvec) as question
      from jsonb_array_elements(query_embeddings) e join public.vectors v on v.id = (e ->> 'vectorId')::uuid
     where jsonb_array_length(e -> 'embedding') = v.dimensions
  ), trusted as (
    select ce.vector_id, extensions.avg(ce.embedding) as middle
      from public.chunk_embeddings ce where ce.chunk_id = any (feedback) group by ce.vector_id
  ), pulled as materialized (
    select a.vector_id, a.question,
           case when t.middle is null then a.question
                else a.question operator(extensions.+)
                     (t.middle operator(extensions.*) array_fill(0.5::real, array[a.dimensions])::extensions.halfvec) end as target
      from asked a left join trusted t using (vector_id)
  )
  select near.chunk_id, p.vector_id, 1 - near.distance, 1 - (near.embedding operator(extensions.<=>) p.question)
    from visible s cross join pulled p cross join lateral (
      (select ce.chunk_id, ce.embedding, ce.embedding operator(extensions.<=>) p.target as distance
         from public.chunk_embeddings ce
        where ce.team_id = any (s.teams) and ce.knowledge_id = any (s.ids) and ce.vector_id = p.vector_id
          and ce.dimensions <= 1024
        order by distance limit depth)
      union all
      (select ce.chunk_id, ce.embedding, ce.embedding operator(extensions.<=>) p.target as distance
         from public.chunk_embeddings ce
        where ce.team_id = any (s.teams) and ce.knowledge_id = any (s.ids) and ce.vector_id = p.vector_id
          and ce.dimensions > 1024
        order by distance limit depth)) near
$$;
revoke all on function private.rank_vectors(uuid[], jsonb, uuid[], int) from public;
grant execute on function private.rank_vectors(uuid[], jsonb, uuid[], int) to authenticated, service_role;

-- Refuses what is no list of embeddings, or longer than a search of all spaces needs: each one is compared with every vector.
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
    if jsonb_typeof(asked) <> 'object' or jsonb_typeof(asked -> 'embedding') is distinct from 'array'
       or jsonb_array_length(asked -> 'embedding') > 4000 or asked ->> 'vectorId' is null
       or asked ->> 'vectorId' = any (spaces)
    then
      raise exception 'each embedding has a vectorId of its own and at most 4,000 numbers' using errcode = '22023';
    end if;
    spaces := spaces || (asked ->> 'vectorId');
  end loop;
end
$$;
revoke all on function private.check_embeddings(jsonb) from public;
grant execute on function private.check_embeddings(jsonb) to authenticated, service_role;

-- The passages that best answer a question, best first, among those that the caller may read.
-- query_embeddings: [{ "vectorId": uuid, "embedding": [number, ...] }], one for each embedding space of the knowledges.
-- score, 0 to 1: reciprocal-rank fusion (k 60) in which a rank is worth its score's share of the list's best, times how well
-- the best passage fits the question at all, so that an off-topic question scores low throughout.
-- vector_score: cosine to the question; text_score: the share of its words that the passage holds.
-- Raises 22023 for more than a search is for: 1,000 knowledges, 1,000,000 bytes of text, 16 embeddings of one space each.
-- Without compiling its plans first, which takes longer than running them.
create function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int)
language plpgsql stable set search_path = '' set jit = off as $$
begin
  if mode is null or mode not in ('hybrid', 'vector', 'text') then
    raise exception 'mode is hybrid, vector or text' using errcode = '22023';
  end if;
  if cardinality(knowledge_ids) > 1000 then
    raise exception 'at most 1,000 knowledges are searched at once' using errcode = '22023';
  end if;
  if octet_length(query_text) > 1000000 then
    raise exception 'the text is longer than 1,000,000 bytes' using errcode = '22023';
  end if;
  perform private.check_embeddings(query_embeddings);
  return query
  with by_text as materialized (
    select t.chunk_id, t.coverage, (row_number() over (order by t.score desc, t.chunk_id))::int as rank,
           t.score / nullif(max(t.score) over (), 0) as share
      from private.rank_text(knowledge_ids, query_text, 100) t where mode <> 'vector'
  ), by_vector as materialized (
    select v.chunk_id, v.similarity,
           (row_number() over (partition by v.vector_id order by v.score desc, v.chunk_id))::int as rank,
           greatest(v.score, 0) / nullif(max(v.score) over (partition by v.vector_id), 0) as share
      from private.rank_vectors(knowledge_ids, case when mode = 'text' then '[]' else query_embeddings end,
             array(select t.chunk_id from by_text t where t.coverage >= 0.3 order by t.rank limit 2), 100) v
  ), fused as (
    select coalesce(t.chunk_id, v.chunk_id) as id, t.rank as text_rank, t.coverage, v.rank as vector_rank, v.similarity,
           coalesce(t.share * 61 / (60 + t.rank), 0) + coalesce(v.share * 61 / (60 + v.rank), 0) as worth
      from by_text t full join by_vector v using (chunk_id)
  ), confident as (
    select least(1, greatest(max(coverage), max(similarity), 0))
             / nullif((select count(*) from (select from by_text limit 1) t)
                    + (select count(*) from (select from by_vector limit 1) v), 0) as factor
      from fused
  )
  select c.id, c.document_id, c.source_id, c.knowledge_id, d.title, d.url, c.content,
         c.start_offset, c.end_offset, c.page, c.heading,
         f.worth * n.factor, f.similarity, f.vector_rank, f.coverage, f.text_rank
    -- What is farther than a right angle from the question is worth nothing, and still has its rank.
    from (select * from fused u order by u.worth desc, least(u.text_rank, u.vector_rank), u.id
           limit least(greatest(max_results, 1), 200)) f
    cross join confident n
    join public.chunks c on c.id = f.id
    join public.documents d on d.id = c.document_id
   order by f.worth desc, least(f.text_rank, f.vector_rank), c.id;
end
$$;
revoke all on function public.search_chunks(uuid[], text, jsonb, int, text) from public, anon;
grant execute on function public.search_chunks(uuid[], text, jsonb, int, text) to authenticated, service_role;
