-- Owns schemas, ids, the order of names and who the caller is. Does not read a team's rows.

create schema if not exists extensions;
create schema if not exists private;
create extension if not exists vector with schema extensions;

-- Policies call functions in private, so every API role may use the schema. Each function is granted by name.
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;
revoke create on schema public from public;

-- Sort order of names in lists: each language's letters where its readers expect them, "Part 2" before "Part 10". Legacy syntax, because
-- the embedded Postgres does not parse the newer keyword (und-u-kn-true).
create collation private.natural_order (provider = icu, locale = 'und@colNumeric=yes');

-- UUIDv7 (RFC 9562, section 6.2, method 1: a counter of 26 bits in rand_a and the head of rand_b). Ids sort by creation even within a
-- millisecond, which message order relies on. In SQL because hosted Supabase runs Postgres versions without uuidv7().
create sequence private.uuid_counter minvalue 0 maxvalue 67108863 cycle;
grant usage on sequence private.uuid_counter to anon, authenticated, service_role;

-- The earliest millisecond that an id may have, since the clock was set back (86_clock.sql).
create sequence private.uuid_floor minvalue 0;
grant select on sequence private.uuid_floor to anon, authenticated, service_role;

create function private.uuid_v7() returns uuid
language plpgsql volatile parallel unsafe set search_path = '' as $$
declare
  counter constant bigint := nextval('private.uuid_counter');
  -- A query of the floor in place of this function would take as long again as the rest.
  moment constant bigint :=
    greatest(floor(extract(epoch from clock_timestamp()) * 1000)::bigint, pg_sequence_last_value('private.uuid_floor'));
begin
  return encode(
    overlay(
      overlay(
        overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(moment) from 3) from 1 for 6)
        placing int2send((28672 + (counter >> 14))::int2) from 7 for 2)
      placing substring(int4send((32768 + (counter & 16383))::int4) from 3) from 9 for 2
    ), 'hex')::uuid;
end
$$;
revoke all on function private.uuid_v7() from public;
grant execute on function private.uuid_v7() to anon, authenticated, service_role;

-- The id of a new agent or source: the next of those that an import has drawn before (54_team_imports.sql), else a new one. As with
-- private.is_restoring(), no client reaches the setting.
create function private.next_id() returns uuid
language plpgsql volatile parallel unsafe set search_path = '' as $$
declare
  drawn constant text := current_setting('parley.next_id', true);
begin
  if coalesce(drawn, '') = '' then
    return private.uuid_v7();
  end if;
  perform set_config('parley.next_id', substr(drawn, 38), true);
  return left(drawn, 36)::uuid;
end
$$;
revoke all on function private.next_id() from public;
grant execute on function private.next_id() to authenticated, service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end
$$;
revoke all on function private.touch_updated_at() from public;

-- Whether a Postgres error is no row's fault: a transaction that cannot go on, a deadlock, no disk, no connections, a shutdown, a read-only
-- database. Work that leaves out a row which refuses it passes such an error on.
create function private.is_no_rows_fault(state text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select state ~ '^(25|40|53|57|58)'
$$;
revoke all on function private.is_no_rows_fault(text) from public;
grant execute on function private.is_no_rows_fault(text) to service_role;

-- The verified token's claims. PostgREST and the edge functions set them for the transaction.
create function private.claims() returns jsonb
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb, '{}'::jsonb);
end
$$;
revoke all on function private.claims() from public;
grant execute on function private.claims() to anon, authenticated, service_role;

-- One claim as a uuid; null when it is absent or not a uuid, so that a policy never raises an error. Matches without a regular expression,
-- which would take most of a policy's time.
create function private.claim_id(name text) returns uuid
language plpgsql stable parallel safe set search_path = '' as $$
declare
  claim constant text := private.claims() ->> name;
begin
  return case when claim like '________-____-____-____-____________' and translate(claim, '0123456789abcdefABCDEF', '') = '----'
              then claim::uuid end;
end
$$;
revoke all on function private.claim_id(text) from public;
grant execute on function private.claim_id(text) to anon, authenticated, service_role;

-- True when a client runs the statement, not the service or the owner. Reads the role, because it is always set and a client cannot choose
-- it; a claim may be missing.
create function private.is_client() returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('role', true) in ('anon', 'authenticated'), false);
end
$$;
revoke all on function private.is_client() from public;
grant execute on function private.is_client() to anon, authenticated, service_role;

-- True while a deletion is being undone (84_deletions.sql): the inserted rows are deleted ones. A transaction setting that no client
-- reaches: PostgREST and /v1 accept none.
create function private.is_restoring() returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('parley.restoring', true) = 'on', false);
end
$$;
revoke all on function private.is_restoring() from public;
grant execute on function private.is_restoring() to anon, authenticated, service_role;

-- True when a text can be a name or a title: one line, at least one visible character, no control, bidirectional or invisible characters.
-- Same rule as edge-functions/_shared/text/plain-text.ts.
create function private.is_plain_text(value text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return value !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
     and value ~ '[^\u0020\u00a0\u034f\u061c\u115f\u1160\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\ufe00-\ufe0f\uffa0]';
end
$$;
revoke all on function private.is_plain_text(text) from public;
grant execute on function private.is_plain_text(text) to anon, authenticated, service_role;

-- Cleans a name or a title: control characters become spaces, invisible ones are removed. Empty when nothing visible remains.
create function private.plain_text(value text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when private.is_plain_text(cleaned.value) then cleaned.value else '' end
    from (select btrim(regexp_replace(regexp_replace(value,
                   '[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]+', '', 'g'),
                   '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' ', 'g'), U&' \00A0\3000') as value) as cleaned
$$;
revoke all on function private.plain_text(text) from public;
grant execute on function private.plain_text(text) to service_role;

-- True when every text is a plain one-line text of at most `longest` characters.
create function private.are_plain_texts(texts text[], longest int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(bool_and(coalesce(char_length(one) <= longest and private.is_plain_text(one), false)), true)
    from unnest(texts) as one
$$;
revoke all on function private.are_plain_texts(text[], int) from public;
grant execute on function private.are_plain_texts(text[], int) to authenticated, service_role;

-- True when a text looks like an email address: one @, and no character that a header or an address list would interpret.
create function private.is_email(value text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select private.is_plain_text(value) and value ~ '^[^\s@<>()\[\],;:\\"]+@[^\s@<>()\[\],;:\\"]+$'
$$;
revoke all on function private.is_email(text) from public;
grant execute on function private.is_email(text) to authenticated, service_role;
