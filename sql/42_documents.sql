-- Documents of sources, their text, and the live chunks made from it. Clients read; the indexing service writes.

create table public.documents (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  source_id uuid not null,
  external_id text not null check (char_length(external_id) between 1 and 512),
  type text not null check (char_length(type) between 1 and 100),
  title text not null check (char_length(title) between 1 and 500),
  url text check (url ~ '^https?://' and char_length(url) <= 2000),
  -- The parsed text that chunk offsets (UTF-16 code units) point into, and its structure map; null until parsed.
  content text,
  structure jsonb,
  content_hash text check (content_hash ~ '^[0-9a-f]{64}$'),
  status text not null default 'none'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  chunks_count int not null default 0,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When it last changed at its source, as the source reports; null when it does not.
  changed_at timestamptz,
  -- When the text last matched the source, where that is older than the source's last sync; null: as of that sync.
  synced_at timestamptz,
  -- What could not be read and what to do, as a sentence; null when everything was read.
  note text,
  -- The text's language: set by an editor, else detected, else that of each knowledge base that has it.
  language text check (private.is_document_language(language)),
  detected_language text check (private.is_document_language(detected_language)),
  primary key (id),
  unique (team_id, id),
  unique (source_id, external_id),
  foreign key (team_id, source_id) references private.roots (team_id, id) on delete cascade
);
create index documents_team_source_idx on public.documents (team_id, source_id, id);
create index documents_title_idx on public.documents (team_id, source_id, title collate private.natural_order, id);
create index documents_status_idx on public.documents (team_id, source_id, status, id);
create index documents_updated_idx on public.documents (team_id, source_id, updated_at, id);
create index documents_source_idx on public.documents (source_id, id);
create index documents_error_idx on public.documents (source_id, id) where error is not null;
create index documents_note_idx on public.documents (source_id, id) where note is not null;
-- All documents of a source are in one team. Without these statistics Postgres expects few matches, and sorts instead of walking the index.
create statistics public.documents_source_team (dependencies) on team_id, source_id from public.documents;
create trigger touch_documents before update on public.documents
  for each row execute function private.touch_updated_at();

-- Numbers every attempt at building an index, across all of them. Never reused, even when a deleted index is built again.
create sequence private.generations;
grant usage on sequence private.generations to service_role;

-- A document's indexing state in one knowledge base. signature: SHA-256 of content, chunking and embedding space; an equal one means the
-- index is current.
create table public.document_indexes (
  team_id uuid not null,
  knowledge_id uuid not null,
  document_id uuid not null,
  generation bigint not null default 0,
  signature text,
  chunks_count int not null default 0,
  status text not null default 'queued'
    check (status in ('none', 'queued', 'indexing', 'ready', 'stale', 'stopping', 'stopped', 'failed')),
  error text,
  indexed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What its passages count as in the team's storage (45_storage.sql).
  bytes bigint not null default 0,
  primary key (knowledge_id, document_id),
  foreign key (team_id, knowledge_id) references private.roots (team_id, id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index document_indexes_team_idx on public.document_indexes (team_id, knowledge_id);
create index document_indexes_document_idx on public.document_indexes (document_id);
create index document_indexes_team_document_idx on public.document_indexes (team_id, document_id);
create index document_indexes_open_idx on public.document_indexes (knowledge_id, status, document_id) where status <> 'ready';
create trigger touch_document_indexes before update on public.document_indexes
  for each row execute function private.touch_updated_at();

-- Live chunks only: a new generation is staged in private.staged_chunks and switched in one transaction.
create table public.chunks (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  knowledge_id uuid not null,
  source_id uuid not null,
  document_id uuid not null,
  position int not null,
  content text not null,
  -- UTF-16 code units into documents.content: content.slice(start_offset, end_offset).
  start_offset int not null check (start_offset >= 0),
  end_offset int not null check (end_offset > start_offset),
  page int,
  heading text not null default '',
  tokens int not null,
  content_hash text not null,
  created_at timestamptz not null default now(),
  -- Text shown before a chunk that starts in the middle of a table: the table's caption and header.
  preface text not null default '',
  primary key (id),
  unique (team_id, id),
  unique (knowledge_id, document_id, position),
  foreign key (team_id, knowledge_id) references private.roots (team_id, id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index chunks_team_knowledge_idx on public.chunks (team_id, knowledge_id, document_id);
create index chunks_document_idx on public.chunks (document_id);
create index chunks_team_document_idx on public.chunks (team_id, document_id);

-- The words of chunks in a narrow table of their own, so that a search by words reads nothing else. words: private.chunk_words(). lot: a
-- random number per chunk, so that the lowest lots of a knowledge base are a random sample. language: that of the word forms; '' in rows
-- older than this column, which means the knowledge base's language.
create table public.chunk_words (
  team_id uuid not null,
  knowledge_id uuid not null,
  chunk_id uuid not null,
  lot int not null default floor(random() * 1000000000),
  words extensions.sparsevec not null,
  language text not null default '',
  primary key (team_id, chunk_id),
  foreign key (team_id, chunk_id) references public.chunks (team_id, id) on delete cascade
);
-- Stored in line and uncompressed up to a page: an out-of-line value costs three reads a row.
alter table public.chunk_words alter column words set storage external;
alter table public.chunk_words set (toast_tuple_target = 8160);
create index chunk_words_search_idx on public.chunk_words (team_id, knowledge_id, language, lot);

-- Embeddings in a table of their own. bits: the sign of each number, compared before a search reads the most promising embeddings in full.
create table public.chunk_embeddings (
  team_id uuid not null,
  knowledge_id uuid not null,
  vector_id uuid not null references public.vectors (id),
  chunk_id uuid not null,
  dimensions int not null,
  embedding extensions.halfvec not null,
  bits bit varying not null generated always as (extensions.binary_quantize(embedding)) stored,
  primary key (chunk_id, vector_id),
  foreign key (team_id, chunk_id) references public.chunks (team_id, id) on delete cascade
);
-- Plain: an embedding of more than about 1,000 dimensions would be stored out of line, which costs three reads a row.
alter table public.chunk_embeddings alter column embedding set storage plain;
create index chunk_embeddings_bits_idx on public.chunk_embeddings (team_id, knowledge_id, vector_id) include (chunk_id, bits);
create index chunk_embeddings_team_chunk_idx on public.chunk_embeddings (team_id, chunk_id);
create index chunk_embeddings_vector_idx on public.chunk_embeddings (vector_id);

-- Parsed pieces of a document that takes more than one call to parse: its pages from position on, as its parser emitted them. revision: the
-- document's; pieces of another revision are useless.
create table private.document_pieces (
  team_id uuid not null,
  document_id uuid not null,
  revision text not null,
  position int not null check (position >= 0),
  pages text[] not null,
  primary key (document_id, position),
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index document_pieces_team_document_idx on private.document_pieces (team_id, document_id);
revoke all on private.document_pieces from public, anon, authenticated;
grant select, insert, update, delete on private.document_pieces to service_role;
alter table private.document_pieces enable row level security;

-- What a vision model read from a document's scanned pages; text is null when it failed. revision: the document's.
create table private.page_readings (
  team_id uuid not null,
  document_id uuid not null,
  revision text not null,
  page int not null check (page > 0),
  text text check (char_length(text) <= 40000),
  -- The model's confidence; null when not reported.
  confidence real check (confidence between 0 and 1),
  -- Why the page was not read, or only partly, when the file is the cause.
  problem text check (problem in ('undecoded', 'drawn')),
  primary key (document_id, page),
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index page_readings_team_document_idx on private.page_readings (team_id, document_id);
revoke all on private.page_readings from public, anon, authenticated;
grant select, insert, update, delete on private.page_readings to service_role;
alter table private.page_readings enable row level security;

-- The staged chunks of an index being built, as a whole, so that a worker that resumes need not stage them again. signature: what they are
-- made from; fence: their generation; total: null until all are staged.
create table private.builds (
  team_id uuid not null,
  knowledge_id uuid not null,
  document_id uuid not null,
  signature text not null,
  vector_id uuid not null references public.vectors (id) on delete cascade,
  fence bigint not null,
  total int,
  primary key (knowledge_id, document_id),
  foreign key (knowledge_id, document_id) references public.document_indexes (knowledge_id, document_id) on delete cascade,
  foreign key (team_id, document_id) references public.documents (team_id, id) on delete cascade
);
create index builds_team_document_idx on private.builds (team_id, document_id);
create index builds_vector_idx on private.builds (vector_id);
revoke all on private.builds from public, anon, authenticated;
grant select, insert, update, delete on private.builds to service_role;
alter table private.builds enable row level security;

-- Chunks being built; they are deleted with their build. fence: the generation that staged them; chunks of other generations are deleted.
-- context: embedded before the content. words: as in chunk_words; null in rows older than this column.
create table private.staged_chunks (
  knowledge_id uuid not null,
  document_id uuid not null,
  fence bigint not null,
  position int not null,
  team_id uuid not null references public.teams (id) on delete cascade,
  vector_id uuid not null references public.vectors (id) on delete cascade,
  context text not null default '',
  content text not null,
  start_offset int not null,
  end_offset int not null,
  page int,
  heading text not null default '',
  tokens int not null,
  content_hash text not null,
  embedding extensions.halfvec,
  preface text not null default '',
  words extensions.sparsevec,
  primary key (knowledge_id, document_id, fence, position),
  foreign key (knowledge_id, document_id) references private.builds (knowledge_id, document_id) on delete cascade
);
create index staged_chunks_document_idx on private.staged_chunks (document_id);
create index staged_chunks_team_idx on private.staged_chunks (team_id);
create index staged_chunks_vector_idx on private.staged_chunks (vector_id);
revoke all on private.staged_chunks from public, anon, authenticated;
grant select, insert, update, delete on private.staged_chunks to service_role;
alter table private.staged_chunks enable row level security;

revoke all on public.documents, public.document_indexes, public.chunks, public.chunk_words, public.chunk_embeddings
  from public, anon, authenticated;
grant select, insert, update, delete
  on public.documents, public.document_indexes, public.chunks, public.chunk_words, public.chunk_embeddings to service_role;

-- The documents in the answering agent's knowledge bases. While a search reads its passages, only theirs: the policy compares each document
-- with each of these. Security definer: as agent_knowledge_ids; a policy that read document_indexes itself would add that table's policies
-- to every plan on documents.
-- Who may: answering agents, for themselves. Checks: the agent that the platform's claims name.
create function private.agent_document_ids() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  passages constant uuid[] := nullif(current_setting('request.passages', true), '')::uuid[];
begin
  if passages is not null then
    return array(
      select distinct c.document_id
        from public.chunks c
       cross join lateral (
         select from public.document_indexes di where di.knowledge_id = c.knowledge_id and di.document_id = c.document_id limit 1) di
       where c.id = any (passages) and c.knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));
  end if;
  return array(
    select di.document_id from public.document_indexes di where di.knowledge_id = any (private.agent_knowledge_ids()));
end
$$;
revoke all on function private.agent_document_ids() from public;
grant execute on function private.agent_document_ids() to authenticated, service_role;

grant select, delete on public.documents to authenticated;
grant insert (team_id, source_id, external_id, type, title, url, content, language) on public.documents to authenticated;
grant update (external_id, type, title, url, content, language) on public.documents to authenticated;
alter table public.documents enable row level security;
create policy "members read their team's documents" on public.documents for select to authenticated
  using (team_id = any ((select private.teams_with('sources.read'))::uuid[]));
create policy "nobody reads documents of a deleted source" on public.documents as restrictive for select to authenticated
  using (source_id not in (select private.detached_roots()));
create policy "an answering agent reads the documents of its passages" on public.documents for select to authenticated
  using (id = any ((select private.agent_document_ids())::uuid[]));
create policy "editors add documents to their team's sources" on public.documents for insert to authenticated
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors change their team's documents" on public.documents for update to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]))
  with check (team_id = any ((select private.teams_with('sources.write'))::uuid[]));
create policy "editors delete their team's documents" on public.documents for delete to authenticated
  using (team_id = any ((select private.teams_with('sources.write'))::uuid[]));

grant select on public.document_indexes to authenticated;
alter table public.document_indexes enable row level security;
create policy "members read how far their team's indexes are" on public.document_indexes for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "nobody reads indexes of a deleted knowledge base or source" on public.document_indexes as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and document_id not in (select private.detached_documents())
     and (knowledge_id, document_id) not in (select i.knowledge_id, i.document_id from private.cleared_indexes() i));
create policy "an answering agent reads which documents it has" on public.document_indexes for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

grant select on public.chunks to authenticated;
alter table public.chunks enable row level security;
create policy "members read their team's chunks" on public.chunks for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "nobody reads chunks of a deleted knowledge base or source" on public.chunks as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and source_id not in (select private.detached_roots())
     and (knowledge_id, source_id) not in (select l.knowledge_id, l.source_id from private.cleared_links() l));
create policy "an answering agent reads its chunks" on public.chunks for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

grant select on public.chunk_words to authenticated;
alter table public.chunk_words enable row level security;
create policy "members read the words of their team's chunks" on public.chunk_words for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "nobody reads words of a deleted knowledge base or source" on public.chunk_words as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and chunk_id not in (select private.detached_chunks()));
create policy "an answering agent reads the words of its chunks" on public.chunk_words for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

grant select on public.chunk_embeddings to authenticated;
alter table public.chunk_embeddings enable row level security;
create policy "members read their team's embeddings" on public.chunk_embeddings for select to authenticated
  using (team_id = any ((select private.teams_with('knowledges.read'))::uuid[]));
create policy "nobody reads embeddings of a deleted knowledge base or source" on public.chunk_embeddings as restrictive for select to authenticated
  using (knowledge_id not in (select private.detached_roots()) and chunk_id not in (select private.detached_chunks()));
create policy "an answering agent reads its embeddings" on public.chunk_embeddings for select to authenticated
  using (knowledge_id = any ((select private.agent_knowledge_ids())::uuid[]));

-- The age of documents: when their text last matched the source, and when it last changed there. synced_at is null for a document that was
-- written in Parley. Security definer: an answering agent reads no sources.
-- Who may: readers of the documents. Checks: sources.read in the document's team, or a knowledge base of the answering agent.
create function private.document_ages(documents uuid[])
returns table (document_id uuid, source_type text, synced_at timestamptz, changed_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select d.id, s.type, case when d.type = s.type then coalesce(d.synced_at, s.synced_at) end, d.changed_at
      from public.documents d join public.sources s on s.team_id = d.team_id and s.id = d.source_id
     where d.id = any (documents) and d.content_hash is not null
       and (d.team_id = any ((select private.teams_with('sources.read'))::uuid[])
         or exists (select 1 from public.document_indexes i
                     where i.document_id = d.id and i.knowledge_id = any ((select private.agent_knowledge_ids())::uuid[])));
end
$$;
revoke all on function private.document_ages(uuid[]) from public;
grant execute on function private.document_ages(uuid[]) to authenticated, service_role;

-- A sparse vector of words, each at 1 + (hashtext(lexeme) & 536870911): one pair of words in half a billion has the same index. Weights are
-- rounded to millionths and kept as such, since Postgres takes four times as long to write and read fractions.
create function private.word_vector(places int[], weights float8[]) returns extensions.sparsevec
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select ('{' || coalesce(string_agg(p.place || ':' || greatest(1, (1000000::float8 * p.weight)::bigint), ','), '')
            || '}/1000000000')::extensions.sparsevec
      from unnest(places, weights) p (place, weight));
end
$$;
revoke all on function private.word_vector(int[], float8[]) from public;
grant execute on function private.word_vector(int[], float8[]) to authenticated, service_role;

-- The weight of each word of a chunk, from 1 to 63: its share of BM25 (k1 1.2, b 0.75) for an average length of 80 words. The product with
-- a question's weights is the BM25 score. Words of title and heading count twice.
create function private.chunk_words(language text, title text, heading text, content text) returns extensions.sparsevec
language sql immutable set search_path = '' as $$
  with counted as (
    select w.place, sum(w.count) as count, sum(w.length) as length
      from (select 1 + (hashtext(u.lexeme) & 536870911) as place, cardinality(u.positions) as length,
                   cardinality(u.positions) + cardinality(array_positions(u.weights, 'A')) as count
              from private.search_config(language) config
             cross join unnest(setweight(to_tsvector(config, coalesce(title, '') || ' ' || coalesce(heading, '')), 'A')
                               || to_tsvector(config, content)) u) w
     group by w.place
  ), measured as (
    select c.place, c.count, 1.2 * (0.25 + 0.75 * sum(c.length) over () / 80) as norm from counted c
  )
  select ('{' || coalesce(string_agg(m.place || ':' || round(63 * m.count / (m.count + m.norm)), ','), '') || '}/1000000000')::extensions.sparsevec
    from measured m
$$;
revoke all on function private.chunk_words(text, text, text, text) from public;
grant execute on function private.chunk_words(text, text, text, text) to service_role;
