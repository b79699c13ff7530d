-- What a question replaces is taken out of the conversation by the platform, in the transaction that stores the question.
revoke update (superseded) on public.messages from anon, authenticated;

-- Two questions at once could leave a reply whose question was taken out: a question goes together with its reply.
update public.messages q set superseded = false
 where q.superseded and q.role = 'user'
   and exists (select 1 from public.messages a
                where a.chat_id = q.chat_id and a.id > q.id and a.role = 'assistant' and not a.superseded
                  and not exists (select 1 from public.messages b
                                   where b.chat_id = q.chat_id and b.id > q.id and b.id < a.id));
