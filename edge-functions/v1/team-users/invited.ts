// Owns looking up an invited address's account for the mail. Runs as the service, and after the response: neither its content nor its
// timing tells the inviter whether there is an account.
import type { LanguageCode } from "../../../locales/registry.ts";
import { asService } from "../../_shared/database/db.ts";

/** Undefined if no confirmed account has the address. */
export async function findInvited(email: string): Promise<{ locale: LanguageCode } | undefined> {
  const [row] = await asService(
    (tx) => tx<{ locale: LanguageCode }[]>`select locale from private.account_of(${email}) where confirmed`,
  );
  return row;
}
