// Owns the one question that every mail asks first: whether its address gets none any more. Runs as the service, since most
// mails go to people who are not logged in.
import { asService } from "../database/db.ts";

/** Whether an address has bounced for good, or its owner has complained. */
export async function isSuppressed(email: string): Promise<boolean> {
  const rows = await asService(
    (tx) => tx`select 1 from public.suppressions where email = ${email.toLowerCase()}`,
  );
  return rows.length > 0;
}
