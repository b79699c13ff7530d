-- Takes a database with data from the schema before to that of sql/: count agent versions.

-- A version of an agent counts as a kibibyte and its settings: one short change of many agents stores the settings of each again. They are
-- never changed. Security definer: no client writes the changes.
-- Who may: whoever saves or deletes agents, by a trigger. Checks: the versions of the statement.
create function private.count_agent_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.note_storage(n.team_id, n.bytes)
       from (select a.team_id, sum(1024 + octet_length(a.settings::text))::bigint as bytes from added a group by a.team_id) n;
  else
    perform private.note_storage(n.team_id, -n.bytes)
       from (select g.team_id, sum(1024 + octet_length(g.settings::text))::bigint as bytes from gone g group by g.team_id) n;
  end if;
  return null;
end
$$;
revoke all on function private.count_agent_versions() from public;
create trigger count_new_agent_versions after insert on public.agent_versions
  referencing new table as added for each statement execute function private.count_agent_versions();
create trigger count_deleted_agent_versions after delete on public.agent_versions
  referencing old table as gone for each statement execute function private.count_agent_versions();

-- Those that are there. A team that is above its limit now keeps all.
select private.note_storage(v.team_id, sum(1024 + octet_length(v.settings::text))::bigint, false)
  from public.agent_versions v group by v.team_id;
