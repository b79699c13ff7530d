-- Takes a database with data from the schema before to that of sql/: recount changed sources.

-- Locks rows before it counts: a count taken while waiting for another transaction would overwrite that transaction's count.
create or replace function private.recount_sources(source_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.sources s where s.id = any (source_ids) order by s.id for no key update;
  update public.sources s set documents_count = c.counted
    from (select t.id, (select count(*) from public.documents d where d.source_id = t.id) as counted
            from public.sources t where t.id = any (source_ids)) c
   where s.id = c.id and s.documents_count <> c.counted;
end
$$;
revoke all on function private.recount_sources(uuid[]) from public;
