// Owns what platform admins alone may change of an account. Runs as the service; every call is checked by its caller.
import { asService } from "../../_shared/db.ts";
import { log } from "../../_shared/log.ts";

/** Sets the flags of an account; banning ends its sessions. False when there is no such account. */
export async function setFlags(
  byUserId: string,
  userId: string,
  flags: { isAdmin?: boolean; banned?: boolean },
): Promise<boolean> {
  const rows = await asService(async (tx) => {
    const changed = await tx`
      update public.users u
         set is_admin = coalesce(${flags.isAdmin ?? null}::boolean, u.is_admin),
             banned_at = case ${flags.banned ?? null}::boolean
                           when true then coalesce(u.banned_at, now()) when false then null else u.banned_at end
       where u.id = ${userId} returning 1`;
    if (flags.banned) await tx`select private.end_sessions_of(${userId})`;
    return changed;
  });
  log("info", "a platform admin changed an account", { byUserId, userId, ...flags });
  return rows.length > 0;
}

/** Changes the name and the language of somebody else's account. */
export async function rename(userId: string, values: { name?: string; locale?: "en" | "fr" }): Promise<void> {
  await asService(
    (tx) => tx`update public.users u
                  set name = coalesce(${values.name ?? null}, u.name), locale = coalesce(${values.locale ?? null}, u.locale)
                where u.id = ${userId}`,
  );
}
