-- Where people have logged in from, as digests: guesses from elsewhere do not slow them down there.
create table private.login_origins (
  user_id uuid not null references public.users (id) on delete cascade,
  origin text not null check (char_length(origin) <= 100),
  seen_at timestamptz not null default now(),
  primary key (user_id, origin)
);
revoke all on private.login_origins from public, anon, authenticated;
grant select, insert, update, delete on private.login_origins to service_role;
alter table private.login_origins enable row level security;
