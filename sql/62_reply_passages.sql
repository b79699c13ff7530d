-- Explains a reply: every passage that search proposed for it, with its ranks, and why it was used or dropped.

-- Numbers and ids only: titles and texts are read from documents, so that deleting a document deletes them.
create table public.reply_passages (
  message_id uuid not null,
  team_id uuid not null,
  -- [{ chunkId, index, dropped, score, vectorRank, vectorScore, textRank, textScore }], best first
  candidates jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (message_id),
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete cascade
);
create index reply_passages_team_idx on public.reply_passages (team_id, message_id);
create trigger touch_reply_passages before update on public.reply_passages
  for each row execute function private.touch_updated_at();

revoke all on public.reply_passages from public, anon, authenticated;
grant select, insert, update, delete on public.reply_passages to service_role;
grant select on public.reply_passages to authenticated;
alter table public.reply_passages enable row level security;
create policy "members who may read knowledge see why a reply is what it is" on public.reply_passages
  for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
     and exists (select 1 from public.messages m where m.id = message_id));
