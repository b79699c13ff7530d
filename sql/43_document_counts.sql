-- The counts of documents and chunks in sources and knowledge bases, updated in the transaction that changes the documents.

-- Locks rows before it counts: a count taken while waiting for another transaction would overwrite that transaction's count.
create function private.recount_sources(source_ids uuid[]) returns void
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
create function private.recount_knowledges(knowledge_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.knowledges k where k.id = any (knowledge_ids) order by k.id for no key update;
  update public.knowledges k
     set (documents_count, chunks_count) = (
           select count(*) filter (where i.status = 'ready'), coalesce(sum(i.chunks_count), 0) from public.document_indexes i
            where i.knowledge_id = k.id and i.document_id not in (select private.documents_hidden_in(k.team_id, k.id)))
   where k.id = any (knowledge_ids);
end
$$;
revoke all on function private.recount_knowledges(uuid[]) from public;

-- Adds new documents to their source's count. Security definer: clients do not write it.
-- Who may: callers the policies let insert, by a trigger. Checks: the sources of the inserted rows.
create function private.count_new_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from public.sources s where s.id in (select a.source_id from added a) order by s.id for no key update;
  update public.sources s set documents_count = s.documents_count + n.documents
    from (select a.source_id, count(*) as documents from added a group by a.source_id) n
   where s.id = n.source_id;
  return null;
end
$$;
revoke all on function private.count_new_documents() from public;
create trigger count_new_documents after insert on public.documents
  referencing new table as added for each statement when (not private.is_restoring()) execute function private.count_new_documents();

-- Runs once per statement, however many rows it deletes. Security definer: clients do not write the counts.
-- Who may: callers the policies let delete, by a trigger. Checks: the sources of the deleted rows.
create function private.count_deleted_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recount_sources(array(select distinct g.source_id from gone g));
  return null;
end
$$;
revoke all on function private.count_deleted_documents() from public;
create trigger count_deleted_documents after delete on public.documents
  referencing old table as gone for each statement execute function private.count_deleted_documents();

-- The same for knowledge bases. Security definer: clients do not write the counts.
-- Who may: callers the policies let delete the document, by a trigger. Checks: the knowledge bases of the deleted rows.
create function private.count_deleted_indexes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recount_knowledges(array(
    select distinct g.knowledge_id from gone g
     -- What is being removed in slices was left out of the counts when that began.
     where not exists (select from public.documents d join private.clearings c on c.source_id = d.source_id
                        where d.id = g.document_id and (c.knowledge_id = g.knowledge_id or c.knowledge_id is null))));
  return null;
end
$$;
revoke all on function private.count_deleted_indexes() from public;
create trigger count_deleted_indexes after delete on public.document_indexes
  referencing old table as gone for each statement execute function private.count_deleted_indexes();
