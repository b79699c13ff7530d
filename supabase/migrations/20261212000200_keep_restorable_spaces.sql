-- A knowledge base that was deleted in the space of a replaced embedding model can be restored: that space, and the model's connection, are
-- no longer deleted before the deletion is final.

-- True for the embedding space of a knowledge base whose deletion can be undone: without it the knowledge base could not be restored.
-- Security definer: no role reads deleted rows.
-- Who may: the service. Checks: tells nothing but that there is such a deletion.
create function private.is_restorable_space(space uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.deletions d join private.deleted_rows r on r.deletion_id = d.id and r.table_name = 'public.knowledges'
     where d.kind = 'knowledges' and (r.content ->> 'vector_id')::uuid = is_restorable_space.space)
$$;
revoke all on function private.is_restorable_space(uuid) from public;
grant execute on function private.is_restorable_space(uuid) to service_role;

-- Deletes what no longer counts: embedding models that no knowledge base uses or that were replaced a month ago; spaces of deleted
-- connections; expired reservations; usage older than 800 days. Nothing while the clock is not trusted (86_clock.sql). For the service.
create or replace function private.sweep_models(most int) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if not private.is_clock_trusted() then
    return;
  end if;
  delete from private.models m
   where m.role = 'earlierEmbedding'
     and (m.updated_at < now() - interval '30 days'
       or m.updated_at < now() - interval '10 minutes' and not exists (
            select from public.knowledges k join public.vectors v on v.id = k.vector_id
             where v.model = private.space_model(m.id, m.team_id, m.model) and v.dimensions = m.dimensions
               and (m.team_id is null or k.team_id = m.team_id))
         and not exists (
            select from public.vectors v
             where v.model = private.space_model(m.id, m.team_id, m.model) and v.dimensions = m.dimensions
               and private.is_restorable_space(v.id)));
  delete from public.vectors v
   where v.model like 'connection:%' and v.created_at < now() - interval '1 day'
     and not exists (select from private.models m where 'connection:' || m.id = v.model)
     and not exists (select from public.knowledges k where k.vector_id = v.id)
     and not exists (select from public.chunk_embeddings e where e.vector_id = v.id)
     and not private.is_restorable_space(v.id);
  delete from private.model_reservations r where r.ctid = any (array(
    select e.ctid from private.model_reservations e where e.expires_at < now() limit most for update skip locked));
  delete from public.model_usage u where u.ctid = any (array(
    select o.ctid from public.model_usage o
     where o.day < (now() - interval '800 days')::date order by o.day limit most for update skip locked));
end
$$;
