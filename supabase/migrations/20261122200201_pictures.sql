-- Models that read scanned pages and pictures, what they read, and what of a document nobody could read.

alter table private.models drop constraint models_role_check;
alter table private.models add constraint models_role_check
  check (role in ('chat', 'fallback', 'embedding', 'earlierEmbedding', 'vision'));

alter table public.documents add column note text;
create index documents_note_idx on public.documents (source_id, id) where note is not null;

-- What a model read of the pages of a document that are pictures; text is null where it could not. revision: of the document.
create table private.page_readings (
  team_id uuid not null,
  document_id uuid not null,
  revision text not null,
  page int not null check (page > 0),
  text text check (char_length(text) <= 40000),
  -- How sure the model was; null where it did not say.
  confidence real check (confidence between 0 and 1),
  primary key (document_id, page),
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index page_readings_team_document_idx on private.page_readings (team_id, document_id);
revoke all on private.page_readings from public, anon, authenticated;
grant select, insert, update, delete on private.page_readings to service_role;
alter table private.page_readings enable row level security;

-- What of a source was left out, with why: addresses that were not read, and documents that could not be, or not all of. Security definer: the
-- addresses are the service's alone.
-- Who may: those who read the source. Checks: sources.read in the team of the rows.
create or replace function private.skipped_items(source uuid)
returns table (address text, title text, document_id uuid, problem text)
language sql stable security definer set search_path = '' as $$
  select p.address, coalesce(d.title, p.title), d.id, p.problem
    from private.source_pages p left join public.documents d on d.source_id = p.source_id and d.external_id = p.address
   where p.source_id = source and p.problem is not null and p.team_id = any ((select private.teams_with('sources.read'))::uuid[])
  union all
  select coalesce(d.url, d.title), d.title, d.id, coalesce(d.error, d.note)
    from public.documents d
   where d.source_id = source and (d.error is not null or d.note is not null) and d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
     and not exists (select 1 from private.source_pages p
                      where p.source_id = d.source_id and p.address = d.external_id and p.problem is not null)
$$;
revoke all on function private.skipped_items(uuid) from public;
grant execute on function private.skipped_items(uuid) to authenticated, service_role;

-- Has the files that wait for a model that reads pictures read again: a team's, or with null those of all teams without a connection
-- of their own. Answers how many sources. For the service.
create function private.queue_pictures(team uuid) returns int
language plpgsql volatile set search_path = '' as $$
declare
  queued int;
begin
  update public.documents d set content_hash = null
   where d.note is not null
     and (d.team_id = team or team is null and not exists (
       select from private.models m where m.team_id = d.team_id and m.role = 'vision'));
  select count(private.enqueue_task(s.team_id, 'index', 'index:source:' || s.id, s.id, null, null))::int into queued
    from public.sources s
   where (s.team_id = team or team is null and not exists (
           select from private.models m where m.team_id = s.team_id and m.role = 'vision'))
     and exists (select from public.documents d
                  where d.source_id = s.id and (d.note is not null or d.error is not null and d.content is null));
  return queued;
end
$$;
revoke all on function private.queue_pictures(uuid) from public;
grant execute on function private.queue_pictures(uuid) to service_role;
