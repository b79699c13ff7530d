-- Search: the passages of one or more knowledge bases for a question, by words, by vectors, or by both. docs/decisions/0005-retrieval.md
-- explains the ranking and has the measurements.

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
  for i in 0 .. jsonb_array_length(query_embeddings) - 1 loop
    asked := query_embeddings -> i;
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

-- Maps scores linearly to 0 to 1 between the last and the best of their list. The last entry of a short list gets more than 0, in
-- proportion to the number of entries.
create function private.scaled(scores float8[]) returns float8[]
language plpgsql immutable set search_path = '' as $$
declare
  entries constant float8 := cardinality(scores);
  best constant float8 := scores[1];
  last constant float8 := scores[cardinality(scores)];
begin
  return array(
    select case when best > last then (s.score - last + (best - last) / entries) / ((best - last) * (1 + 1 / entries)) else 1 end
      from unnest(scores) with ordinality s (score, i) order by s.i);
end
$$;
revoke all on function private.scaled(float8[]) from public;
grant execute on function private.scaled(float8[]) to authenticated, service_role;

-- Reciprocal-rank fusion (k 60), in which each rank is weighted by its score relative to the list's best. A passage with a negative
-- similarity to the question gets 0 but still occupies its rank.
create function private.ranked_worths(scores float8[]) returns float8[]
language plpgsql immutable set search_path = '' as $$
declare
  best constant float8 := nullif(scores[1], 0);
begin
  return array(
    select coalesce(greatest(s.score, 0) / best * 61 / (60 + s.i), 0) from unnest(scores) with ordinality s (score, i) order by s.i);
end
$$;
revoke all on function private.ranked_worths(float8[]) from public;
grant execute on function private.ranked_worths(float8[]) to authenticated, service_role;

-- Smooths the worths of passages: .6 of its own and .4 of the worths of the five nearest passages, compared by vectors minus their mean.
-- The best worth is unchanged. Passages without a vector in these spaces keep theirs. Runs as the caller.
create function private.smoothed(chunk_ids uuid[], worths float8[], spaces uuid[]) returns float8[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with worthiest as materialized (
      select f.id, f.worth, e.vector_id, e.embedding
        from unnest(chunk_ids, worths) f (id, worth)
       cross join lateral (select * from public.chunk_embeddings ce where ce.chunk_id = f.id offset 0) e
       where e.vector_id = any (spaces)
    ), centred as materialized (
      -- In single precision, since each is compared with all: WebAssembly takes nearly four times as long for half of it.
      select w.id, w.worth, w.vector_id, extensions.l2_normalize(w.embedding operator(extensions.-) m.middle)::extensions.vector as numbers
        from worthiest w
        join (select u.vector_id, extensions.avg(u.embedding) as middle from worthiest u group by u.vector_id) m using (vector_id)
    ), mixed as materialized (
      -- Once, where a passage has a vector in two of these spaces.
      select c.id, max(0.6 * c.worth + 0.4 * coalesce(n.worth, c.worth)) as worth, max(max(c.worth)) over () as best
        from centred c cross join lateral (
          select sum(o.nearness * o.worth) / sum(o.nearness) as worth
            from (select - (b.numbers operator(extensions.<#>) c.numbers) as nearness, b.worth
                    from centred b where b.vector_id = c.vector_id and b.id <> c.id order by 1 desc limit 5) o
           where o.nearness > 0) n
       group by c.id
    )
    select coalesce(s.worth * s.best / nullif(max(s.worth) over (), 0), f.worth)
      from unnest(chunk_ids, worths) with ordinality f (id, worth, i) left join mixed s using (id) order by f.i);
end
$$;
revoke all on function private.smoothed(uuid[], float8[], uuid[]) from public;
grant execute on function private.smoothed(uuid[], float8[], uuid[]) to authenticated, service_role;

-- The best passages for a question, best first, among those that the caller may read. query_embeddings: [{ "vectorId": uuid, "embedding":
-- [number, ...] }], one for each embedding space of the knowledge bases; "[number, ...]" as a text is read in a third of the time. score, 0
-- to 1: a passage's worth in both lists, times how well the best passage fits the question at all, so that an off-topic question scores low
-- throughout. With the built-in embedding: reciprocal-rank fusion, private.ranked_worths(). With a semantic embedding: .35 of the score by
-- words and .65 of that by vector, each private.scaled(); ranks would let a weak list outvote a sure one. In the built-in embedding's space
-- alone the best two passages by words move the question halfway towards them (Rocchio 1971): a model that knows meaning gets worse by
-- words; and when more than 60 passages were found, the best 30 are private.smoothed(); a smaller set returns all of them anyway. asked_in,
-- translation: the question's language (null when unknown), and its words in the other languages for texts in those. vector_score: cosine
-- to the question; text_score: the share of its words that the passage holds. Raises 22023 beyond the limits of a search: 1,000 knowledge
-- bases, 1,000,000 bytes of text, 16 embeddings of one space each. JIT and custom plans are off: both take longer than running the query.
create function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid',
  asked_in text default null, translation text default '')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int, preface text)
language plpgsql stable set search_path = '' set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  text_ids uuid[];
  text_scores float8[];
  text_coverages float8[];
  held int;
  -- The embedding spaces of the question.
  spaces uuid[];
  sizes int[];
  pulls boolean[];
  questions text[];
  is_semantic boolean := false;
  question extensions.halfvec;
  near record;
  near_ids uuid[];
  near_ranks int[];
  near_worths float8[];
  similarities float8[];
  -- Both lists in one, best first.
  ids uuid[];
  worths float8[];
  text_ranks int[];
  vector_ranks int[];
  coverages float8[];
  vector_scores float8[];
  fit float8;
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

  if mode <> 'vector' then
    select r.ids, r.scores, r.coverages, r.held into text_ids, text_scores, text_coverages, held
      from private.rank_text(knowledge_ids, query_text, 100, asked_in, translation) r;
  end if;
  if mode <> 'text' then
    select array_agg(v.id), array_agg(v.dimensions), array_agg(v.model like 'offline-hash%'), array_agg(e ->> 'embedding')
      into spaces, sizes, pulls, questions
      from jsonb_array_elements(query_embeddings) e join public.vectors v on v.id = (e ->> 'vectorId')::uuid;
    is_semantic := coalesce(false = any (pulls), false);
  end if;
  for i in 1 .. coalesce(cardinality(spaces), 0) loop
    continue when questions[i] = '[]';
    question := questions[i]::extensions.halfvec;
    continue when extensions.vector_dims(question) <> sizes[i];
    question := extensions.l2_normalize(question);
    select r.* into near
      from private.rank_vectors(knowledge_ids, spaces[i], question, case when pulls[i] then text_ids[1:2] end, text_ids,
                                coalesce(held <= 600, false), 100) r;
    near_ids := near_ids || near.ids;
    similarities := similarities || near.similarities;
    near_ranks := near_ranks || array(select generate_series(1, cardinality(near.ids)));
    near_worths := near_worths || case when is_semantic then private.scaled(near.scores) else private.ranked_worths(near.scores) end;
  end loop;

  select array_agg(f.id), array_agg(f.worth), array_agg(f.text_rank), array_agg(f.vector_rank), array_agg(f.coverage),
         array_agg(f.similarity), greatest(max(f.coverage), max(f.similarity), 0)
    into ids, worths, text_ranks, vector_ranks, coverages, vector_scores, fit
    from (select id, t.rank::int as text_rank, v.rank as vector_rank, t.coverage, v.similarity,
                 coalesce(t.worth, 0) * case when is_semantic then 0.35 else 1 end
                 + coalesce(v.worth, 0) * case when is_semantic then 0.65 else 1 end as worth
            from unnest(text_ids, case when is_semantic then private.scaled(text_scores) else private.ranked_worths(text_scores) end,
                        text_coverages) with ordinality t (id, worth, coverage, rank)
            full join unnest(near_ids, near_worths, similarities, near_ranks) v (id, worth, similarity, rank) using (id)
           order by worth desc, least(t.rank, v.rank), id) f;
  if mode = 'hybrid' and not is_semantic and cardinality(ids) > 60 then
    worths := private.smoothed(ids[1:30], worths[1:30], spaces) || worths[31:];
  end if;
  if ids is null then
    return;
  end if;
  fit := least(1, fit) / case when not is_semantic then (text_ids is not null)::int + (near_ids is not null)::int
                              else 0.35 * (text_ids is not null)::int + 0.65 * (near_ids is not null)::int end;
  -- Narrows private.agent_document_ids(), and grants nothing.
  perform set_config('request.passages', ids::text, true);
  return query
  select c.id, c.document_id, c.source_id, c.knowledge_id, d.title, d.url, c.content,
         c.start_offset, c.end_offset, c.page, c.heading,
         f.worth * fit, f.similarity, f.vector_rank, f.coverage, f.text_rank, c.preface
    from (select u.* from unnest(ids, worths, text_ranks, vector_ranks, coverages, vector_scores)
                            u (id, worth, text_rank, vector_rank, coverage, similarity)
           order by u.worth desc, least(u.text_rank, u.vector_rank), u.id
           limit least(greatest(max_results, 1), 200)) f
    join public.chunks c on c.id = f.id
    join public.documents d on d.id = c.document_id
   order by f.worth desc, least(f.text_rank, f.vector_rank), c.id;
  perform set_config('request.passages', '', true);
end
$$;
revoke all on function public.search_chunks(uuid[], text, jsonb, int, text, text, text) from public, anon;
grant execute on function public.search_chunks(uuid[], text, jsonb, int, text, text, text) to authenticated, service_role;
