-- Functions that run past row-level security check for themselves what their callers checked for them.
create function private.administer_account(
  account uuid, set_admin boolean, set_banned boolean, new_name text, new_locale text
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_there boolean;
begin
  if not private.is_admin() then
    raise exception 'only a platform admin at work administers accounts' using errcode = '42501';
  end if;
  update public.users u
     set is_admin = coalesce(set_admin, u.is_admin),
         banned_at = case set_banned when true then coalesce(u.banned_at, now()) when false then null else u.banned_at end,
         name = coalesce(new_name, u.name), locale = coalesce(new_locale, u.locale)
   where u.id = account;
  is_there := found;
  if set_banned then
    perform private.end_sessions_of(account);
  end if;
  return is_there;
end
$$;
revoke all on function private.administer_account(uuid, boolean, boolean, text, text) from public;
grant execute on function private.administer_account(uuid, boolean, boolean, text, text) to authenticated;

create or replace function public.forget_indexes(source uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  team uuid;
begin
  select s.team_id into team from public.sources s
   where s.id = source and s.team_id = any ((select private.teams_with('sources.read'))::uuid[]);
  if team is null then
    raise exception 'no such source' using errcode = 'PT404';
  end if;
  if team <> all (private.teams_with('sources.write')) then
    raise exception 'may not forget the indexes of this source' using errcode = '42501';
  end if;
  perform public.stop_indexing(source);
  -- In the order in which workers lock. One that is about to switch an index ends that first; one that comes later finds none.
  perform 1 from public.documents d where d.team_id = team and d.source_id = source order by d.id for no key update;
  perform 1 from public.document_indexes di join public.documents d on d.id = di.document_id
    where d.team_id = team and d.source_id = source and di.team_id = team
    order by di.document_id, di.knowledge_id for update of di;
  delete from public.chunks c
   using public.documents d
   where d.team_id = team and d.source_id = source and c.team_id = team and c.document_id = d.id;
  delete from public.document_indexes di
   using public.documents d
   where d.team_id = team and d.source_id = source and di.team_id = team and di.document_id = d.id;
  update public.documents d set status = 'none', chunks_count = 0, error = null
   where d.team_id = team and d.source_id = source;
  update public.sources s set status = 'none' where s.id = source and s.team_id = team;
  update public.knowledges k
     set documents_count = (select count(*) from public.document_indexes di
                             where di.team_id = team and di.knowledge_id = k.id and di.status = 'ready'),
         chunks_count = (select coalesce(sum(di.chunks_count), 0) from public.document_indexes di
                          where di.team_id = team and di.knowledge_id = k.id),
         status = case when k.status = 'ready' then 'stale' else k.status end
    from public.knowledge_sources ks
   where ks.source_id = source and k.id = ks.knowledge_id and k.team_id = team;
end
$$;

create or replace function private.rank_text(knowledge_ids uuid[], query_text text, depth int)
returns table (chunk_id uuid, score float8, coverage float8)
language plpgsql stable security definer set search_path = '' as $$
declare
  same_language record;
begin
  for same_language in
    select private.search_config(k.language) as config, array_agg(k.id) as ids
      from public.knowledges k
     where k.id = any (knowledge_ids)
       and (k.team_id = any ((select private.teams_with('knowledges.read'))::uuid[])
         or k.id = any ((select private.agent_knowledge_ids())::uuid[])
         or not private.is_client())
     group by 1
  loop
    return query select * from private.rank_lexemes(same_language.config, same_language.ids, query_text, depth);
  end loop;
end
$$;
