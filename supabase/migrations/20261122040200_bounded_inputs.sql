-- Functions bound what they are asked for, whichever way the question comes: limits that only /v1 keeps are no limits.
create or replace function public.create_team(name text, codename text default null) returns public.teams
language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.user_id();
  made_up constant text := coalesce(nullif(private.slug(left(name, 200)), ''), 'team');
  wanted text := coalesce(nullif(codename, ''), made_up);
  team public.teams;
begin
  if caller is null then
    raise exception 'only a user makes a team' using errcode = '42501';
  end if;
  loop
    begin
      insert into public.teams (name, codename, created_by) values (create_team.name, wanted, caller) returning * into team;
      exit;
    exception when unique_violation then
      if nullif(create_team.codename, '') is not null then
        raise;
      end if;
      -- A made-up codename gives way to those that are there.
      wanted := made_up || '-' || substr(md5(gen_random_uuid()::text), 1, 6);
    end;
  end loop;
  insert into public.team_users (team_id, user_id, email, role_id, status)
  select team.id, u.id, lower(u.email), '00000000-0000-7000-8000-000000000001', 'accepted'
    from public.users u where u.id = caller;
  return team;
end
$$;

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

create or replace function public.search_chunks(
  knowledge_ids uuid[], query_text text, query_embeddings jsonb default '[]', max_results int default 50, mode text default 'hybrid')
returns table (
  chunk_id uuid, document_id uuid, source_id uuid, knowledge_id uuid, title text, url text, content text,
  start_offset int, end_offset int, page int, heading text,
  score float8, vector_score float8, vector_rank int, text_score float8, text_rank int)
language plpgsql stable set search_path = '' as $$
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

create or replace function public.chat_insights(team uuid, agent uuid, first_day date, last_day date, grain text)
returns table (
  date date, chats bigint, messages bigint, visitors bigint, up bigint, down bigint, unanswered bigint,
  median_reply_ms double precision
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  since timestamptz;
  until timestamptz;
begin
  if grain is null or grain not in ('day', 'week', 'month', 'range') then
    raise exception 'grain is day, week, month or range' using errcode = '22023';
  end if;
  -- Infinity is a date, and has no end.
  if not coalesce(first_day between '0001-01-01' and '9999-12-30' and last_day between first_day and '9999-12-30'
                  and last_day - first_day <= 3660, false) then
    raise exception 'the range has a first and a last day, ten years apart at most' using errcode = '22023';
  end if;
  since := first_day::timestamp at time zone 'UTC';
  until := (last_day + 1)::timestamp at time zone 'UTC';
  if team is null or team <> all (private.teams_with('agents.read'))
     or (agent is not null and not exists (select 1 from public.agents a where a.id = agent and a.team_id = team))
  then
    raise exception 'no such agent' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('insights.read')) then
    raise exception 'may not read insights' using errcode = '42501';
  end if;
  return query
  with buckets as (
    select first_day as bucket where grain = 'range'
    union all
    select b::date
      from generate_series(date_trunc(nullif(grain, 'range'), first_day::timestamp), last_day::timestamp,
                           ('1 ' || nullif(grain, 'range'))::interval) as b
  ), begun as (
    select coalesce(date_trunc(nullif(grain, 'range'), c.created_at at time zone 'UTC')::date, first_day) as bucket,
           count(*) as chats,
           count(*) filter (where c.rating = 'up') as up, count(*) filter (where c.rating = 'down') as down
      from public.chats c
     where c.team_id = team and c.created_at >= since and c.created_at < until and (agent is null or c.agent_id = agent)
     group by 1
  ), said as (
    select coalesce(date_trunc(nullif(grain, 'range'), m.created_at at time zone 'UTC')::date, first_day) as bucket,
           count(*) filter (where m.role = 'user') as messages,
           count(distinct m.visitor_id) as visitors,
           count(*) filter (where m.rating = 'up') as up, count(*) filter (where m.rating = 'down') as down,
           count(*) filter (where m.unanswered) as unanswered,
           percentile_cont(0.5) within group (order by extract(epoch from m.finished_at - m.created_at) * 1000)
             filter (where m.role = 'assistant' and m.status = 'complete') as median_reply_ms
      from public.messages m
     where m.team_id = team and m.created_at >= since and m.created_at < until
       and (agent is null or exists (select 1 from public.chats c where c.id = m.chat_id and c.agent_id = agent))
     group by 1
  )
  select bu.bucket, coalesce(be.chats, 0), coalesce(sa.messages, 0), coalesce(sa.visitors, 0),
         coalesce(be.up, 0) + coalesce(sa.up, 0), coalesce(be.down, 0) + coalesce(sa.down, 0),
         coalesce(sa.unanswered, 0), sa.median_reply_ms
    from buckets bu
    left join begun be on be.bucket = bu.bucket
    left join said sa on sa.bucket = bu.bucket
   order by bu.bucket;
end
$$;

-- Rows that were written past /v1 and are longer than it allows are cut to what it does.
update public.agents
   set suggested_prompts = array(select left(p, 300) from unnest(suggested_prompts) p limit 12)
 where char_length(array_to_string(suggested_prompts, '', '')) > 3600;
-- No site that exists has so long a name; an empty list would let every site in.
update public.agents
   set allowed_origins = coalesce(
     nullif(array(select o from unnest(allowed_origins) o where char_length(o) <= 300), '{}'), '{https://none.invalid}')
 where char_length(array_to_string(allowed_origins, '', '')) > 15000;
alter table public.agents
  drop constraint agents_suggested_prompts_check,
  add constraint agents_suggested_prompts_check
    check (cardinality(suggested_prompts) <= 12 and char_length(array_to_string(suggested_prompts, '', '')) <= 3600),
  drop constraint agents_allowed_origins_check,
  add constraint agents_allowed_origins_check check (
    cardinality(allowed_origins) <= 50 and char_length(array_to_string(allowed_origins, '', '')) <= 15000
    and array_to_string(allowed_origins, ' ', '?')
        ~ '^$|^https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?( https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?)*$');
