-- The refusal of a team's last owner carries its code, which is what clients read.
create or replace function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner_role constant uuid := '00000000-0000-7000-8000-000000000001';
begin
  if old.role_id <> owner_role or old.status <> 'accepted' then
    return null;
  end if;
  if tg_op = 'UPDATE' and new.role_id = owner_role and new.status = 'accepted' then
    return null;
  end if;
  perform 1 from public.teams t where t.id = old.team_id for update;
  if found and not exists (
    select 1 from public.team_users tu
     where tu.team_id = old.team_id and tu.role_id = owner_role and tu.status = 'accepted')
  then
    raise exception 'a team keeps at least one owner' using errcode = 'PT409', hint = 'lastOwner';
  end if;
  return null;
end
$$;
