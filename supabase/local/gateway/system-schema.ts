// Owns the creation of lite's schemas auth and storage before any migration runs, since the migrations refer to them.
import type { Lite } from "./lite.ts";

/**
 * Idempotent.
 * @throws Error when a table is missing afterwards: lite swallows every error.
 */
export async function ensureSystemSchema(lite: Lite): Promise<void> {
  const sql = lite.app.connection.driver;
  await lite.app.ensureSystemSchema();
  const [row] = await sql`
    select to_regclass('auth.users') is not null and to_regclass('auth.sessions') is not null
       and to_regclass('storage.buckets') is not null and to_regclass('storage.objects') is not null as whole`;
  if (!row?.whole) throw new Error("The schemas auth and storage could not be created");
  await sql.unsafe(AS_HOSTED);
}

/**
 * What hosted Supabase has and lite lacks: the caller's claims in either form, row-level security on every table, and
 * storage for the service alone (hosted grants it to everyone and lets policies decide; there are none here).
 */
const AS_HOSTED = `
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;
create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;
create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;
create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

do $$
declare
  found record;
begin
  for found in
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('auth', 'storage', 'supabase_migrations') and not rowsecurity
  loop
    execute format('alter table %s enable row level security', found.name);
  end loop;
end
$$;

revoke all on all tables in schema auth, storage from public, anon, authenticated;
grant usage on schema auth to anon, authenticated, service_role;
grant usage on schema storage to service_role;
grant all on all tables in schema storage to service_role;

insert into storage.buckets (id, name, public) values ('files', 'files', false) on conflict do nothing;
`;
