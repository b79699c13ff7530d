-- The end of a deletion that can no longer be undone: its copies (84_deletions.sql) are purged in slices.

-- Purges the copies of expired deletions, the oldest first and at most `most` rows, since one deletion may have 20,000. One that is purged in
-- part cannot be restored any more, whatever the clock. Returns the number of rows. Security definer: the service reads none of it.
-- Who may: the service. Checks: that they have expired, and that nobody is restoring them at this moment.
create function private.purge_deletions(most int) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  deletion uuid;
  purged int;
  rows_left int := most;
begin
  while rows_left > 0 loop
    select d.id into deletion from private.deletions d
     where d.expires_at <= clock_timestamp() order by d.expires_at limit 1 for update skip locked;
    exit when not found;
    delete from private.deleted_rows r
     where r.deletion_id = deletion and r.number in (
       select o.number from private.deleted_rows o where o.deletion_id = deletion order by o.number limit rows_left);
    get diagnostics purged = row_count;
    rows_left := rows_left - purged;
    delete from private.deleted_chunk_words w
     where w.deletion_id = deletion and w.chunk_id in (
       select o.chunk_id from private.deleted_chunk_words o where o.deletion_id = deletion limit rows_left);
    get diagnostics purged = row_count;
    rows_left := rows_left - purged;
    delete from private.deleted_chunk_embeddings e
     where (e.deletion_id, e.chunk_id, e.vector_id) in (
       select o.deletion_id, o.chunk_id, o.vector_id from private.deleted_chunk_embeddings o where o.deletion_id = deletion limit rows_left);
    get diagnostics purged = row_count;
    rows_left := rows_left - purged;
    if rows_left > 0 then
      delete from private.deletions d where d.id = deletion;
      rows_left := rows_left - 1;
    else
      update private.deletions d set expires_at = '-infinity' where d.id = deletion;
    end if;
  end loop;
  perform private.purge_copies(rows_left) where rows_left > 0;
  return most - rows_left;
end
$$;
revoke all on function private.purge_deletions(int) from public;
grant execute on function private.purge_deletions(int) to service_role;
