-- An import inserts many agents or sources with one statement: each takes the next of the drawn ids. Written one by one, a thousand of each
-- held everybody for minutes.

-- The id of a new agent or source: the next of those that an import has drawn before (54_team_imports.sql), else a new one. As with
-- private.is_restoring(), no client reaches the setting.
create or replace function private.next_id() returns uuid
language plpgsql volatile parallel unsafe set search_path = '' as $$
declare
  drawn constant text := current_setting('parley.next_id', true);
begin
  if coalesce(drawn, '') = '' then
    return private.uuid_v7();
  end if;
  perform set_config('parley.next_id', substr(drawn, 38), true);
  return left(drawn, 36)::uuid;
end
$$;
