-- The caller's teams that have a language model, of their own or the installation's; the others have the environment's.
-- Security definer: connections are the service's alone.
-- Who may: everyone, of their own teams. Checks: team.read.
create function private.teams_with_chat_model() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select t.id from unnest(private.teams_with('team.read')) t (id)
     where exists (select from private.models m where m.role = 'chat' and (m.team_id = t.id or m.team_id is null)));
end
$$;
revoke all on function private.teams_with_chat_model() from public;
grant execute on function private.teams_with_chat_model() to authenticated, service_role;
