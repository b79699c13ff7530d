-- Takes a database with data from the schema before to that of sql/: count staged rows.

create function private.analyze_imports() returns void
language plpgsql security definer set search_path = '' as $$
begin
  analyze private.import_rows;
end
$$;
revoke all on function private.analyze_imports() from public;
grant execute on function private.analyze_imports() to service_role;
