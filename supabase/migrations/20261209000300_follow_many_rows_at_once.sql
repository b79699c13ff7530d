-- An import's last transaction, for which everybody waits, does less for each file and written answer: their triggers run once for all rows of a
-- statement, and a source's files are counted by their ids.

-- Creates the documents of new entries with them, empty, so that an agent test can expect them; the sync queued here fills in the text. A
-- deleted or expired entry stops answering at once. Once for a statement: each further entry would queue the same task. Security definer:
-- clients write neither documents of this type nor tasks.
-- Who may: callers the policies let write the entries, by a trigger. Checks: source and document of each entry's own team.
create function private.follow_qa_entries() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  entry record;
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from changed c join former f on f.id = c.id
       where (c.question, c.answer, c.expires_at, c.ended_at) is distinct from (f.question, f.answer, f.expires_at, f.ended_at))
    then
      return null;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    insert into public.documents (team_id, source_id, external_id, type, title, status)
    select c.team_id, c.source_id, c.id::text, 'qa', coalesce(nullif(left(private.plain_text(c.question), 400), ''), 'Question'), 'queued'
      from changed c where (c.expires_at <= clock_timestamp()) is not true
     order by c.source_id, c.id
    on conflict (source_id, external_id) do nothing;
  end if;
  -- A source that is being deleted takes everything along by itself.
  for entry in
    select c.team_id, c.source_id, c.id from changed c
     where (tg_op = 'DELETE' or c.expires_at <= clock_timestamp()) and exists (select from public.sources s where s.id = c.source_id)
     order by c.source_id, c.id
  loop
    delete from public.documents d
     where d.team_id = entry.team_id and d.source_id = entry.source_id and d.type = 'qa' and d.external_id = entry.id::text;
  end loop;
  perform private.enqueue_task(s.team_id, 'sync', 'sync:source:' || s.id, s.id, null, null)
     from (select o.team_id, o.id from public.sources o where o.id in (select c.source_id from changed c) order by o.id) s;
  return null;
end
$$;
revoke all on function private.follow_qa_entries() from public;
drop trigger follow_qa_entry on public.qa_entries;
drop trigger follow_changed_qa_entry on public.qa_entries;
drop function private.follow_qa_entry();
create trigger follow_new_qa_entries after insert on public.qa_entries
  referencing new table as changed for each statement when (not private.is_restoring()) execute function private.follow_qa_entries();
create trigger follow_gone_qa_entries after delete on public.qa_entries
  referencing old table as changed for each statement when (not private.is_restoring()) execute function private.follow_qa_entries();
create trigger follow_changed_qa_entries after update on public.qa_entries
  referencing new table as changed old table as former for each statement execute function private.follow_qa_entries();

-- Creates the first versions of new files with them, from PostgREST and /v1 alike. Security definer: clients write no versions.
-- Who may: the service, which alone registers files, by a trigger. Checks: the versions are of the new rows.
create or replace function private.begin_file_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.file_versions
         (team_id, file_id, number, name, type, content_type, size, path, sha256, created_by, created_at)
  select a.team_id, a.id, a.version, a.name, a.type, a.content_type, a.size, a.path, a.sha256, a.created_by, a.created_at from added a;
  return null;
end
$$;
drop trigger begin_file_versions on public.files;
create trigger begin_file_versions after insert on public.files
  referencing new table as added for each statement when (not private.is_restoring()) execute function private.begin_file_versions();

-- A source of type file lists files of its own team only, whoever writes. Security definer: reads files that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: every file is of the source's team; any other counts as missing.
create or replace function private.check_source_files() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  listed uuid[];
begin
  if new.type = 'file' then
    -- What is no id of a file becomes null. An array, since a source may list thousands, which would be compared with every file.
    listed := array(
      select distinct case when l.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.id::uuid end
        from jsonb_array_elements_text(coalesce(new.config -> 'fileIds', '[]')) as l (id));
    if (select count(*) from public.files f where f.team_id = new.team_id and f.id = any (listed)) < cardinality(listed) then
      raise exception 'a listed file is not a file of this team' using errcode = '23503';
    end if;
  end if;
  return new;
end
$$;

-- Counts the staged rows and the chats for the planner, before an import looks thousands of them up by their ids: without it Postgres takes
-- the tables for small ones and compares every row with every other. Not in the transaction that writes them: it would hold up other imports.
-- Security definer: only a table's owner may.
-- Who may: the service. Checks: none; it changes no row.
create or replace function private.analyze_imports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- The columns that are looked up alone: computing the words of 20,000 chats takes seconds, in which all others wait.
  analyze private.import_rows (team_id, kind, position, old_id, new_id), public.chats (id, team_id, agent_id);
end
$$;
