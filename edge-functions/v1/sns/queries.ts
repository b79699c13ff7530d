// Owns the SQL of mail events. Runs as the service: the mail service reports, whose signature has been checked.
import { asService } from "../../_shared/database/db.ts";
import type { MailEvent } from "./events.ts";

/** Keeps the events of a message, once; addresses whose mail came back for good, or who complained, get none any more. */
export async function keepEvents(messageId: string, events: MailEvent[]): Promise<void> {
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
    // A message is refused when it is a day old, so that one which is forgotten here does not count again.
    await tx`delete from private.mail_events where created_at < now() - interval '90 days'`;
  });
}
