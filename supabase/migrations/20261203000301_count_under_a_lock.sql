-- Takes a database with data from the schema before to that of sql/: count under a lock.
-- An entry belongs to a source of type qa and its owner to the team; saving it counts as a review. Changing the expiry date clears
-- ended_at, so that the entry can expire again. Security definer: reads sources and members that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: sources.write, the source's type and that the owner is a member.
create or replace function private.check_qa_entry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() and new.team_id <> all (private.teams_with('sources.write')) then
    raise exception 'may not write answers in this team' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    if not exists (select 1 from public.sources s
                    where s.team_id = new.team_id and s.id = new.source_id and s.type = 'qa') then
      raise exception 'no source of written answers' using errcode = '23503';
    end if;
    if private.is_client() then
      new.owner_id := coalesce(new.owner_id, private.user_id());
    end if;
  end if;
  if private.is_client() and new.owner_id is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id)
     and new.owner_id is distinct from private.user_id()
     and not exists (select 1 from public.team_users tu
                      where tu.team_id = new.team_id and tu.user_id = new.owner_id and tu.status = 'accepted')
  then
    raise exception 'the owner is no member of this team' using errcode = '23503';
  end if;
  if tg_op = 'UPDATE' and new.expires_at is distinct from old.expires_at then
    new.ended_at := null;
  end if;
  if private.is_client() then
    new.reviewed_at := clock_timestamp();
    new.reviewed_by := private.user_id();
  end if;
  return new;
end
$$;

-- Sets a test's author and the title of its document. Security definer: reads documents that the writer may not see; the foreign key keeps
-- them in the test's own team, and only a title is stored.
-- Who may: callers the policies let write the test, by a trigger. Checks: that they read the team's sources.
create or replace function private.check_agent_test() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() and tg_op = 'INSERT' then
    new.created_by := private.user_id();
  end if;
  if new.expected_document_id is not null
     and (tg_op = 'INSERT' or new.expected_document_id is distinct from old.expected_document_id) then
    if private.is_client() and new.team_id <> all (private.teams_with('sources.read')) then
      raise exception 'may not read this document' using errcode = '42501';
    end if;
    new.expected_title := (select d.title from public.documents d
                            where d.team_id = new.team_id and d.id = new.expected_document_id);
  elsif new.expected_document_id is null and tg_op = 'UPDATE' and private.is_client() and pg_trigger_depth() = 1 then
    -- Its editor took it away. Where the document itself is deleted, the foreign key's trigger writes here, and the title stays.
    new.expected_title := null;
  end if;
  return new;
end
$$;

-- Limits the written answers of a source. Locks before it counts, so that concurrent inserts count each other's rows, and in one order, so
-- that two statements cannot deadlock. Security definer: counts entries that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of entries of the sources of the inserted rows.
create function private.limit_qa_entries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('qaEntries:' || s.source_id, 0))
     from (select distinct n.source_id from added n order by n.source_id) s;
  if exists (select from (select distinct n.team_id, n.source_id from added n) s
              where (select count(*) from public.qa_entries e where e.team_id = s.team_id and e.source_id = s.source_id) > 5000) then
    raise exception 'a source has at most 5000 written answers' using errcode = '23514', constraint = 'qa_entries_few';
  end if;
  return null;
end
$$;
revoke all on function private.limit_qa_entries() from public;
create trigger limit_qa_entries after insert on public.qa_entries
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_qa_entries();

-- Limits the tests of an agent. Locks before it counts, so that concurrent inserts count each other's rows, and in one order, so that two
-- statements cannot deadlock. Security definer: counts tests that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of tests of the agents of the inserted rows.
create function private.limit_agent_tests() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('agentTests:' || a.agent_id, 0))
     from (select distinct n.agent_id from added n order by n.agent_id) a;
  if exists (select from (select distinct n.agent_id from added n) a
              where (select count(*) from public.agent_tests t where t.agent_id = a.agent_id) > 500) then
    raise exception 'an agent has at most 500 tests' using errcode = '23514', constraint = 'agent_tests_few';
  end if;
  return null;
end
$$;
revoke all on function private.limit_agent_tests() from public;
create trigger limit_agent_tests after insert on public.agent_tests
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_agent_tests();
