-- Search reads each vector of a small knowledge base once.

drop function private.rank_vectors(uuid[], uuid, extensions.halfvec, extensions.halfvec, uuid[], boolean, int);

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

-- Refuses a malformed list of embeddings, or one longer than a search of all spaces needs: each embedding is compared with every vector.
create or replace function private.check_embeddings(query_embeddings jsonb) returns void
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
create or replace function public.search_chunks(
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
end
$$;
