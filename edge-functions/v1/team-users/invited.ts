// Owns what the mail of an invitation must know about the account of its address. Runs as the service, and after the answer: the
// inviter learns neither from what is said nor from when.
import type { LanguageCode } from "../../../locales/registry.ts";
import { asService } from "../../_shared/database/db.ts";

/** Undefined where nobody has confirmed that address. */
export async function findInvited(email: string): Promise<{ locale: LanguageCode } | undefined> {
  const [row] = await asService(
    (tx) => tx<{ locale: LanguageCode }[]>`select locale from private.account_of(${email}) where confirmed`,
  );
  return row;
}
