// Owns the changes to an account that only platform admins may make. private.administer_account checks that the caller is one.
import type { LanguageCode } from "../../../locales/registry.ts";
import type { Transaction } from "../../_shared/database/db.ts";
import { log } from "../../_shared/operation/log.ts";

type Changes = { isAdmin?: boolean; banned?: boolean; name?: string; locale?: LanguageCode };

/**
 * Changes an account as a platform admin. Banning ends its sessions. Raises 42501 for anyone else.
 * @returns false when there is no such account
 */
export async function administer(
  tx: Transaction,
  byUserId: string,
  userId: string,
  { isAdmin, banned, name, locale }: Changes,
): Promise<boolean> {
  const [row] = await tx<{ isThere: boolean }[]>`
    select private.administer_account(${userId}, ${isAdmin ?? null}, ${banned ?? null}, ${name ?? null}, ${locale ?? null})
           as is_there`;
  log("info", "a platform admin changed an account", { byUserId, userId, isAdmin, banned });
  return row?.isThere ?? false;
}
