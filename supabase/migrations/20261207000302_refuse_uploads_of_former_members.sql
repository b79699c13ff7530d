-- Takes a database with data from the schema before to that of sql/: refuse uploads of former members.

alter table private.signed_uploads add column user_id uuid, add column api_key_id uuid;

-- Chooses the id of a file that will be uploaded to a signed URL, and records it. Security definer: no client writes these records.
-- Who may: those who add files. Checks: files.write in that team.
create or replace function private.sign_upload(team uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  id constant uuid := private.uuid_v7();
begin
  if not team = any (private.teams_with('files.write')) then
    raise exception 'may not add files' using errcode = '42501';
  end if;
  insert into private.signed_uploads (path, team_id, user_id, api_key_id)
  values ('teams/' || team || '/' || id, team, private.user_id(), private.api_key_id());
  return id;
end
$$;

-- True while whoever asked for a signed URL may add files to its team. The URL itself is valid for two hours, whatever happens to them.
create function private.may_still_upload(signed private.signed_uploads) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if signed.api_key_id is not null then
    return exists (
      select from private.key_makers k
       where k.id = signed.api_key_id and 'files.write' = any (k.permissions)
         and ('files.write' = any (k.maker_permissions) or k.is_admins)
       group by k.makers having count(*) = k.makers);
  end if;
  -- Of a URL of the release before, nobody is known.
  return signed.user_id is null or exists (
    select from public.users u
      left join public.team_users tu on tu.user_id = u.id and tu.team_id = signed.team_id and tu.status = 'accepted'
      left join public.roles r on r.id = tu.role_id
     where u.id = signed.user_id and u.banned_at is null and (u.is_admin or 'files.write' = any (r.permissions)));
end
$$;
revoke all on function private.may_still_upload(private.signed_uploads) from public;

-- Counts an object that arrives at a signed URL; the local storage writes its metadata as a text in JSON. Without a size it counts as the largest
-- file. One that does not fit, or comes from somebody who has left, is marked for deletion: a refusal would leave its bytes on the local
-- disk, where storage writes them before their record. Security definer: storage's role may not write our records.
-- Who may: storage, by a trigger. Checks: the upload of the new object alone.
create or replace function private.count_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant bigint := (select l.team_storage from private.operator_limits l);
  signed private.signed_uploads;
begin
  update private.signed_uploads s
     set bytes = coalesce(substring(new.metadata #>> '{}' from '"size": ?([0-9]{1,15})')::bigint, 52428800)
   where s.path = new.name and not s.is_refused
  returning s.* into signed;
  if signed.path is null then
    return null;
  end if;
  if not private.may_still_upload(signed) then
    delete from private.signed_uploads s where s.path = new.name;
    insert into private.unwanted_objects (path) values (new.name) on conflict do nothing;
  elsif private.sum_storage(signed.team_id) > most then
    update private.signed_uploads s set bytes = 0, is_refused = true where s.path = new.name;
    insert into private.unwanted_objects (path) values (new.name) on conflict do nothing;
  end if;
  return null;
end
$$;
