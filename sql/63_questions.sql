-- Stores a question and opens its reply, in one statement each. edge-functions/v1/messages/beginning.ts runs both in one transaction.

-- Locks a chat against concurrent questions and deletion, and stores a question in it, or reads one already stored. Raises PT404 when the
-- caller cannot see the chat or the question, or may not change the chat. Each statement sees the writes of the transaction that the lock
-- waited for. Tells private.open_reply() the question and the title of a chat without one, in settings of the transaction that no client
-- reaches. Runs as the caller: policies apply.
create function private.add_question(chat uuid, words text, first_title text, stored uuid)
returns table (
  team_id uuid, agent_id uuid, channel text, is_own boolean,
  id uuid, content text, created_at timestamptz, updated_at timestamptz)
language plpgsql volatile set search_path = '' as $$
declare
  head public.chats;
  question public.messages;
begin
  select c.* into head from public.chats c where c.id = chat for no key update;
  if head.id is null then
    raise exception 'no such chat' using errcode = 'PT404';
  end if;
  if stored is null then
    -- private.open_reply() counts it.
    perform set_config('parley.is_counted', 'on', true);
    insert into public.messages as m (chat_id, content) values (chat, words) returning m.* into question;
    perform set_config('parley.title', case head.title when '' then first_title else '' end, true);
  else
    select m.* into question from public.messages m where m.chat_id = chat and m.id = stored;
    if question.id is null then
      raise exception 'no such question' using errcode = 'PT404';
    end if;
  end if;
  is_own := coalesce(head.team_id = any (private.teams_with('chats.write')), false);
  perform set_config('parley.question', question.id::text, true), set_config('parley.is_own', is_own::text, true);
  return query select head.team_id, head.agent_id, head.channel, is_own,
                      question.id, question.content, question.created_at, question.updated_at;
end
$$;
revoke all on function private.add_question(uuid, text, text, uuid) from public;
grant execute on function private.add_question(uuid, text, text, uuid) to anon, authenticated, service_role;

-- The agent as answering needs it: its settings, its knowledge bases, their embedding spaces and its team's models. Null when it is
-- deleted.
create function private.answering_agent(agent uuid) returns jsonb
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
revoke all on function private.answering_agent(uuid) from public;
grant execute on function private.answering_agent(uuid) to service_role;

-- Fails a chat's reply without a write for the lease's length, keeping its text so far. True when there was one.
create function private.give_up_dead_reply(chat uuid, lease_seconds int) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.messages m set status = 'failed', finished_at = clock_timestamp()
   where m.chat_id = chat and m.status = 'streaming'
     and m.updated_at < clock_timestamp() - make_interval(secs => lease_seconds);
  return found;
end
$$;
revoke all on function private.give_up_dead_reply(uuid, int) from public;
grant execute on function private.give_up_dead_reply(uuid, int) to service_role;

-- Counts the hits of a question for the team that pays: those of its members, which come first, or those of others, as is_own says. '{team}'
-- in a key stands for the team. Raises PT429 for a full limit, with its key as the hint.
create function private.take_hits_of_payer(
  limit_keys text[], max_hits int[], window_seconds int[], own_hits int, team uuid, is_own boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  keys text[];
  most int[];
  widths int[];
  full_limit record;
begin
  select array_agg(replace(h.key, '{team}', team::text)), array_agg(h.max), array_agg(h.width) into keys, most, widths
    from unnest(limit_keys, max_hits, window_seconds) with ordinality h (key, max, width, i) where (h.i <= own_hits) = is_own;
  select t.key, t.seconds into full_limit from private.take_hits(keys, most, widths) t order by t.seconds desc limit 1;
  if found then
    raise exception 'a limit is full'
      using errcode = 'PT429', hint = replace(full_limit.key, team::text, '{team}'),
            detail = format('Try again in %s seconds.', full_limit.seconds);
  end if;
end
$$;
revoke all on function private.take_hits_of_payer(text[], int[], int[], int, uuid, boolean) from public;
grant execute on function private.take_hits_of_payer(text[], int[], int[], int, uuid, boolean) to service_role;

-- Opens the reply to the question that private.add_question() has stored in this transaction: counts the question, gives the chat the title
-- of its first one, removes what it replaces, or, for a retried question, what a dead worker wrote. Raises PT429 for a full limit, and
-- otherwise PT404 or PT409 with the reason as the hint: 'notAQuestion', 'askedAgain' or 'answering'. history: earlier messages,
-- [{ role, content }], oldest first, the latest that a prompt could hold.
create function private.open_reply(
  chat uuid, replaced uuid, was_stored boolean, lease_seconds int,
  limit_keys text[], max_hits int[], window_seconds int[], own_hits int)
returns table (id uuid, created_at timestamptz, updated_at timestamptz, history jsonb, agent jsonb)
language plpgsql volatile set search_path = '' as $$
declare
  question constant uuid := current_setting('parley.question')::uuid;
  head public.chats;
  reply public.messages;
  told jsonb;
  answering jsonb;
  refused text;
begin
  select c.* into head from public.chats c where c.id = chat;
  answering := private.answering_agent(head.agent_id);
  if answering is null then
    raise exception 'no such agent' using errcode = 'PT404';
  end if;
  perform private.take_hits_of_payer(
    limit_keys, max_hits, window_seconds, own_hits, head.team_id, current_setting('parley.is_own')::boolean);
  if was_stored then
    -- A worker that lives after all finds its reply gone and ends.
    delete from public.messages m
     where m.chat_id = chat and m.role = 'assistant' and m.id > question and m.status in ('streaming', 'failed')
       and not exists (select 1 from public.messages q
                        where q.chat_id = chat and q.role = 'user' and q.id > question and q.id < m.id);
  elsif replaced is not null then
    update public.messages m set superseded = true
     where m.chat_id = chat and m.id >= replaced and m.id <> question and not m.superseded
       -- What a person of the team wrote stays.
       and m.author_name is null
       and exists (select 1 from public.messages q
                    where q.id = replaced and q.chat_id = chat and q.role = 'user' and not q.superseded);
    if not found then
      refused := (select case m.role when 'assistant' then 'notAQuestion' else 'askedAgain' end
                    from public.messages m where m.chat_id = chat and m.id = replaced);
      if refused is null then
        raise exception 'no such question' using errcode = 'PT404';
      end if;
      raise exception 'it cannot be asked again' using errcode = 'PT409', hint = refused;
    end if;
  end if;
  if head.title = '' and current_setting('parley.title', true) <> '' then
    -- As the service, without the policies of those who change chats: the lock has applied them.
    update public.chats c set title = current_setting('parley.title') where c.id = chat;
  end if;
  perform private.give_up_dead_reply(chat, lease_seconds);
  -- Two at once would talk over each other: the index messages_streaming_key lets one in.
  insert into public.messages as m (chat_id, role, status) values (chat, 'assistant', 'streaming')
  on conflict (chat_id) where status = 'streaming' do nothing
  returning m.* into reply;
  if reply.id is null then
    raise exception 'a reply is being written' using errcode = 'PT409', hint = 'answering';
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('role', h.role, 'content', h.content) order by h.id), '[]') into told
    from (select m.id, m.role, m.content from public.messages m
           where m.chat_id = chat and m.id < question and m.content <> '' and not m.superseded
           order by m.id desc limit 40) h;
  return query select reply.id, reply.created_at, reply.updated_at, told, answering;
end
$$;
revoke all on function private.open_reply(uuid, uuid, boolean, int, text[], int[], int[], int) from public;
grant execute on function private.open_reply(uuid, uuid, boolean, int, text[], int[], int[], int) to service_role;

-- Admits the caller to an agent without a chat, as to a chat with it. Raises PT404 for an agent that the caller cannot see, 42501 for one
-- that they may not talk to; beyond_team: whether other teams' public agents are allowed. Tells private.begin_answer(). Runs as the caller.
create function private.ask_agent(agent uuid, beyond_team boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  is_open constant boolean := private.is_public_agent(agent);
  team constant uuid := (select a.team_id from public.agents a where a.id = agent);
  is_own constant boolean := coalesce(team = any (private.teams_with('chats.write')), false);
begin
  if team is null and not is_open then
    raise exception 'no such agent' using errcode = 'PT404';
  elsif not is_own and not (beyond_team and is_open) then
    raise exception 'the agent is not for this caller' using errcode = '42501';
  end if;
  perform set_config('parley.agent', agent::text, true), set_config('parley.is_own', is_own::text, true);
end
$$;
revoke all on function private.ask_agent(uuid, boolean) from public;
grant execute on function private.ask_agent(uuid, boolean) to anon, authenticated, service_role;

-- Counts an answer of the agent that private.ask_agent() has admitted the caller to in this transaction, and reads the agent. Raises PT404
-- and PT429.
create function private.begin_answer(limit_keys text[], max_hits int[], window_seconds int[], own_hits int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  answering constant jsonb := private.answering_agent(current_setting('parley.agent')::uuid);
begin
  if answering is null then
    raise exception 'no such agent' using errcode = 'PT404';
  end if;
  perform private.take_hits_of_payer(
    limit_keys, max_hits, window_seconds, own_hits, (answering ->> 'teamId')::uuid, current_setting('parley.is_own')::boolean);
  return answering;
end
$$;
revoke all on function private.begin_answer(text[], int[], int[], int) from public;
grant execute on function private.begin_answer(text[], int[], int[], int) to service_role;
