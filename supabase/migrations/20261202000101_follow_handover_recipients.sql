-- Takes a database with data from the schema before to that of sql/: follow handover recipients.
-- A member whose address changes is notified at the new one: the old one may be another person's by then. Security definer: as above.
-- Who may: the service, which alone changes addresses, by a trigger. Checks: the addresses of the row, in its own team.
create function private.move_handover_recipient() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.handover_settings s
     set emails = case when new.email = any (s.emails) then array_remove(s.emails, old.email)
                       else array_replace(s.emails, old.email, new.email) end
   where s.team_id = new.team_id and old.email = any (s.emails);
  update private.handover_deliveries d set email = new.email
   where d.team_id = new.team_id and d.kind = 'teamMail' and d.status = 'queued' and lower(d.email) = old.email;
  return null;
end
$$;
revoke all on function private.move_handover_recipient() from public;
create trigger move_handover_recipient after update of email on public.team_users
  for each row when (new.email <> old.email) execute function private.move_handover_recipient();
