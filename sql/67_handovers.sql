-- Handovers: a person in a chat asks for a member of the team, who answers in the chat and by mail. Only the service writes them: requests
-- go through the API, which limits them; a direct insert would send unlimited mails.

create table public.handovers (
  id uuid not null default private.uuid_v7(),
  team_id uuid not null,
  chat_id uuid not null,
  status text not null default 'open' check (status in ('open', 'answered', 'closed')),
  -- What preceded the request in the chat.
  reason text not null default 'requested' check (reason in ('requested', 'notFound', 'ratedDown')),
  -- The mail address for the answer, beside the chat. Null: the account of the chat's person, or none.
  email text check (private.is_email(email) and char_length(email) <= 254),
  message text not null default '' check (char_length(message) <= 2000),
  summary text not null default '' check (char_length(summary) <= 10000),
  -- The language of mails to the person.
  language text not null default 'en' check (private.is_language(language)),
  -- The version of the consent text, and when it was accepted.
  consent_version text not null check (char_length(consent_version) between 1 and 40),
  consented_at timestamptz not null default now(),
  answered_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id),
  unique (team_id, id),
  foreign key (team_id, chat_id) references public.chats (team_id, id) on delete cascade
);
-- A second request while one is open is the same request.
create unique index handovers_open_key on public.handovers (chat_id) where status = 'open';
create index handovers_chat_idx on public.handovers (chat_id, id);
create index handovers_team_chat_idx on public.handovers (team_id, chat_id);
create index handovers_team_status_idx on public.handovers (team_id, status, id);
create index handovers_team_created_idx on public.handovers (team_id, created_at) include (chat_id);
create trigger touch_handovers before update on public.handovers
  for each row execute function private.touch_updated_at();

revoke all on public.handovers from public, anon, authenticated;
grant select on public.handovers to anon, authenticated;
grant select, insert, update, delete on public.handovers to service_role;
alter table public.handovers enable row level security;
create policy "those who may read everyone's chats read their team's handovers" on public.handovers for select to authenticated
  using (team_id = any ((select private.teams_with('chats.read'))::uuid[]));
create policy "nobody reads the handovers of a deleted agent" on public.handovers as restrictive for select to authenticated
  using (chat_id not in (select private.detached_chats()));
create policy "people read the handovers of their own chats" on public.handovers for select to anon, authenticated
  using (exists (select 1 from public.chats c where c.id = chat_id));

-- Whether a team offers handovers, which addresses are notified, and its webhook. Without a row it does, and its owners are notified.
-- Service only: the secret signs webhooks, and a URL may contain one.
create table private.handover_settings (
  team_id uuid primary key references public.teams (id) on delete cascade,
  is_offered boolean not null default true,
  -- Empty: the team's owners.
  emails text[] not null default '{}' check (cardinality(emails) <= 10),
  webhook_url text check (char_length(webhook_url) <= 500 and webhook_url ~ '^https?://'),
  -- Sealed with SECRETS_KEY.
  secret bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (webhook_url is null or secret is not null)
);
create trigger touch_handover_settings before update on private.handover_settings
  for each row execute function private.touch_updated_at();

-- Notifications to send, and the outcome of those sent: one row per recipient. Its id is the event's id.
create table private.handover_deliveries (
  id uuid primary key default private.uuid_v7(),
  team_id uuid not null,
  handover_id uuid not null,
  kind text not null check (kind in ('teamMail', 'webhook', 'answerMail', 'slack')),
  -- The recipient of a mail to the team.
  email text,
  -- The answer to send.
  message_id uuid,
  status text not null default 'queued' check (status in ('queued', 'delivered', 'failed')),
  attempts int not null default 0,
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  -- The HTTP status of the last attempt.
  last_status int,
  error text check (char_length(error) <= 500),
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The last attempt's beginning.
  claimed_at timestamptz,
  foreign key (team_id, handover_id) references public.handovers (team_id, id) on delete cascade,
  foreign key (team_id, message_id) references public.messages (team_id, id) on delete cascade
);
create index handover_deliveries_waiting_idx on private.handover_deliveries (run_after) where status = 'queued';
create index handover_deliveries_handover_idx on private.handover_deliveries (team_id, handover_id);
create index handover_deliveries_message_idx on private.handover_deliveries (team_id, message_id);
create index handover_deliveries_team_idx on private.handover_deliveries (team_id, kind, id);
create index handover_deliveries_turns_idx on private.handover_deliveries (team_id, claimed_at) where claimed_at is not null;
create trigger touch_handover_deliveries before update on private.handover_deliveries
  for each row execute function private.touch_updated_at();

revoke all on private.handover_settings, private.handover_deliveries from public, anon, authenticated;
grant select, insert, update, delete on private.handover_settings, private.handover_deliveries to service_role;
alter table private.handover_settings enable row level security;
alter table private.handover_deliveries enable row level security;

-- Claims the next due delivery: of the team with the fewest under way, then of the one that waited longest for its turn. A team whose webhook
-- takes its time would otherwise have the others wait for all that it has queued. The attempt number is the fence against earlier claims. A row
-- that cannot be written is left out with a warning: the next one is claimed.
create function private.claim_handover_delivery(lease_seconds int) returns setof private.handover_deliveries
language plpgsql volatile set search_path = '' as $$
declare
  candidate uuid;
  claimed private.handover_deliveries;
begin
  for candidate in
    with teams as materialized (
      select q.team_id,
             (select count(*) from private.handover_deliveries b
               where b.team_id = q.team_id and b.status = 'queued' and b.lease_until >= clock_timestamp()) as busy,
             -- Turns of a time to come were taken before the clock was set back.
             (select max(s.claimed_at) from private.handover_deliveries s
               where s.team_id = q.team_id and s.claimed_at <= clock_timestamp()) as served
        from (select distinct w.team_id from private.handover_deliveries w
               where w.status = 'queued' and w.run_after <= clock_timestamp()) q)
    select n.id from private.handover_deliveries n join teams t on t.team_id = n.team_id
     where n.status = 'queued' and n.run_after <= clock_timestamp()
       and (n.lease_until is null or n.lease_until < clock_timestamp())
     order by t.busy, t.served nulls first, n.run_after, n.id limit 100
  loop
    begin
      perform 1 from private.handover_deliveries d
        where d.id = candidate and d.status = 'queued' and d.run_after <= clock_timestamp()
          and (d.lease_until is null or d.lease_until < clock_timestamp())
          for update skip locked;
      if found then
        update private.handover_deliveries d
           set attempts = d.attempts + 1, lease_until = clock_timestamp() + make_interval(secs => lease_seconds),
               claimed_at = clock_timestamp()
         where d.id = candidate
        returning d.* into claimed;
        -- Not by return query: what it has given is not taken back with the subtransaction.
        return next claimed;
        return;
      end if;
    exception
      when others then
        if private.is_no_rows_fault(sqlstate) then
          raise;
        end if;
        raise warning 'delivery % could not be claimed: % (%)', candidate, sqlerrm, sqlstate;
    end;
  end loop;
end
$$;
revoke all on function private.claim_handover_delivery(int) from public;
grant execute on function private.claim_handover_delivery(int) to service_role;

-- A member who leaves a team is no longer notified of its chats. Security definer: a caller who removes a member may lack the right to read
-- the settings.
-- Who may: callers the policies let remove a member, by a trigger. Checks: the address of the old row, in its own team.
create function private.forget_handover_recipient() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.handover_settings s set emails = array_remove(s.emails, lower(old.email))
   where s.team_id = old.team_id and lower(old.email) = any (s.emails);
  return null;
end
$$;
revoke all on function private.forget_handover_recipient() from public;
create trigger forget_handover_recipient after delete on public.team_users
  for each row execute function private.forget_handover_recipient();

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

-- Stores a team member's answer in a chat and queues its notifications. Returns the message's id; null when the handover is closed or
-- deleted.
create function private.answer_handover(handover uuid, words text, author text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  head public.handovers;
  answer uuid;
begin
  select h.* into head from public.handovers h where h.id = handover and h.status <> 'closed' for update;
  if head.id is null then
    return null;
  end if;
  insert into public.messages (chat_id, role, content, status, author_name)
  values (head.chat_id, 'assistant', words, 'complete', author) returning id into answer;
  update public.handovers h set status = 'answered', answered_at = coalesce(h.answered_at, clock_timestamp()) where h.id = handover;
  insert into private.handover_deliveries (team_id, handover_id, kind, message_id)
  select head.team_id, handover, k.kind, answer
    from public.chats c
   cross join lateral (values ('answerMail', head.email is not null or c.user_id is not null),
                              ('slack', c.channel = 'slack')) as k (kind, is_due)
   where c.id = head.chat_id and k.is_due;
  return answer;
end
$$;
revoke all on function private.answer_handover(uuid, text, text) from public;
grant execute on function private.answer_handover(uuid, text, text) to service_role;
