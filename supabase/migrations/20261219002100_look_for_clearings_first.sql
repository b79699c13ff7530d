-- Takes a database with data from the schema before to that of sql/: look for clearings first.
-- A search that has none to leave out starts no join for them.
create or replace function private.detached_chunks() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query select c.id from private.detached_documents() d (id) join public.chunks c on c.document_id = d.id;
  end if;
  if exists (select from private.clearings) then
    return query
      select c.id from private.cleared_indexes() i join public.chunks c on c.knowledge_id = i.knowledge_id and c.document_id = i.document_id;
  end if;
end
$$;

create or replace function private.detached_tables() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from private.roots r where r.detached_at is not null) then
    return query
      select t.id from private.detached_documents() d (id)
        join public.document_indexes i on i.document_id = d.id
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
  end if;
  if exists (select from private.clearings) then
    return query
      select t.id from private.cleared_indexes() i
        join public.document_tables t on t.knowledge_id = i.knowledge_id and t.document_id = i.document_id;
  end if;
end
$$;
