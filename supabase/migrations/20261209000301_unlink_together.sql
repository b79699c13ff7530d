-- Unlinking many sources at once counted the knowledge base anew for each of them.

drop trigger forget_link on public.knowledge_sources;
drop function private.forget_link();

-- A source that is unlinked from a knowledge base leaves no passages in it: they are hidden at once and removed in slices, and the knowledge
-- base is re-indexed. Once per statement, however many links it deletes: each count reads the whole knowledge base. Security definer: a caller
-- who may change the link may lack the right to write tasks.
-- Who may: callers the policies let delete, by a trigger. Checks: the knowledges of the deleted links, in the links' team.
create function private.forget_links() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Not for a knowledge, or a team, that is being deleted itself.
  touched constant uuid[] := array(
    select k.id from public.knowledges k join public.teams t on t.id = k.team_id
     where k.id in (select g.knowledge_id from gone g) order by k.id for no key update of k);
begin
  update public.knowledges k set status = 'queued' where k.id = any (touched) and k.status not in ('indexing', 'stopping');
  -- A deleted source's passages go with its root.
  insert into private.clearings (team_id, source_id, knowledge_id)
  select g.team_id, g.source_id, g.knowledge_id from gone g join public.sources s on s.id = g.source_id
   where g.knowledge_id = any (touched) order by g.source_id, g.knowledge_id
  on conflict do nothing;
  if found then
    perform private.recount_knowledges(touched);
  end if;
  perform private.enqueue_task(k.team_id, 'index', 'index:knowledge:' || k.id, null, k.id, null)
     from public.knowledges k where k.id = any (touched) order by k.id;
  return null;
end
$$;
revoke all on function private.forget_links() from public;
create trigger forget_links after delete on public.knowledge_sources
  referencing old table as gone for each statement execute function private.forget_links();
