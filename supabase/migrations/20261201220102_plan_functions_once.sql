-- Postgres planned these functions in SQL at every call. In PL/pgSQL each session keeps their plans. What they return is the same.

create or replace function private.is_client() returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('role', true) in ('anon', 'authenticated'), false);
end
$$;

create or replace function private.is_restoring() returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('parley.restoring', true) = 'on', false);
end
$$;

create or replace function private.is_plain_text(value text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return value !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
     and value ~ '[^\u0020\u00a0\u034f\u061c\u115f\u1160\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0]';
end
$$;

create or replace function private.take_hits(limit_keys text[], max_hits int[], window_seconds int[])
returns table (key text, seconds int)
language plpgsql volatile set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    with asked as (
      select left(h.key, 300) as key, h.max, h.width,
             to_timestamp(floor(extract(epoch from clock_timestamp()) / h.width) * h.width) as started
        from unnest(limit_keys, max_hits, window_seconds) as h (key, max, width)
    ), counted as (
      insert into private.rate_limits as r (key, window_start)
      select a.key, a.started from asked a order by a.key
      on conflict (key, window_start) do update set hits = least(r.hits + 1, 1000000)
      returning r.key, r.hits
    )
    select a.key, greatest(1, ceil(extract(epoch from a.started - clock_timestamp()) + a.width)::int)
      from asked a join counted c on c.key = a.key
     where c.hits > a.max;
end
$$;

create or replace function private.role_id_in(team uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select tu.role_id from public.team_users tu
     where tu.team_id = team and tu.user_id = private.user_id() and tu.status = 'accepted'
    union all
    select k.role_id from private.calling_key k where k.team_id = team
     limit 1);
end
$$;

create or replace function private.role_in(team uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select r.codename from public.roles r where r.id = private.role_id_in(team));
end
$$;

create or replace function private.role_permissions_in(team uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return case when private.claims() ? 'api_key_id' then private.permissions_in(team)
              else coalesce((select r.permissions from public.roles r where r.id = private.role_id_in(team)), '{}') end;
end
$$;

create or replace function private.my_invitations()
returns table (team_id uuid, status text, role_id uuid, role text, invited_by text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select tu.team_id, tu.status, tu.role_id, r.codename, u.name
      from public.team_users tu
      join public.roles r on r.id = tu.role_id
      left join public.users u on u.id = tu.invited_by
     where tu.user_id is null and tu.email = (select private.confirmed_email()) and tu.status = 'pending';
end
$$;

create or replace function private.little_words(language text, content text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select coalesce(string_agg(u.lexeme, ' '), '') from unnest(to_tsvector('pg_catalog.simple', content)) u
     where to_tsvector(private.search_config(language), u.lexeme) = '');
end
$$;

create or replace function private.is_foreign(config regconfig, asked_in text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return config <> 'pg_catalog.simple'::regconfig and private.search_config(asked_in) <> 'pg_catalog.simple'::regconfig
     and config <> private.search_config(asked_in);
end
$$;

create or replace function private.models_of(team uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'connections', coalesce((
        select jsonb_agg(jsonb_build_object(
                 'id', m.id, 'isTeams', m.team_id is not null, 'role', m.role, 'provider', m.provider, 'baseUrl', m.base_url,
                 'model', m.model, 'sealedKey', encode(m.api_key, 'base64'), 'dimensions', m.dimensions,
                 'promptPrice', m.prompt_price, 'completionPrice', m.completion_price) order by m.id desc)
          from private.models m where m.team_id = team or m.team_id is null), '[]'),
      'isCapped', exists (select from private.model_budgets b
                           where b.team_id = team and (b.team_cap is not null or b.installation_cap is not null))));
end
$$;

create or replace function private.is_public_agent(agent uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from public.agents a where a.id = agent and a.visibility = 'public');
end
$$;

create or replace function private.is_public_chat(chat uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select 1 from public.chats c join public.agents a on a.id = c.agent_id where c.id = chat and a.visibility = 'public');
end
$$;

create or replace function private.start_of_day(day date, zone text) returns timestamptz
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return (
    select case when (later - interval '1 hour') at time zone zone = day::timestamp then later - interval '1 hour' else later end
      from (select day::timestamp at time zone zone as later) given);
end
$$;

create or replace function private.answering_agent(agent uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
             'id', a.id, 'name', a.name, 'instructions', a.instructions, 'model', a.model, 'temperature', a.temperature,
             'retrievalTopK', a.retrieval_top_k, 'retrievalMinScore', a.retrieval_min_score, 'retrievalMode', a.retrieval_mode,
             'knowledgeIds', coalesce(k.ids, '[]'), 'spaces', coalesce(k.spaces, '[]'),
             'greeting', a.greeting, 'suggestedPrompts', to_jsonb(a.suggested_prompts),
             'unsupportedClaims', a.unsupported_claims,
             'teamId', a.team_id, 'models', private.models_of(a.team_id))
      from public.agents a
     cross join lateral (
        select jsonb_agg(ak.knowledge_id) as ids,
               jsonb_agg(distinct jsonb_build_object('id', v.id, 'model', v.model, 'dimensions', v.dimensions))
                 filter (where v.id is not null) as spaces
          from public.agent_knowledges ak
          join public.knowledges kn on kn.id = ak.knowledge_id
          left join public.vectors v on v.id = kn.vector_id
         where ak.agent_id = a.id) k
     where a.id = agent);
end
$$;

create or replace function private.team_words(team_id uuid, content text) returns tsvector
language plpgsql immutable parallel safe set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(array_to_tsvector(array_agg(right(team_id::text, 8) || left(w.lexeme, 64))), '')
      from unnest(ts_delete(to_tsvector('simple',
                    translate(regexp_replace(normalize(left(content, 200000), NFKD), '[\u0300-\u036f]', '', 'g'), '._-/\:@', '       ')), array[
             'a', 'an', 'and', 'are', 'as', 'at', 'be', 'by', 'can', 'do', 'for', 'from', 'have', 'how', 'i', 'if', 'in', 'is', 'it', 'of', 'on', 'or',
             'that', 'the', 'this', 'to', 'was', 'we', 'what', 'with', 'you', 'your',
             'au', 'aux', 'ce', 'd', 'dans', 'de', 'des', 'du', 'en', 'est', 'et', 'il', 'je', 'l', 'la', 'le', 'les', 'ne', 'nous', 'ou', 'par', 'pas',
             'pour', 'qu', 'que', 'qui', 's', 'se', 'sur', 'un', 'une', 'vous'])) w);
end
$$;

create or replace function private.uuid_v7() returns uuid
language plpgsql volatile parallel unsafe set search_path = '' as $$
declare
  counter constant bigint := nextval('private.uuid_counter');
begin
  return encode(
    overlay(
      overlay(
        overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6)
        placing int2send((28672 + (counter >> 14))::int2) from 7 for 2)
      placing substring(int4send((32768 + (counter & 16383))::int4) from 3) from 9 for 2
    ), 'hex')::uuid;
end
$$;
