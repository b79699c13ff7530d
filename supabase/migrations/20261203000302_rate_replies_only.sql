-- Takes a database with data from the schema before to that of sql/: rate replies only.
-- A rating is for a reply of the agent: neither for a question nor for what a member of the team wrote.
create function private.guard_rated_message() returns trigger
language plpgsql set search_path = '' as $$
begin
  if private.is_client() and (new.role <> 'assistant' or new.author_name is not null) then
    raise exception 'only a reply of the agent is rated' using errcode = '23514';
  end if;
  return new;
end
$$;
revoke all on function private.guard_rated_message() from public;
create trigger guard_rated_message before update of rating, comment on public.messages
  for each row when ((new.rating, new.comment) is distinct from (old.rating, old.comment))
  execute function private.guard_rated_message();

-- Ratings of other messages were never shown, but counted.
update public.messages set rating = null where rating is not null and (role <> 'assistant' or author_name is not null);
