-- Takes a database with data from the schema before to that of sql/: disconnect deleted apps.

create index deleted_rows_workspace_idx on private.deleted_rows ((content ->> 'workspace_id')) where table_name = 'public.apps';

-- A deleted agent's app is not connected once it is restored when Parley has left its workspace meanwhile: only people of the workspace connect
-- an app. Security definer: no role reads deleted rows.
-- Who may: the service, by a trigger. Checks: the deleted apps of the workspace whose tokens go.
create function private.disconnect_deleted_apps() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.deleted_rows d set content = d.content || '{"status": "disconnected"}'
   where d.table_name = 'public.apps' and d.content ->> 'workspace_id' = old.workspace_id
     and d.content ->> 'status' = 'connected';
  return null;
end
$$;
revoke all on function private.disconnect_deleted_apps() from public;
create trigger disconnect_deleted_apps after delete on private.slack_installations
  for each row execute function private.disconnect_deleted_apps();
