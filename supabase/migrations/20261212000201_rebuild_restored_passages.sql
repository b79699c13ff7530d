-- Sources, files and written answers that are restored after their knowledge base moved to another embedding space are built again there.

-- Has restored passages built again that have no vector in their knowledge base's space: it moved to another one meanwhile, without them.
create function private.rebuild_moved(deletion uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  update public.document_indexes i set signature = null
    from private.deleted_rows r, public.knowledges k
   where r.deletion_id = deletion and r.table_name = 'public.document_indexes' and not r.is_reference
     and i.knowledge_id = (r.content ->> 'knowledge_id')::uuid and i.document_id = (r.content ->> 'document_id')::uuid
     and k.id = i.knowledge_id and exists (
       select from public.chunks c
        where c.team_id = i.team_id and c.document_id = i.document_id and c.knowledge_id = i.knowledge_id
          and not exists (select from public.chunk_embeddings e where e.chunk_id = c.id and e.vector_id = k.vector_id));
end
$$;
revoke all on function private.rebuild_moved(uuid) from public;

-- Undoes a deletion. Raises PT404 when it does not exist or has expired, and PT409 when the row exists again or a row that it needs is
-- missing. Insert triggers skip these rows (private.is_restoring()), because they are not new. Security definer: as keep_deleted.
-- Who may: those who delete the row. Checks: the permission to delete its kind, in the team of the deletion.
create or replace function private.restore_deleted(kind text, team uuid, target uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  deletion uuid;
  root_query constant text := format('select exists (select from %s t where t.team_id = $1 and t.id = $2)',
    (select private.full_name(t.relation) from private.deletion_tables(kind) t limit 1));
  is_there boolean;
  one record;
begin
  if private.deleting_permission(kind) is null or not team = any (private.teams_with(private.deleting_permission(kind))) then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  select d.id into deletion from private.deletions d
   where d.kind = restore_deleted.kind and d.team_id = team and d.row_id = target and d.expires_at > clock_timestamp() for update;
  execute root_query into is_there using team, target;
  if is_there then
    raise exception 'this is not deleted' using errcode = 'PT409', hint = 'notDeleted';
  elsif deletion is null then
    raise exception 'no such deletion' using errcode = 'PT404';
  end if;
  if kind = 'files' then
    -- What a worker has made of it since that had it on its list before: the documents of then come back.
    delete from public.documents d using public.sources s
     where s.team_id = team and s.type = 'file' and d.team_id = team and d.source_id = s.id and d.external_id = target::text;
  end if;
  perform set_config('parley.restoring', 'on', true);
  for one in select t.relation from private.deletion_tables(kind) t loop
    perform private.put_back_rows(deletion, one.relation);
  end loop;
  for one in
    select f.*, private.full_name(f.child) as name
      from private.foreign_keys(null, array(select t.relation from private.deletion_tables(kind) t)) f where f.action = 'n'
  loop
    execute format('update %s t set %s from private.deleted_rows d cross join lateral jsonb_populate_record(null::%s, d.content) r
                     where d.deletion_id = $1 and d.table_name = %L and d.is_reference and d.content ?& %L and %s and %s and %s',
      one.name, (select string_agg(format('%I = r.%I', k, k), ', ') from unnest(one.emptied) k), one.name, one.name, one.children,
      (select string_agg(format('t.%I = r.%I', k, k), ' and ') from unnest(private.primary_key(one.child)) k),
      (select string_agg(format('t.%I is null', k), ' and ') from unnest(one.emptied) k),
      private.is_held(one.children, one.parents, one.parent)) using deletion;
  end loop;
  perform private.list_file_again(deletion, team, target) where kind = 'files';
  perform set_config('parley.restoring', '', true);
  execute root_query into is_there using team, target;
  if not is_there then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
  end if;
  perform private.leave_unlinked(deletion) where kind in ('files', 'qa_entries');
  perform private.rebuild_moved(deletion), private.follow_restored(kind, team, target);
  delete from private.deletions d where d.id = deletion;
exception
  -- Something has taken its place, or what it needs went in this moment.
  when unique_violation or foreign_key_violation or check_violation or not_null_violation then
    raise exception 'what this needs is gone' using errcode = 'PT409', hint = 'restoreBlocked';
end
$$;
