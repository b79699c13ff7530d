-- Takes a database with data from the schema before to that of sql/: read documents of passages.

create or replace function private.agent_document_ids() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  passages constant uuid[] := nullif(current_setting('request.passages', true), '')::uuid[];
begin
  if passages is not null then
    return array(
      select distinct c.document_id
        from public.chunks c
       cross join lateral (
         select from public.document_indexes di where di.knowledge_id = c.knowledge_id and di.document_id = c.document_id limit 1) di
       where c.id = any (passages) and c.knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));
  end if;
  return array(
    select di.document_id from public.document_indexes di where di.knowledge_id = any (private.agent_knowledge_ids()));
end
$$;

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
