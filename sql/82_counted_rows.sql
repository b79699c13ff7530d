-- What else members add as rows, in what their team stores (45_storage.sql): each counts as a kibibyte and its long columns. Chats are not
-- counted, or a full team's agents could not answer: 60_chats.sql limits how many are written past /v1. Rows that few may add, and that are
-- short, are limited by number.

create function private.row_bytes(content jsonb, columns text[]) returns bigint
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(sum(octet_length(row_bytes.content ->> c.name)), 0)::bigint from unnest(row_bytes.columns) c (name)
$$;
revoke all on function private.row_bytes(jsonb, text[]) from public;

-- Counts the rows of a statement, or the change of one. A source's settings may grow in a full team: they say what to leave out. Its arguments
-- are what a row counts as by itself, and the long columns. Security definer: no client writes the changes.
-- Who may: callers the policies let write, by a trigger. Checks: the rows of the statement.
create function private.count_row_bytes() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  own constant bigint := tg_argv[0];
  columns constant text[] := tg_argv[1:];
begin
  if tg_op = 'UPDATE' then
    perform private.note_storage(
      new.team_id, private.row_bytes(to_jsonb(new), columns) - private.row_bytes(to_jsonb(old), columns), tg_table_name <> 'sources');
  elsif tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes)
       from (select a.team_id, sum(own + private.row_bytes(to_jsonb(a), columns))::bigint as bytes from added a group by a.team_id) n;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select g.team_id, sum(own + private.row_bytes(to_jsonb(g), columns))::bigint as bytes from gone g group by g.team_id) n;
  end if;
  return null;
end
$$;
revoke all on function private.count_row_bytes() from public;

create trigger count_new_sources after insert on public.sources
  referencing new table as added for each statement execute function private.count_row_bytes('1024', 'config');
create trigger count_gone_sources after delete on public.sources
  referencing old table as gone for each statement execute function private.count_row_bytes('1024', 'config');
create trigger count_changed_sources after update of config on public.sources
  for each row when (old.config is distinct from new.config) execute function private.count_row_bytes('1024', 'config');

create trigger count_new_knowledges after insert on public.knowledges
  referencing new table as added for each statement execute function private.count_row_bytes('1024', 'description');
create trigger count_gone_knowledges after delete on public.knowledges
  referencing old table as gone for each statement execute function private.count_row_bytes('1024', 'description');
create trigger count_changed_knowledges after update of description on public.knowledges
  for each row when (old.description is distinct from new.description) execute function private.count_row_bytes('1024', 'description');

create trigger count_new_qa_entries after insert on public.qa_entries
  referencing new table as added for each statement execute function private.count_row_bytes('1024', 'question', 'answer');
create trigger count_gone_qa_entries after delete on public.qa_entries
  referencing old table as gone for each statement execute function private.count_row_bytes('1024', 'question', 'answer');
create trigger count_changed_qa_entries after update of question, answer on public.qa_entries
  for each row when ((old.question, old.answer) is distinct from (new.question, new.answer))
  execute function private.count_row_bytes('1024', 'question', 'answer');

create trigger count_new_agent_tests after insert on public.agent_tests
  referencing new table as added for each statement execute function private.count_row_bytes('1024', 'question', 'facts');
create trigger count_gone_agent_tests after delete on public.agent_tests
  referencing old table as gone for each statement execute function private.count_row_bytes('1024', 'question', 'facts');
create trigger count_changed_agent_tests after update of question, facts on public.agent_tests
  for each row when ((old.question, old.facts) is distinct from (new.question, new.facts))
  execute function private.count_row_bytes('1024', 'question', 'facts');

-- An agent counts with its versions, whose settings are its own, but for its avatar.
create trigger count_new_agents after insert on public.agents
  referencing new table as added for each statement execute function private.count_row_bytes('0', 'avatar');
create trigger count_gone_agents after delete on public.agents
  referencing old table as gone for each statement execute function private.count_row_bytes('0', 'avatar');
create trigger count_changed_agents after update of avatar on public.agents
  for each row when (old.avatar is distinct from new.avatar) execute function private.count_row_bytes('0', 'avatar');

-- Limits how many rows of a table a team has. Locks before it counts, so that concurrent inserts count each other's rows, and in one order, so
-- that two statements cannot deadlock. Security definer: counts rows that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of rows of the teams of the inserted ones.
create function private.limit_team_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  team uuid;
  many int;
begin
  for team in select distinct n.team_id from added n where n.team_id is not null order by n.team_id loop
    perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ':' || team, 0));
    -- Without "else": a table that is not counted here fails, instead of having no limit.
    case tg_table_name
      when 'roles' then many := (select count(*) from public.roles r where r.team_id = team);
      when 'api_keys' then many := (select count(*) from public.api_keys k where k.team_id = team);
      when 'apps' then many := (select count(*) from public.apps p where p.team_id = team);
    end case;
    if many > 1000 then
      raise exception 'a team has at most 1000 of these' using errcode = '23514', constraint = tg_table_name || '_few';
    end if;
  end loop;
  return null;
end
$$;
revoke all on function private.limit_team_rows() from public;
create trigger limit_team_rows after insert on public.roles
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_team_rows();
create trigger limit_team_rows after insert on public.api_keys
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_team_rows();
create trigger limit_team_rows after insert on public.apps
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_team_rows();

-- Limits the knowledge bases of an agent to /v1's number: every answer searches all of them, and each save lists them in a version. Locks the
-- agent before it counts, as the version does (64_agent_versions.sql): concurrent inserts count each other's rows, and no save meets another
-- lock first. Security definer: counts links that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of links of the agents of the inserted rows.
create function private.limit_agent_knowledges() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.agents a where a.id in (select n.agent_id from added n) order by a.id for no key update;
  if exists (select from (select distinct n.agent_id from added n) a
              where (select count(*) from public.agent_knowledges ak where ak.agent_id = a.agent_id) > 50) then
    raise exception 'an agent has at most 50 knowledge bases' using errcode = '23514', constraint = 'agent_knowledges_few';
  end if;
  return null;
end
$$;
revoke all on function private.limit_agent_knowledges() from public;
create trigger limit_agent_knowledges after insert on public.agent_knowledges
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_agent_knowledges();

-- Limits the sources of a knowledge base: its page, its indexing and each sync of one of them read the list. More than /v1 once admitted, so
-- that an export of before can be imported. Locks the knowledge base before it counts, as taking sources from it does (51_removals.sql).
-- Security definer: counts links that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of links of the knowledges of the inserted rows.
create function private.limit_knowledge_sources() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.knowledges k where k.id in (select n.knowledge_id from added n) order by k.id for no key update;
  if exists (select from (select distinct n.knowledge_id from added n) a
              where (select count(*) from public.knowledge_sources ks where ks.knowledge_id = a.knowledge_id) > 200) then
    raise exception 'a knowledge base has at most 200 sources' using errcode = '23514', constraint = 'knowledge_sources_few';
  end if;
  return null;
end
$$;
revoke all on function private.limit_knowledge_sources() from public;
create trigger limit_knowledge_sources after insert on public.knowledge_sources
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_knowledge_sources();
