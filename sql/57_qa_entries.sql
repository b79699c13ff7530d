-- Written answers: the entries of sources of type qa. A valid entry is a document of its source: they are created and deleted together, and
-- the source is synced after every change.

create table public.qa_entries (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  source_id uuid not null,
  question text not null check (char_length(question) between 1 and 2000 and btrim(question) <> ''),
  answer text not null check (char_length(answer) between 1 and 20000 and btrim(answer) <> ''),
  -- The person responsible for it.
  owner_id uuid references public.users (id) on delete set null,
  -- Null: valid until changed.
  expires_at timestamptz check (expires_at between '2000-01-01' and '9999-12-31'),
  -- Set when an expired entry was removed from the index.
  ended_at timestamptz,
  -- When it was last saved, and by whom.
  reviewed_at timestamptz not null default now(),
  reviewed_by uuid references public.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, source_id) references public.sources (team_id, id) on delete cascade
);
create index qa_entries_team_source_idx on public.qa_entries (team_id, source_id, id);
create index qa_entries_due_idx on public.qa_entries (expires_at) where expires_at is not null and ended_at is null;
create index qa_entries_owner_idx on public.qa_entries (owner_id);
create index qa_entries_reviewed_by_idx on public.qa_entries (reviewed_by);
create trigger touch_qa_entries before update on public.qa_entries
  for each row execute function private.touch_updated_at();

revoke all on public.qa_entries from public, anon, authenticated;
grant select, delete on public.qa_entries to authenticated;
grant insert (team_id, source_id, question, answer, owner_id, expires_at) on public.qa_entries to authenticated;
grant update (question, answer, owner_id, expires_at) on public.qa_entries to authenticated;
grant select, insert, update, delete on public.qa_entries to service_role;
alter table public.qa_entries enable row level security;
create policy "members read their team's written answers" on public.qa_entries for select to authenticated
  using (team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "editors write answers into their team's sources" on public.qa_entries for insert to authenticated
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors change their team's written answers" on public.qa_entries for update to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors delete their team's written answers" on public.qa_entries for delete to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]));

-- An entry belongs to a source of type qa and its owner to the team; saving it counts as a review. Changing the expiry date clears
-- ended_at, so that the entry can expire again. Security definer: reads sources and members that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: sources.write, the source's type and that the owner is a member.
create function private.check_qa_entry() returns trigger
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
revoke all on function private.check_qa_entry() from public;
create trigger check_qa_entry before insert or update of question, answer, owner_id, expires_at on public.qa_entries
  for each row when (not private.is_restoring()) execute function private.check_qa_entry();

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
create trigger follow_new_qa_entries after insert on public.qa_entries
  referencing new table as changed for each statement when (not private.is_restoring()) execute function private.follow_qa_entries();
create trigger follow_gone_qa_entries after delete on public.qa_entries
  referencing old table as changed for each statement when (not private.is_restoring()) execute function private.follow_qa_entries();
create trigger follow_changed_qa_entries after update on public.qa_entries
  referencing new table as changed old table as former for each statement execute function private.follow_qa_entries();

-- Removes expired entries from the index, at most `most`. Returns their number. For the service.
create function private.end_expired_entries(most int) returns int
language plpgsql volatile set search_path = '' as $$
begin
  -- An array: joined with the due ones, a plan may read all entries to find them.
  return private.end_each_row('expiredEntries', array(
    select due.id from public.qa_entries due
     where due.expires_at <= (select clock_timestamp()) and due.ended_at is null
     order by due.expires_at limit most for update skip locked));
end
$$;
revoke all on function private.end_expired_entries(int) from public;
grant execute on function private.end_expired_entries(int) to service_role;
