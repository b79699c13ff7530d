-- Outcomes of our mails: events that the mail service reports, and suppressed addresses.

-- One row per recipient in a report. Idempotent: a repeated report adds none.
create table private.mail_events (
  message_id text not null check (char_length(message_id) between 1 and 100),
  email text not null check (char_length(email) between 3 and 320),
  kind text not null check (kind in ('bounce', 'complaint', 'delivery')),
  -- True when the address gets no more mail after this event.
  final boolean not null,
  detail text check (char_length(detail) <= 1000),
  created_at timestamptz not null default now(),
  primary key (message_id, email)
);
create index mail_events_created_idx on private.mail_events (created_at);
create index mail_events_email_idx on private.mail_events (email, created_at);
revoke all on private.mail_events from public, anon, authenticated;
grant select, insert, update, delete on private.mail_events to service_role;
alter table private.mail_events enable row level security;

-- Addresses with a permanent bounce or a complaint. The platform adds them; acting platform admins read and delete them.
create table public.suppressions (
  id uuid primary key default private.uuid_v7(),
  email text not null unique check (email = lower(email) and char_length(email) between 3 and 320),
  reason text not null check (reason in ('bounce', 'complaint')),
  detail text check (char_length(detail) <= 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger touch_suppressions before update on public.suppressions
  for each row execute function private.touch_updated_at();

revoke all on public.suppressions from public, anon, authenticated;
grant select, insert, update, delete on public.suppressions to service_role;
grant select, delete on public.suppressions to authenticated;
alter table public.suppressions enable row level security;
create policy "platform admins at work see suppressed addresses" on public.suppressions for select to authenticated
  using ((select private.is_admin()));
create policy "platform admins at work clear suppressed addresses" on public.suppressions for delete to authenticated
  using ((select private.is_admin()));
