-- Checks of JSON values, for columns that hold settings.

-- True when a JSON value is an array of at most `most` texts that all match a pattern.
create function private.is_list_of(value jsonb, pattern text, most int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case when jsonb_typeof(value) <> 'array' or jsonb_array_length(value) > most then false
              else not exists (select 1 from jsonb_array_elements(value) as one
                                where jsonb_typeof(one) <> 'string' or one #>> '{}' !~ pattern) end
$$;
revoke all on function private.is_list_of(jsonb, text, int) from public;
grant execute on function private.is_list_of(jsonb, text, int) to authenticated, service_role;

-- True when a JSON value is a text of at most `most` characters that matches a pattern.
create function private.is_text_like(value jsonb, pattern text, most int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_typeof(value) = 'string' and char_length(value #>> '{}') <= most and value #>> '{}' ~ pattern
$$;
revoke all on function private.is_text_like(jsonb, text, int) from public;
grant execute on function private.is_text_like(jsonb, text, int) to authenticated, service_role;

-- True when a JSON value is an integer within bounds.
create function private.is_whole_number(value jsonb, lowest int, highest int) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select case when jsonb_typeof(value) <> 'number' then false
              else (value #>> '{}')::numeric between lowest and highest and (value #>> '{}')::numeric % 1 = 0 end
$$;
revoke all on function private.is_whole_number(jsonb, int, int) from public;
grant execute on function private.is_whole_number(jsonb, int, int) to authenticated, service_role;
