-- Search across a team's data (edge-functions/v1/search): an index of the words of documents' titles, chats' titles and messages.
-- docs/decisions/0005-retrieval.md explains these indexes and their cost.

-- The words of a text in lower case without accents, each prefixed by the last eight characters of its team's id: one index serves every
-- team, and a search reads only its own team's entries. Leaves out the most frequent words. A file name is split into its parts.
create function private.team_words(team_id uuid, content text) returns tsvector
language plpgsql immutable parallel safe set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(array_to_tsvector(array_agg(right(team_id::text, 8) || left(w.lexeme, 64))), '')
      from unnest(ts_delete(to_tsvector('simple',
                    translate(regexp_replace(normalize(left(content, 200000), NFKD), '[\u0300-\u036f]', '', 'g'), '._-/\:@', '       ')), array[
             'a', 'an', 'and', 'are', 'as', 'at', 'be', 'by', 'can', 'do', 'for', 'from', 'have', 'how', 'i', 'if', 'in', 'is', 'it', 'of', 'on', 'or',
             'that', 'the', 'this', 'to', 'was', 'we', 'what', 'with', 'you', 'your',
             'au', 'aux', 'ce', 'd', 'dans', 'de', 'des', 'du', 'en', 'est', 'et', 'il', 'je', 'l', 'la', 'le', 'les', 'ne', 'nous', 'ou', 'par', 'pas',
             'pour', 'qu', 'que', 'qui', 's', 'se', 'sur', 'un', 'une', 'vous'])) w);
end
$$;
revoke all on function private.team_words(uuid, text) from public;
grant execute on function private.team_words(uuid, text) to anon, authenticated, service_role;

-- Matches a team's texts that hold every word of a query, the last of which may be a prefix still being typed; null for an empty query.
create function private.team_words_query(team_id uuid, query text) returns tsquery
language sql immutable parallel safe set search_path = '' as $$
  select string_agg('''' || replace(replace(w.word, '\', '\\'), '''', '''''') || '''' || case when w.is_last then ':*' else '' end, ' & ')::tsquery
    from (select u.lexeme as word, char_length(u.lexeme) >= 8 + 2 and u.lexeme = any (tsvector_to_array(private.team_words(team_id, l.last))) as is_last
            from (select substring(query from '\S+\s*$') as last) l
           cross join unnest(private.team_words(team_id, query)) u
           order by char_length(u.lexeme) desc limit 12) w
$$;
revoke all on function private.team_words_query(uuid, text) from public;
grant execute on function private.team_words_query(uuid, text) to authenticated, service_role;

create index documents_words_idx on public.documents using gin (private.team_words(team_id, title)) with (gin_pending_list_limit = 256);
create index chats_words_idx on public.chats using gin (private.team_words(team_id, title)) with (gin_pending_list_limit = 256);

-- The words of messages, in a table of their own: a reply is saved many times while it streams, and indexed once when complete. Only
-- private.find_chats() and private.find_chats_by_message() read it.
create table private.message_words (
  team_id uuid not null,
  message_id uuid not null,
  words tsvector not null,
  primary key (team_id, message_id),
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete cascade
);
create index message_words_idx on private.message_words using gin (words) with (gin_pending_list_limit = 256);
revoke all on private.message_words from public, anon, authenticated, service_role;
alter table private.message_words enable row level security;

-- Stores the words of a completed message. Security definer: only this trigger writes them.
-- Who may: callers the policies let write messages, by a trigger. Checks: nothing of its own, it copies the row's own words.
create function private.keep_message_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.message_words (team_id, message_id, words)
  values (new.team_id, new.id, private.team_words(new.team_id, new.content))
  on conflict (team_id, message_id) do update set words = excluded.words;
  return null;
end
$$;
revoke all on function private.keep_message_words() from public;
create trigger keep_new_words after insert on public.messages
  for each row when (new.status <> 'streaming' and not private.is_restoring()) execute function private.keep_message_words();
create trigger keep_final_words after update of status, content on public.messages
  for each row when (new.status <> 'streaming' and (old.status = 'streaming' or old.content <> new.content))
  execute function private.keep_message_words();

-- The newest documents of a team whose title matches a query. Security definer: row-level security keeps a text search from its index.
-- Results are then read under the caller's policies.
-- Who may: logged-in users. Checks: sources.read in the team.
create function private.find_documents(team uuid, query text, most int) returns table (document_id uuid)
language plpgsql stable security definer rows 10 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
begin
  if asked is null or not coalesce(team = any (private.teams_with('sources.read')), false) then
    return;
  end if;
  return query
    select d.id from public.documents d
     where d.team_id = team and private.team_words(d.team_id, d.title) operator(pg_catalog.@@) asked
       and d.source_id not in (select private.detached_roots())
     order by d.id desc limit least(most, 100);
end
$$;
revoke all on function private.find_documents(uuid, text, int) from public;
grant execute on function private.find_documents(uuid, text, int) to authenticated;

-- The chats of a team that match a query in their title or in one message, titles first, then by their newest matching message, which is
-- named. Security definer: as find_documents.
-- Who may: logged-in users. Checks: everyone's chats with chats.read in the team; else the caller's own, with chats.write.
create function private.find_chats(team uuid, query text, most int) returns table (chat_id uuid, message_id uuid)
language plpgsql stable security definer rows 10 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if asked is null or not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    with titled as materialized (
      select c.id from public.chats c
       where c.team_id = team and private.team_words(c.team_id, c.title) operator(pg_catalog.@@) asked
         and (sees_all or c.user_id = person or c.api_key_id = key) and c.agent_id not in (select private.detached_roots())
       order by c.id desc limit least(most, 100)
    ), said as materialized (
      select m.chat_id, m.id
        from private.message_words w join public.messages m on m.team_id = w.team_id and m.id = w.message_id
       where w.team_id = team and w.words operator(pg_catalog.@@) asked and not m.superseded
         and (sees_all or m.user_id = person or m.api_key_id = key) and m.chat_id not in (select private.detached_chats())
       order by w.message_id desc limit 10 * least(most, 100)
    )
    select f.id, f.said_in from (
      select t.id, (select max(s.id::text)::uuid from said s where s.chat_id = t.id) as said_in, true as is_titled from titled t
      union all
      select s.chat_id, max(s.id::text)::uuid, false from said s where s.chat_id not in (select t.id from titled t) group by s.chat_id) f
     order by f.is_titled desc, coalesce(f.said_in, f.id) desc limit least(most, 100);
end
$$;
revoke all on function private.find_chats(uuid, text, int) from public;
grant execute on function private.find_chats(uuid, text, int) to authenticated;

-- The chats of a team with a message that matches a query, for the filter of the list: among the newest 10,000 messages that match. Security
-- definer: as find_documents.
-- Who may: logged-in users. Checks: everyone's chats with chats.read in the team; else the caller's own, with chats.write.
create function private.find_chats_by_message(team uuid, query text) returns table (chat_id uuid)
language plpgsql stable security definer rows 100 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  asked tsquery := private.team_words_query(team, query);
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if asked is null or not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    select m.chat_id
      from private.message_words w join public.messages m on m.team_id = w.team_id and m.id = w.message_id
     where w.team_id = team and w.words operator(pg_catalog.@@) asked and not m.superseded
       and (sees_all or m.user_id = person or m.api_key_id = key) and m.chat_id not in (select private.detached_chats())
     order by w.message_id desc limit 10000;
end
$$;
revoke all on function private.find_chats_by_message(uuid, text) from public;
grant execute on function private.find_chats_by_message(uuid, text) to authenticated, service_role;

-- The chats of a team with a reply in a support state that few replies have, for the filter of the list. Security definer: as find_documents.
-- Who may: logged-in users. Checks: everyone's chats with chats.read in the team; else the caller's own, with chats.write.
create function private.find_chats_by_support(team uuid, state text) returns table (chat_id uuid)
language plpgsql stable security definer rows 100 set search_path = '' set jit = off set plan_cache_mode = force_custom_plan as $$
declare
  sees_all boolean := coalesce(team = any (private.teams_with('chats.read')), false);
  person uuid := private.user_id();
  key uuid := private.api_key_id();
begin
  if not (sees_all or coalesce(team = any (private.teams_with('chats.write')), false)) then
    return;
  end if;
  return query
    select distinct m.chat_id from public.messages m
     where m.team_id = team and m.support ->> 'state' = state and m.support ->> 'state' in ('partly', 'notFound', 'disagree')
       and (sees_all or m.user_id = person or m.api_key_id = key);
end
$$;
revoke all on function private.find_chats_by_support(uuid, text) from public;
grant execute on function private.find_chats_by_support(uuid, text) to authenticated, service_role;
