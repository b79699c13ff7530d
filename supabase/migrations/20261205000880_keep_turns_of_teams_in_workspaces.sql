-- Takes a database with data from the schema before to that of sql/: keep turns of teams in workspaces.

alter table public.apps add column team_connected_at timestamptz;

-- Not an edit that a person made: updated_at stays.
alter table public.apps disable trigger touch_apps;
update public.apps p
   set team_connected_at = (
     select min(o.connected_at) from public.apps o
      where o.workspace_id = p.workspace_id and o.team_id = p.team_id)
 where p.workspace_id is not null;
alter table public.apps enable trigger touch_apps;
