-- A knowledge base takes 200 sources. Past /v1, a client could link any number, and every page, sync and indexing read them all.

-- Limits the sources of a knowledge base: its page, its indexing and each sync of one of them read the list. More than /v1 once admitted, so
-- that an export of before can be imported. Locks the knowledge base before it counts, as taking sources from it does (51_removals.sql).
-- Security definer: counts links that the writer may not see.
-- Who may: callers the policies let insert, by a trigger. Checks: the number of links of the knowledges of the inserted rows.
create function private.limit_knowledge_sources() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.knowledges k where k.id in (select n.knowledge_id from added n) order by k.id for no key update;
  if exists (select from (select distinct n.knowledge_id from added n) a
              where (select count(*) from public.knowledge_sources ks where ks.knowledge_id = a.knowledge_id) > 200) then
    raise exception 'a knowledge base has at most 200 sources' using errcode = '23514', constraint = 'knowledge_sources_few';
  end if;
  return null;
end
$$;
revoke all on function private.limit_knowledge_sources() from public;
create trigger limit_knowledge_sources after insert on public.knowledge_sources
  referencing new table as added for each statement when (private.is_client() and not private.is_restoring())
  execute function private.limit_knowledge_sources();
