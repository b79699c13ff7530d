-- Takes a database with data from the schema before to that of sql/: count questions once.

-- Limits how much people outside a team write into its chats past /v1, which counts the questions that it stores against limits of the
-- operator's own (63_questions.sql). Security definer: no client may count. Raises PT429.
-- Who may: callers the policies let write, by a trigger. Checks: the caller that the verified claims name, and the row's own team.
create or replace function private.limit_outsider() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  writer constant uuid := private.user_id();
  wait int;
begin
  if writer is null or current_setting('parley.is_counted', true) = 'on' or new.team_id = any (private.teams_with('chats.write')) then
    return null;
  end if;
  wait := private.take_hit(format('outsider:%s:%s', tg_table_name, writer), tg_argv[0]::int, 600);
  if wait > 0 then
    raise exception 'too much was written from outside the team'
      using errcode = 'PT429', detail = format('Try again in %s seconds.', wait);
  end if;
  return null;
end
$$;

-- Locks a chat against concurrent questions and deletion, and stores a question in it, or reads one already stored. The first question
-- gives the chat its title. No row when the caller cannot see the chat or the question. Each statement sees the writes of the transaction
-- that the lock waited for. Runs as the caller: policies apply.
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
