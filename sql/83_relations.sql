-- What PostgREST embeds where a foreign key leads to a root (19_roots.sql), in both directions. The functions run as the caller, so that
-- row-level security decides. Users and API keys are not among them: some of their columns are closed, and a function returns whole rows.

create function public.teams(chat public.chats) returns setof public.teams rows 1
language sql stable set search_path = '' as $$ select t.* from public.teams t where t.id = chat.team_id $$;

create function public.agents(chat public.chats) returns setof public.agents rows 1
language sql stable set search_path = '' as $$ select a.* from public.agents a where a.id = chat.agent_id $$;

create function public.sources(document public.documents) returns setof public.sources rows 1
language sql stable set search_path = '' as $$ select s.* from public.sources s where s.id = document.source_id $$;

create function public.knowledges(chunk public.chunks) returns setof public.knowledges rows 1
language sql stable set search_path = '' as $$ select k.* from public.knowledges k where k.id = chunk.knowledge_id $$;

create function public.knowledges(document_index public.document_indexes) returns setof public.knowledges rows 1
language sql stable set search_path = '' as $$ select k.* from public.knowledges k where k.id = document_index.knowledge_id $$;

create function public.chats(team public.teams) returns setof public.chats
language sql stable set search_path = '' as $$ select c.* from public.chats c where c.team_id = team.id $$;

create function public.teams(file public.files) returns setof public.teams rows 1
language sql stable set search_path = '' as $$ select t.* from public.teams t where t.id = file.team_id $$;

create function public.files(team public.teams) returns setof public.files
language sql stable set search_path = '' as $$ select f.* from public.files f where f.team_id = team.id $$;

create function public.chats(agent public.agents) returns setof public.chats
language sql stable set search_path = '' as $$ select c.* from public.chats c where c.team_id = agent.team_id and c.agent_id = agent.id $$;

create function public.documents(source public.sources) returns setof public.documents
language sql stable set search_path = '' as $$ select d.* from public.documents d where d.team_id = source.team_id and d.source_id = source.id $$;

create function public.chunks(knowledge public.knowledges) returns setof public.chunks
language sql stable set search_path = '' as $$
  select c.* from public.chunks c where c.team_id = knowledge.team_id and c.knowledge_id = knowledge.id
$$;

create function public.document_indexes(knowledge public.knowledges) returns setof public.document_indexes
language sql stable set search_path = '' as $$
  select i.* from public.document_indexes i where i.team_id = knowledge.team_id and i.knowledge_id = knowledge.id
$$;

revoke all on function public.teams(public.chats), public.agents(public.chats), public.sources(public.documents),
  public.knowledges(public.chunks), public.knowledges(public.document_indexes), public.chats(public.teams), public.chats(public.agents),
  public.documents(public.sources), public.chunks(public.knowledges), public.document_indexes(public.knowledges), public.teams(public.files),
  public.files(public.teams) from public, anon;
grant execute on function public.teams(public.chats), public.agents(public.chats), public.sources(public.documents),
  public.knowledges(public.chunks), public.knowledges(public.document_indexes), public.chats(public.teams), public.chats(public.agents),
  public.documents(public.sources), public.chunks(public.knowledges), public.document_indexes(public.knowledges), public.teams(public.files),
  public.files(public.teams) to authenticated, service_role;
