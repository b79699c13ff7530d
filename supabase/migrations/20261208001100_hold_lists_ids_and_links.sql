-- Takes a database with data from the schema before to that of sql/: clients nest no lists, give an agent no more knowledge bases than /v1, write no
-- longer documents than /v1, and take no ids of what the team has itself.

create function private.is_flat_list(texts text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select texts = '{}' or array_ndims(texts) = 1 and array_lower(texts, 1) = 1
$$;
revoke all on function private.is_flat_list(text[]) from public;
grant execute on function private.is_flat_list(text[]) to authenticated, service_role;

-- The values of nested lists, in their order. Without the triggers: nobody saves anything here.
alter table public.roles disable trigger user;
update public.roles set permissions = array(select one from unnest(permissions) one) where not private.is_flat_list(permissions);
alter table public.roles enable trigger user;
alter table public.agents disable trigger user;
update public.agents
   set suggested_prompts = array(select one from unnest(suggested_prompts) one),
       allowed_origins = array(select one from unnest(allowed_origins) one)
 where not (private.is_flat_list(suggested_prompts) and private.is_flat_list(allowed_origins));
alter table public.agents enable trigger user;
update public.agent_versions v
   set settings = jsonb_set(v.settings, '{suggestedPrompts}', coalesce((
         select jsonb_agg(one) from jsonb_path_query(v.settings, 'strict $.suggestedPrompts.**') one where jsonb_typeof(one) = 'string'), '[]'))
 where jsonb_path_exists(v.settings, 'strict $.suggestedPrompts[*] ? (@.type() == "array")', '{}', true);
alter table public.apps disable trigger user;
update public.apps set channels = array(select one from unnest(channels) one) where not private.is_flat_list(channels);
alter table public.apps enable trigger user;
alter table public.agent_tests disable trigger user;
update public.agent_tests set facts = array(select one from unnest(facts) one) where not private.is_flat_list(facts);
alter table public.agent_tests enable trigger user;
alter table public.roles add constraint roles_permissions_flat check (private.is_flat_list(permissions));
alter table public.agents add constraint agents_suggested_prompts_flat check (private.is_flat_list(suggested_prompts));
alter table public.agents add constraint agents_allowed_origins_flat check (private.is_flat_list(allowed_origins));
alter table public.apps add constraint apps_channels_flat check (private.is_flat_list(channels));
alter table public.agent_tests add constraint agent_tests_facts_flat check (private.is_flat_list(facts));

create or replace function private.guard_document() returns trigger
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
