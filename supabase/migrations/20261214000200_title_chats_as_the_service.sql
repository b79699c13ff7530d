-- Takes a database with data from the schema before to that of sql/: title first questions as the service.

create or replace function private.add_question(chat uuid, words text, first_title text, stored uuid)
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

create or replace function private.open_reply(
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
