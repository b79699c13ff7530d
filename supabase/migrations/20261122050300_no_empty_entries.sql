-- An empty text is no site and no channel, and an empty list would mean all of them: what is not empty must not become so.
update public.agents a
   set allowed_origins = array(select o.origin from unnest(a.allowed_origins) with ordinality as o (origin, place)
                                where o.origin <> '' order by o.place)
       || case when exists (select 1 from unnest(a.allowed_origins) as o (origin) where o.origin <> '')
               then '{}'::text[] else '{https://nowhere.invalid}' end
 where array_position(allowed_origins, '') is not null;
alter table public.agents drop constraint agents_allowed_origins_short;
alter table public.agents add constraint agents_allowed_origins_short
  check (char_length(array_to_string(allowed_origins, ' ')) <= 15100 and array_position(allowed_origins, '') is null);

-- '{""}', which the constraint before took for a list without entries.
update public.apps set channels = '{C00}' where channels <> '{}' and array_to_string(channels, ' ', '?') = '';
alter table public.apps drop constraint apps_channels_ids;
alter table public.apps add constraint apps_channels_ids
  check (channels = '{}' or array_to_string(channels, ' ', '?') ~ '^[CGD][A-Z0-9]{2,30}( [CGD][A-Z0-9]{2,30})*$');
