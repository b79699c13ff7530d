-- Beta sign-ups and support tickets, which people without an account may submit. Acting platform admins read both and close tickets.
-- Tickets are also mailed to the support address.

create table public.beta_signups (
  id uuid primary key default private.uuid_v7(),
  email text not null check (char_length(email) between 3 and 320),
  name text check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index beta_signups_email_key on public.beta_signups (lower(email));
create trigger touch_beta_signups before update on public.beta_signups
  for each row execute function private.touch_updated_at();

create table public.support_tickets (
  id uuid primary key default private.uuid_v7(),
  email text not null check (char_length(email) between 3 and 320),
  name text check (char_length(name) between 1 and 200),
  subject text not null check (char_length(subject) between 1 and 200),
  message text not null check (char_length(message) between 1 and 10000),
  user_id uuid references public.users (id) on delete set null,
  status text not null default 'open' check (status in ('open', 'closed')),
  -- Null until the mail to the support address is sent.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index support_tickets_user_idx on public.support_tickets (user_id);
create index support_tickets_unmailed_idx on public.support_tickets (id) where mailed_at is null;
create index support_tickets_status_idx on public.support_tickets (status, id);
create trigger touch_support_tickets before update on public.support_tickets
  for each row execute function private.touch_updated_at();

-- Only the platform inserts, because it limits submissions per address. Acting platform admins read, and close tickets.
revoke all on public.beta_signups, public.support_tickets from public, anon, authenticated;
grant select, insert, update, delete on public.beta_signups, public.support_tickets to service_role;
alter table public.beta_signups enable row level security;
alter table public.support_tickets enable row level security;
create policy "platform admins at work read beta sign-ups" on public.beta_signups for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work read support tickets" on public.support_tickets for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work close support tickets" on public.support_tickets for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));
grant select on public.beta_signups, public.support_tickets to authenticated;
grant update (status) on public.support_tickets to authenticated;
