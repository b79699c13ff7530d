// Owns the SQL of mail events. Runs as the service, on behalf of the mail service, whose signature was verified.
import { asService } from "../../_shared/database/db.ts";
import type { MailEvent } from "./events.ts";

/** Stores the events of a message once, and suppresses addresses with a permanent bounce or a complaint. */
export async function storeEvents(messageId: string, events: MailEvent[]): Promise<void> {
  if (events.length === 0) return;
  await asService(async (tx) => {
    const rows = events.map(({ email, kind, final, detail }) => ({
      message_id: messageId,
      email,
      kind,
      final,
      detail,
    }));
    const added = await tx<{ email: string; kind: string; detail: string | null; final: boolean }[]>`
      insert into private.mail_events ${tx(rows)} on conflict do nothing returning email, kind, detail, final`;
    for (const { email, kind, detail } of added.filter(({ final }) => final)) {
      await tx`insert into public.suppressions (email, reason, detail) values (${email}, ${kind}, ${detail})
               on conflict (email) do update set reason = excluded.reason, detail = excluded.detail`;
    }
    // A message older than a day is rejected, so a deleted event cannot be counted again.
    await tx`delete from private.mail_events where created_at < now() - interval '90 days'`;
  });
}
