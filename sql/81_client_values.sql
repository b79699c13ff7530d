-- Constraints on values from clients that the platform acts on, beyond a column's type and check. tests/sql/writable-columns.ts lists every
-- column that a client writes, and what constrains it.

-- A URL holds an id or a codename, so a codename must not look like an id.
alter table public.teams add constraint teams_codename_no_id
  check (codename !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');

-- At most 100, because every request of a member reads their role's permissions.
alter table public.roles add constraint roles_permissions_few
  check (cardinality(permissions) <= 100 and array_position(permissions, null) is null);

-- Limited, because they are sent in a response header.
alter table public.agents add constraint agents_allowed_origins_short
  check (char_length(array_to_string(allowed_origins, ' ')) <= 15100 and array_position(allowed_origins, '') is null);

-- Slack's channel ids. An empty list means every channel, so no other value may be read as an empty list.
alter table public.apps add constraint apps_channels_ids
  check (channels = '{}' or array_to_string(channels, ' ', '?') ~ '^[CGD][A-Z0-9]{2,30}( [CGD][A-Z0-9]{2,30})*$');

-- JSON and array literals can nest lists and number them from elsewhere than 1: readers expect a list of texts.
create function private.is_flat_list(texts text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select texts = '{}' or array_ndims(texts) = 1 and array_lower(texts, 1) = 1
$$;
revoke all on function private.is_flat_list(text[]) from public;
grant execute on function private.is_flat_list(text[]) to authenticated, service_role;
alter table public.roles add constraint roles_permissions_flat check (private.is_flat_list(permissions));
alter table public.agents add constraint agents_suggested_prompts_flat check (private.is_flat_list(suggested_prompts));
alter table public.agents add constraint agents_allowed_origins_flat check (private.is_flat_list(allowed_origins));
alter table public.apps add constraint apps_channels_flat check (private.is_flat_list(channels));
alter table public.agent_tests add constraint agent_tests_facts_flat check (private.is_flat_list(facts));

-- A link that people click: printable and without spaces, as browsers require.
alter table public.documents add constraint documents_url_plain
  check (url ~ '^https?://[^[:space:]]+$' and private.is_plain_text(url));
-- Counted in bytes, which Postgres knows without reading the text. Parsers stop far below this limit.
alter table public.documents add constraint documents_content_size check (octet_length(content) <= 16777216);

create function private.is_source_config(type text, config jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select not exists (select 1 from jsonb_each(config) as setting
                      where not private.is_source_setting(type, setting.key, setting.value))
$$;
revoke all on function private.is_source_config(text, jsonb) from public;
grant execute on function private.is_source_config(text, jsonb) to authenticated, service_role;
alter table public.sources add constraint sources_config_of_type check (private.is_source_config(type, config));

-- Only a connector writes documents of its type, which it finds by their external id: clients neither insert them nor change their text. A
-- document written by a client has a text of at most the length that /v1 takes, whose hash Postgres computes. Writes by our own triggers count
-- as the platform's, also when a client's statement caused them.
create function private.guard_document() returns trigger
language plpgsql set search_path = '' as $$
declare
  read_by_connectors constant text[] := private.source_types();
begin
  if not private.is_client() or pg_trigger_depth() > 1 then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.type = any (read_by_connectors) then
      raise exception 'documents of this type are made from their source alone' using errcode = '23514';
    end if;
  elsif (old.type = any (read_by_connectors) or new.type = any (read_by_connectors))
        and (new.type, new.external_id, new.content) is distinct from (old.type, old.external_id, old.content)
  then
    raise exception 'this document is read from its source' using errcode = '23514';
  end if;
  if tg_op = 'INSERT' or new.content is distinct from old.content then
    if coalesce(new.content, '') = '' then
      raise exception 'a document has a text' using errcode = '23514';
    end if;
    if char_length(new.content) > 1000000 then
      raise exception 'a document has at most 1000000 characters' using errcode = '23514';
    end if;
    new.content_hash := encode(sha256(convert_to(new.content, 'UTF8')), 'hex');
  end if;
  return new;
end
$$;
revoke all on function private.guard_document() from public;
create trigger guard_document before insert or update of external_id, type, content on public.documents
  for each row when (not private.is_restoring()) execute function private.guard_document();

-- A document of what the team has itself has its id: a written answer's, a file's, a chat's. Another document with that id would keep it out of
-- the index, while it looks valid. Security definer: reads rows that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: rows of the row's own team, for those who write there.
create function private.leave_ids_to_items() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  item uuid;
begin
  if not private.is_client() or pg_trigger_depth() > 1 or new.team_id <> all (private.teams_with('sources.write'))
     or new.external_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return new;
  end if;
  item := new.external_id::uuid;
  if exists (select from public.sources s
              where s.team_id = new.team_id and s.id = new.source_id
                and case s.type
                      when 'qa' then exists (select from public.qa_entries e where e.source_id = s.id and e.id = item)
                      when 'file' then exists (select from public.files f where f.team_id = s.team_id and f.id = item)
                      when 'agentChat' then exists (select from public.chats c where c.team_id = s.team_id and c.id = item)
                      else false end)
  then
    raise exception 'what is read from this source has this id' using errcode = '23505';
  end if;
  return new;
end
$$;
revoke all on function private.leave_ids_to_items() from public;
create trigger leave_ids_of_new before insert on public.documents
  for each row when (not private.is_restoring()) execute function private.leave_ids_to_items();
create trigger leave_ids before update of external_id on public.documents
  for each row when (new.external_id <> old.external_id) execute function private.leave_ids_to_items();

-- A client sets the channel of its chat, except Slack, which only the platform sets.
create function private.guard_chat_channel() returns trigger
language plpgsql set search_path = '' as $$
begin
  if private.is_client() and new.channel = 'slack' then
    raise exception 'chats in Slack are begun there' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.guard_chat_channel() from public;
create trigger guard_chat_channel before insert on public.chats
  for each row when (not private.is_restoring()) execute function private.guard_chat_channel();

-- The maximum length of a question in /v1: a model reads it in full, with the earlier questions.
create function private.guard_message_length() returns trigger
language plpgsql set search_path = '' as $$
begin
  if private.is_client() and char_length(new.content) > 20000 then
    raise exception 'a message has at most 20000 characters' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.guard_message_length() from public;
create trigger guard_message_length before insert on public.messages
  for each row when (not private.is_restoring()) execute function private.guard_message_length();

-- A client that names another team's row is told that it is missing, before a unique key could tell that it exists, or what it is linked
-- to. Security definer: reads rows that the writer may not see.
-- Who may: callers the policies let write, by a trigger. Checks: the named row is of the new row's team; others' teams are left to policies.
create function private.hide_other_teams() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'agent_knowledges' then
    if exists (select from public.knowledges k where k.team_id = new.team_id and k.id = new.knowledge_id) then
      return new;
    end if;
  elsif exists (select from public.sources s where s.team_id = new.team_id and s.id = new.source_id) then
    return new;
  end if;
  if new.team_id = any (private.teams_with(tg_argv[0])) then
    raise exception 'no such row in this team' using errcode = '23503';
  end if;
  return new;
end
$$;
revoke all on function private.hide_other_teams() from public;
create trigger hide_other_teams before insert on public.documents
  for each row when (private.is_client() and not private.is_restoring()) execute function private.hide_other_teams('sources.write');
create trigger hide_other_teams before insert on public.knowledge_sources
  for each row when (private.is_client() and not private.is_restoring()) execute function private.hide_other_teams('knowledges.write');
create trigger hide_other_teams before insert on public.agent_knowledges
  for each row when (private.is_client() and not private.is_restoring()) execute function private.hide_other_teams('agents.write');
