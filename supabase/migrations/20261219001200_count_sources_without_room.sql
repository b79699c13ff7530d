-- Takes a database with data from the schema before to that of sql/: count sources without room for a file.

-- Adds a file back to the sources that listed it (recorded by private.forget_file()), where they still exist and have room. Adds the number of
-- those that have none to the setting parley.left_out.
create or replace function private.list_file_again(deletion uuid, team uuid, file uuid) returns void
language plpgsql volatile set search_path = '' as $$
declare
  sources_full int;
begin
  update public.sources s set config = jsonb_insert(s.config, array['fileIds', d.content ->> 'place'], to_jsonb(file))
    from private.deleted_rows d
   where d.deletion_id = deletion and d.table_name = 'public.sources' and d.is_reference
     and s.team_id = team and s.id = (d.content ->> 'id')::uuid and s.type = 'file'
     and jsonb_typeof(s.config -> 'fileIds') = 'array' and not s.config -> 'fileIds' ? file::text
     and private.is_source_setting(s.type, 'fileIds', (s.config -> 'fileIds') || to_jsonb(file));
  select count(*) into sources_full
    from private.deleted_rows d join public.sources s on s.team_id = team and s.id = (d.content ->> 'id')::uuid
   where d.deletion_id = deletion and d.table_name = 'public.sources' and d.is_reference and s.type = 'file'
     and jsonb_typeof(s.config -> 'fileIds') = 'array' and not s.config -> 'fileIds' ? file::text;
  perform set_config('parley.left_out',
    (coalesce(nullif(current_setting('parley.left_out', true), ''), '0')::int + sources_full)::text, true);
end
$$;
