-- Takes a database with data from the schema before to that of sql/: reserve codenames.

alter function private.refuse_former_codename() rename to refuse_taken_codename;
alter trigger refuse_former_codename on public.teams rename to refuse_taken_codename;

create or replace function private.refuse_taken_codename() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.codename in ('import', 'pending-invites')
     or exists (select from public.teams t where t.former_codenames @> array[new.codename] and t.id <> new.id) then
    raise exception 'another team has had this codename, or the API needs it' using errcode = '23505', constraint = 'teams_codename_key';
  end if;
  return null;
end
$$;

-- Such a team's links still lead to it, by its former codename.
update public.teams t set codename = t.codename || '-' || substr(md5(gen_random_uuid()::text), 1, 6)
 where t.codename in ('import', 'pending-invites');
