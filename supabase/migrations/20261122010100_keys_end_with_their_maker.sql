-- An API key has rights only as far as the person who created it has them now, and says who that is.

alter table public.api_keys
  add column made_at_work boolean not null default false,
  add column makers uuid[] not null default '{}';

-- Release 1.0.0 did not record who created a key. Whoever could have answers for it: the members of then who may create keys.
-- The key works while all of them are there, within the rights that they share, and manages neither people nor keys.
alter table public.api_keys disable trigger touch_api_keys;
update public.api_keys k
   set makers = case
     when k.created_by is not null then array[k.created_by]
     else array(select distinct tu.user_id
                  from public.team_users tu join public.roles r on r.id = tu.role_id
                 where tu.team_id = k.team_id and tu.status = 'accepted' and tu.created_at <= k.created_at
                   and 'apiKeys.write' = any (r.permissions))
   end;
alter table public.api_keys enable trigger touch_api_keys;

-- Who answers for each API key and still may: one row per maker who is not banned and is a member of the key's team, or was a
-- platform admin at work when creating the key and is one still. No role may read it, nor the next.
create view private.key_makers with (security_invoker = true) as
  select k.id, k.team_id, k.role_id, k.created_by, cardinality(k.makers) as makers, r.permissions,
         k.made_at_work and u.is_admin as is_admins, m.permissions as maker_permissions
    from public.api_keys k
    join public.roles r on r.id = k.role_id
    join public.users u on u.id = any (k.makers) and u.banned_at is null
    left join public.team_users tu on tu.user_id = u.id and tu.team_id = k.team_id and tu.status = 'accepted'
    left join public.roles m on m.id = tu.role_id
   where tu.id is not null or (k.made_at_work and u.is_admin);
revoke all on private.key_makers from public, anon, authenticated, service_role;

-- The calling API key while all of its makers are there: no row for one that is revoked or whose maker has left.
create view private.calling_key with (security_invoker = true) as
  select k.id, k.team_id, k.role_id
    from private.key_makers k
   where k.id = private.claim_id('api_key_id')
   group by k.id, k.team_id, k.role_id, k.makers
  having count(*) = k.makers;
revoke all on private.calling_key from public, anon, authenticated, service_role;

-- That key's id, or null. Security definer because it reads keys, whose policies call it.
create function private.api_key_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.claims() ? 'api_key_id' then
    return null;
  end if;
  return (select k.id from private.calling_key k);
end
$$;
revoke all on function private.api_key_id() from public;
grant execute on function private.api_key_id() to authenticated, service_role;

-- The teams in which the caller has a permission: through membership, through an API key, or as a platform admin at work.
-- An API key has what its role and every maker's role hold; where its maker is not recorded it manages nobody. A token names
-- one of the three. Security definer because it reads the tables whose policies call it. Runs once per statement
-- when a policy reads team_id = any ((select private.teams_with('...'))::uuid[]), and does one query's work then.
create or replace function private.teams_with(permission text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  claims constant jsonb := private.claims();
begin
  if claims ? 'api_key_id' then
    return array(
      select k.team_id from private.key_makers k
       where k.id = private.claim_id('api_key_id') and permission = any (k.permissions)
         and (permission = any (k.maker_permissions) or k.is_admins)
         and (k.created_by is not null
           or permission not in ('users.write', 'roles.write', 'apiKeys.write', 'team.delete'))
       group by k.team_id, k.makers
      having count(*) = k.makers);
  elsif claims ? 'admin' and private.is_admin() then
    return array(select t.id from public.teams t);
  end if;
  return array(
    select tu.team_id
      from private.caller c
      join public.team_users tu on tu.user_id = c.id
      join public.roles r on r.id = tu.role_id
     where tu.status = 'accepted' and permission = any (r.permissions));
end
$$;

-- Whether the caller is logged in as somebody who still is: a user who is not banned, an API key that is not revoked and whose
-- maker is there, or an agent that answers. For rows that belong to no team. Security definer: reads users and keys.
create or replace function private.is_known() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.caller)
      or private.api_key_id() is not null
      or private.claim_id('agent_id') is not null;
end
$$;

-- An API key answers to whoever creates it: a person, or the makers of the key that creates it. No client says who that is.
-- Security definer: a key may not read the keys.
create function private.note_key_makers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_client() then
    new.created_by := private.user_id();
    new.makers := array_remove(array[new.created_by], null);
    new.made_at_work := private.is_admin();
    if new.created_by is null then
      select k.created_by, k.makers, k.made_at_work into new.created_by, new.makers, new.made_at_work
        from public.api_keys k where k.id = private.api_key_id();
    end if;
    new.makers := coalesce(new.makers, '{}');
    new.made_at_work := coalesce(new.made_at_work, false);
  elsif new.makers = '{}' then
    new.makers := array_remove(array[new.created_by], null);
  end if;
  if new.makers = '{}' and current_setting('role', true) in ('authenticated', 'service_role') then
    raise exception 'an API key is created by a person' using errcode = '42501';
  end if;
  return new;
end
$$;
revoke all on function private.note_key_makers() from public;
create trigger note_key_makers before insert on public.api_keys
  for each row execute function private.note_key_makers();

-- Who created an API key and whether it works, for those who see the team's keys: {"createdBy": {id, name, email} or null,
-- "active"}. Security definer: whoever has left the team is no teammate any more, and is named all the same.
create function private.key_state(key uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
           'createdBy', (select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
                           from public.users u where u.id = k.created_by),
           'active', cardinality(k.makers) > 0
                     and cardinality(k.makers) = (select count(*) from private.key_makers m where m.id = k.id))
    from public.api_keys k
   where k.id = key and k.team_id = any ((select private.teams_with('apiKeys.read'))::uuid[])
$$;
revoke all on function private.key_state(uuid) from public;
grant execute on function private.key_state(uuid) to authenticated, service_role;

-- The caller's role in a team, theirs by membership or by API key; null for everyone else. Security definer: an API key
-- may not read the keys.
create or replace function private.role_id_in(team uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select tu.role_id from public.team_users tu
   where tu.team_id = team and tu.user_id = private.user_id() and tu.status = 'accepted'
  union all
  select k.role_id from private.calling_key k where k.team_id = team
   limit 1
$$;

-- And its permissions, for clients that offer only what will not be refused: empty without a role, and of a key's those that
-- its maker holds. Security definer: as role_in.
create or replace function private.role_permissions_in(team uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select case when private.claims() ? 'api_key_id' then private.permissions_in(team)
              else coalesce((select r.permissions from public.roles r where r.id = private.role_id_in(team)), '{}') end
$$;

-- Whether the calling API key is still there, and its maker too; notes that it is used, once a minute at most and never waiting
-- for another call that does. Asked in every transaction of a key, so that one that is revoked or whose maker leaves ends at
-- once. Security definer: a key may not read the keys.
create or replace function private.use_api_key() returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  calling constant uuid := private.api_key_id();
  used timestamptz;
begin
  select k.last_used_at into used from public.api_keys k where k.id = calling;
  if not found then
    return false;
  end if;
  if used is null or used < now() - interval '1 minute' then
    update public.api_keys k set last_used_at = now()
     where k.id = (select locked.id from public.api_keys locked where locked.id = calling for update skip locked);
  end if;
  return true;
end
$$;

-- Fills in whose a new chat is, from the caller's claims, never from the row. Security definer: reads the agent's team.
create or replace function private.own_chat() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_client() then
    return new;
  end if;
  new.team_id := (select a.team_id from public.agents a where a.id = new.agent_id);
  new.user_id := private.user_id();
  new.api_key_id := private.api_key_id();
  new.visitor_id := case when new.user_id is null and new.api_key_id is null then private.claim_id('visitor_id') end;
  if new.team_id is null then
    raise exception 'no such agent' using errcode = 'PT404';
  end if;
  return new;
end
$$;

-- A key's own chats are out of its reach once its maker has left, those with public agents too.
alter policy "people read their own chats" on public.chats
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)));
alter policy "members chat with their team's agents, users with public ones" on public.chats
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
          and (team_id = any ((select private.teams_with('chats.write'))::uuid[])
            or (user_id is not null and private.is_public_agent(agent_id))));
alter policy "people change their own chats" on public.chats
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)))
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_agent(agent_id)));
alter policy "people read the messages of their own chats" on public.messages
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
alter policy "people write in their chats while they may talk to the agent" on public.messages
  with check (role = 'user'
          and (user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
          and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
alter policy "people rate and stop the messages of their own chats" on public.messages
  using ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)))
  with check ((user_id = (select private.user_id()) or api_key_id = (select private.api_key_id()))
     and (team_id = any ((select private.teams_with('chats.write'))::uuid[]) or private.is_public_chat(chat_id)));
