-- Triggers of new rows let pass what is restored: rows that were deleted and are put back as they were.

-- Whether the rows that are being inserted are deleted ones that are put back as they were (84_deletions.sql). A setting of the
-- transaction that no client reaches: PostgREST and /v1 take none.
create function private.is_restoring() returns boolean
language sql stable parallel safe set search_path = '' as $$
  select coalesce(current_setting('parley.restoring', true) = 'on', false)
$$;
revoke all on function private.is_restoring() from public;
grant execute on function private.is_restoring() to anon, authenticated, service_role;

drop trigger check_source_agent on public.sources;
create trigger check_source_agent before insert or update of config on public.sources
  for each row when (not private.is_restoring()) execute function private.check_source_agent();
drop trigger check_source_files on public.sources;
create trigger check_source_files before insert or update of config on public.sources
  for each row when (not private.is_restoring()) execute function private.check_source_files();
drop trigger plan_sync_first on public.sources;
create trigger plan_sync_first before insert on public.sources
  for each row when (not private.is_restoring()) execute function private.plan_sync();
drop trigger check_qa_entry on public.qa_entries;
create trigger check_qa_entry before insert or update of question, answer, owner_id, expires_at on public.qa_entries
  for each row when (not private.is_restoring()) execute function private.check_qa_entry();
drop trigger follow_qa_entry on public.qa_entries;
create trigger follow_qa_entry after insert or delete on public.qa_entries
  for each row when (not private.is_restoring()) execute function private.follow_qa_entry();
drop trigger own_chat on public.chats;
create trigger own_chat before insert on public.chats
  for each row when (not private.is_restoring()) execute function private.own_chat();
drop trigger own_message on public.messages;
create trigger own_message before insert on public.messages
  for each row when (not private.is_restoring()) execute function private.own_message();
drop trigger check_agent_test on public.agent_tests;
create trigger check_agent_test before insert or update of expected_document_id on public.agent_tests
  for each row when (not private.is_restoring()) execute function private.check_agent_test();
drop trigger keep_new_words on public.messages;
create trigger keep_new_words after insert on public.messages
  for each row when (new.status <> 'streaming' and not private.is_restoring()) execute function private.keep_message_words();
drop trigger note_gap_question on public.messages;
create trigger note_gap_question after insert on public.messages
  for each row when (new.role = 'assistant' and new.status in ('complete', 'stopped')
                     and (new.unanswered or new.rating = 'down' or new.support is not null) and not private.is_restoring())
  execute function private.note_gap_question();
drop trigger guard_document on public.documents;
create trigger guard_document before insert or update of external_id, type, content on public.documents
  for each row when (not private.is_restoring()) execute function private.guard_document();
drop trigger guard_chat_channel on public.chats;
create trigger guard_chat_channel before insert on public.chats
  for each row when (not private.is_restoring()) execute function private.guard_chat_channel();
drop trigger guard_message_length on public.messages;
create trigger guard_message_length before insert on public.messages
  for each row when (not private.is_restoring()) execute function private.guard_message_length();
