-- A failed reply named its cause only to whoever saw it fail: after a reload nothing told a limit from a crash.

alter table public.messages add column error text check (error ~ '^[A-Za-z_]{1,60}$');
