// Owns the check that precedes every mail: whether its address is suppressed. Runs as the service, because most recipients are not logged
// in.
import { asService } from "../database/db.ts";

/** True when the address bounced permanently or its owner complained. */
export async function isSuppressed(email: string): Promise<boolean> {
  const rows = await asService(
    (tx) => tx`select 1 from public.suppressions where email = ${email.toLowerCase()}`,
  );
  return rows.length > 0;
}
