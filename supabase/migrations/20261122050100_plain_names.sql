-- Names and titles become one line that reads as it stands, whichever way they are written. What is there is cleaned first.

-- Whether a text is fit to be a name or a title: one line without control characters, without characters that turn the
-- direction of others or show nothing, and with something to see in it. edge-functions/_shared/plain-text.ts is the same rule.
create function private.is_plain_text(value text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select value !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
     and value ~ '[^\u0020\u00a0\u034f\u061c\u115f\u1160\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0]'
$$;
revoke all on function private.is_plain_text(text) from public;
grant execute on function private.is_plain_text(text) to anon, authenticated, service_role;

-- A text as a name or a title: spaces for control characters, nothing for hidden ones; empty where nothing can be seen.
create function private.plain_text(value text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when private.is_plain_text(cleaned.value) then cleaned.value else '' end
    from (select btrim(regexp_replace(regexp_replace(value,
                   '[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]+', '', 'g'),
                   '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' ', 'g'), U&' \00A0\3000') as value) as cleaned
$$;
revoke all on function private.plain_text(text) from public;
grant execute on function private.plain_text(text) to service_role;

-- Whether every one of several texts is such a line, of at most so many characters.
create function private.are_plain_texts(texts text[], longest int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(bool_and(coalesce(char_length(one) <= longest and private.is_plain_text(one), false)), true)
    from unnest(texts) as one
$$;
revoke all on function private.are_plain_texts(text[], int) from public;
grant execute on function private.are_plain_texts(text[], int) to authenticated, service_role;

-- Whether a text looks like an e-mail address: one @, and nothing that a header or a list of addresses would read otherwise.
create function private.is_email(value text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select private.is_plain_text(value) and value ~ '^[^\s@<>()\[\],;:\\"]+@[^\s@<>()\[\],;:\\"]+$'
$$;
revoke all on function private.is_email(text) from public;
grant execute on function private.is_email(text) to authenticated, service_role;

-- What cannot be seen at all gets a name that can.
update public.users set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.teams set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.roles set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.api_keys set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.agents set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.files set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.sources set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.vectors set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.knowledges set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.documents set type = coalesce(nullif(private.plain_text(type), ''), 'text') where not private.is_plain_text(type);
update public.documents set title = coalesce(nullif(private.plain_text(title), ''), 'Untitled') where not private.is_plain_text(title);
update public.apps set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.beta_signups set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.support_tickets set name = coalesce(nullif(private.plain_text(name), ''), 'Unnamed') where not private.is_plain_text(name);
update public.support_tickets set subject = coalesce(nullif(private.plain_text(subject), ''), 'Untitled') where not private.is_plain_text(subject);
update public.agents set model = private.plain_text(model) where model <> '' and not private.is_plain_text(model);
update public.chats set title = private.plain_text(title) where title <> '' and not private.is_plain_text(title);
update public.apps set workspace_name = private.plain_text(workspace_name) where workspace_name <> '' and not private.is_plain_text(workspace_name);
update public.agents
   set suggested_prompts = array(
         select left(private.plain_text(p.text), 300) from unnest(suggested_prompts) with ordinality as p (text, place)
          where private.plain_text(p.text) <> '' order by p.place)
 where not private.are_plain_texts(suggested_prompts, 300);
-- Nobody can register such an address, so nobody could ever answer these.
delete from public.team_users where user_id is null and not private.is_email(email);

alter table public.users add constraint users_name_plain check (private.is_plain_text(name));
alter table public.teams add constraint teams_name_plain check (private.is_plain_text(name));
alter table public.roles add constraint roles_name_plain check (private.is_plain_text(name));
alter table public.api_keys add constraint api_keys_name_plain check (private.is_plain_text(name));
alter table public.agents add constraint agents_name_plain check (private.is_plain_text(name));
alter table public.files add constraint files_name_plain check (private.is_plain_text(name));
alter table public.sources add constraint sources_name_plain check (private.is_plain_text(name));
alter table public.vectors add constraint vectors_name_plain check (private.is_plain_text(name));
alter table public.knowledges add constraint knowledges_name_plain check (private.is_plain_text(name));
alter table public.documents add constraint documents_type_plain check (private.is_plain_text(type));
alter table public.documents add constraint documents_title_plain check (private.is_plain_text(title));
alter table public.apps add constraint apps_name_plain check (private.is_plain_text(name));
alter table public.beta_signups add constraint beta_signups_name_plain check (private.is_plain_text(name));
alter table public.support_tickets add constraint support_tickets_name_plain check (private.is_plain_text(name));
alter table public.support_tickets add constraint support_tickets_subject_plain check (private.is_plain_text(subject));

-- Empty: none was given.
alter table public.agents add constraint agents_model_plain check (model = '' or private.is_plain_text(model));
alter table public.chats add constraint chats_title_plain check (title = '' or private.is_plain_text(title));
alter table public.apps add constraint apps_workspace_name_plain check (workspace_name = '' or private.is_plain_text(workspace_name));

alter table public.agents add constraint agents_suggested_prompts_plain check (private.are_plain_texts(suggested_prompts, 300));
-- An address that already belongs to an account is as the auth server has it.
alter table public.team_users add constraint team_users_email_address check (user_id is not null or private.is_email(email));

create or replace function private.mirror_auth_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  metadata jsonb := private.sign_up_metadata(new.raw_user_meta_data::text);
begin
  insert into public.users (id, name, email, locale)
  values (
    new.id,
    left(coalesce(nullif(private.plain_text(metadata ->> 'name'), ''),
                  nullif(private.plain_text(split_part(new.email, '@', 1)), ''), 'User'), 200),
    new.email,
    case when metadata ->> 'locale' = 'fr' then 'fr' else 'en' end
  )
  on conflict (id) do update set email = excluded.email;
  return new;
end
$$;
