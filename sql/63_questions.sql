-- Stores a question and opens its reply, in one statement each. edge-functions/v1/messages/beginning.ts runs both in one transaction.

-- Locks a chat against concurrent questions and deletion, and stores a question in it, or reads one already stored. The first question
-- gives the chat its title. No row when the caller cannot see the chat or the question. Each statement sees the writes of the transaction
-- that the lock waited for. Runs as the caller: policies apply.
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
    return;
  end if;
  if stored is null then
    -- private.open_reply() counts it. A transaction setting that no client reaches.
    perform set_config('parley.is_counted', 'on', true);
    insert into public.messages as m (chat_id, content) values (chat, words) returning m.* into question;
    if head.title = '' then
      update public.chats c set title = first_title where c.id = chat;
    end if;
  else
    select m.* into question from public.messages m where m.chat_id = chat and m.id = stored;
    if question.id is null then
      return;
    end if;
  end if;
  return query select head.team_id, head.agent_id, head.channel,
                      head.team_id = any ((select private.teams_with('chats.write'))::uuid[]),
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

-- Opens the reply to a question that was just stored: counts the question, removes what it replaces, or, for a retried question, what a
-- dead worker wrote. Otherwise limit_key names a full limit, with the seconds to wait, or refusal gives the reason: 'notFound',
-- 'notAQuestion', 'askedAgain' or 'answering'. The caller then rolls back. history: earlier messages, [{ role, content }], oldest first,
-- the latest that a prompt could hold.
create function private.open_reply(
  chat uuid, question uuid, replaced uuid, was_stored boolean, lease_seconds int,
  limit_keys text[], max_hits int[], window_seconds int[])
returns table (
  refusal text, limit_key text, seconds int, id uuid, created_at timestamptz, updated_at timestamptz, history jsonb, agent jsonb)
language plpgsql volatile set search_path = '' as $$
declare
  reply public.messages;
  told jsonb;
begin
  select h.key, h.seconds into limit_key, seconds
    from private.take_hits(limit_keys, max_hits, window_seconds) h order by h.seconds desc limit 1;
  if limit_key is not null then
    return next;
    return;
  end if;
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
      refusal := coalesce((select case m.role when 'assistant' then 'notAQuestion' else 'askedAgain' end
                             from public.messages m where m.chat_id = chat and m.id = replaced), 'notFound');
      return next;
      return;
    end if;
  end if;
  perform private.give_up_dead_reply(chat, lease_seconds);
  -- Two at once would talk over each other: the index messages_streaming_key lets one in.
  insert into public.messages as m (chat_id, role, status) values (chat, 'assistant', 'streaming')
  on conflict (chat_id) where status = 'streaming' do nothing
  returning m.* into reply;
  if reply.id is null then
    refusal := 'answering';
    return next;
    return;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('role', h.role, 'content', h.content) order by h.id), '[]') into told
    from (select m.id, m.role, m.content from public.messages m
           where m.chat_id = chat and m.id < question and m.content <> '' and not m.superseded
           order by m.id desc limit 40) h;
  return query select null::text, null::text, null::int, reply.id, reply.created_at, reply.updated_at, told,
                      private.answering_agent(c.agent_id)
                 from public.chats c where c.id = chat;
end
$$;
revoke all on function private.open_reply(uuid, uuid, uuid, boolean, int, text[], int[], int[]) from public;
grant execute on function private.open_reply(uuid, uuid, uuid, boolean, int, text[], int[], int[]) to service_role;
