// Owns the SQL of support tickets. Runs as the service: the sender may have no account.
import { asService, noteEffect } from "../../_shared/database/db.ts";
import type { NewTicket, Ticket } from "./schema.ts";

export async function createTicket(values: NewTicket, userId: string | null): Promise<Ticket | undefined> {
  const { email, name = null, subject, message } = values;
  const [row] = await asService(async (tx) => {
    await noteEffect(tx);
    return await tx<Ticket[]>`
      insert into public.support_tickets (email, name, subject, message, user_id)
      values (${email}, ${name}, ${subject}, ${message}, ${userId})
      returning id, email, name, subject, message, created_at, updated_at`;
  });
  return row;
}

/** Claims the next ticket that has not been mailed. The caller must call putBack() if mailing fails. */
export async function takeUnmailed(after: string | null): Promise<Ticket | undefined> {
  const [row] = await asService(
    (tx) => tx<Ticket[]>`
      update public.support_tickets set mailed_at = now()
       where id = (select id from public.support_tickets where mailed_at is null and (${after}::uuid is null or id > ${after}) order by id limit 1 for update skip locked)
      returning id, email, name, subject, message, created_at, updated_at`,
  );
  return row;
}

export async function putBack(id: string): Promise<void> {
  await asService((tx) => tx`update public.support_tickets set mailed_at = null where id = ${id}`);
}
