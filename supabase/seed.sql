-- Two accounts and a team for trials and tests on one machine; never run on a hosted project. supabase/local/seed.ts creates the documents
-- that the agent answers from, through the API. The hashes are bcrypt's of the passwords in the README, demo-parley-1 and admin-parley-1.
-- Everybody knows them, so this file creates nothing unless parley.demo_accounts is 'on'.

do $$
begin
  if current_setting('parley.demo_accounts', true) is distinct from 'on' then
    raise exception 'the demo accounts have published passwords: set parley.demo_accounts = on to create them anyway';
  end if;
end
$$;

insert into auth.users (
  id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
  confirmation_token, recovery_token, email_change, email_change_token_new, created_at, updated_at)
select
  seeded.id::uuid, 'authenticated', 'authenticated', seeded.email, seeded.hash, now(),
  '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('name', seeded.name, 'locale', 'en', 'email', seeded.email, 'email_verified', true, 'sub', seeded.id),
  '', '', '', '', now(), now()
from (values
  ('019a0000-0000-7000-8000-000000000001', 'demo@parley.test', 'Dana Demo',
   '$2a$10$6DU3A.aTveqggpaEh7A24OQC9tRRaDuU94uzr/g2zMYMv50yM3WBu'),
  ('019a0000-0000-7000-8000-000000000002', 'admin@parley.test', 'Alex Admin',
   '$2a$10$G/nvGrDvPgZ3xijY.u6sh.9UKlFykLSiDjF3VWShpUdUqKWutwgi2')
) as seeded (id, email, name, hash)
where not exists (select from auth.users u where u.email = seeded.email);

insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at, updated_at)
select u.id, 'email', u.id::text, u.id,
       jsonb_build_object('sub', u.id, 'email', u.email, 'email_verified', true), now(), now(), now()
  from auth.users u
 where u.id in ('019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002')
on conflict do nothing;

-- Supabase's own auth server finds an account by its instance; the embedded one has no instances.
do $$
begin
  if exists (select from information_schema.columns where (table_schema, table_name, column_name) = ('auth', 'users', 'instance_id'))
  then
    update auth.users set instance_id = '00000000-0000-0000-0000-000000000000'
     where id in ('019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002');
  end if;
end
$$;

update public.users set is_admin = true where id = '019a0000-0000-7000-8000-000000000002';

insert into public.teams (id, name, codename, created_by)
select '019a0000-0000-7000-8000-000000000003', 'Demo', 'demo', u.id
  from public.users u where u.id = '019a0000-0000-7000-8000-000000000001'
on conflict do nothing;
insert into public.team_users (team_id, user_id, email, role_id, status)
select t.id, u.id, u.email, '00000000-0000-7000-8000-000000000001', 'accepted'
  from public.teams t join public.users u on u.id = '019a0000-0000-7000-8000-000000000001'
 where t.id = '019a0000-0000-7000-8000-000000000003'
on conflict do nothing;
