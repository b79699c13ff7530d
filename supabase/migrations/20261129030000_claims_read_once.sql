-- Takes a database with data from the schema before to that of sql/: each claim is read once for a query, without a regular expression.

create or replace function private.claim_id(name text) returns uuid
language plpgsql stable parallel safe set search_path = '' as $$
declare
  claim constant text := private.claims() ->> name;
begin
  return case when claim like '________-____-____-____-____________' and translate(claim, '0123456789abcdefABCDEF', '') = '----'
              then claim::uuid end;
end
$$;

create or replace view private.token with (security_invoker = true) as
  select t.subject, t.is_at_work, t.session is null or exists (select 1 from auth.sessions s where s.id = t.session) as goes_on
    from (select private.claim_id('sub') as subject, private.claim_id('session_id') as session,
                 private.claims() ->> 'admin' = 'true' as is_at_work offset 0) as t;

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
  elsif not claims ? 'sub' then
    return '{}';
  end if;
  return array(
    select tu.team_id
      from private.caller c
      join public.team_users tu on tu.user_id = c.id
      join public.roles r on r.id = tu.role_id
     where tu.status = 'accepted' and permission = any (r.permissions));
end
$$;
