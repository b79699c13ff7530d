// Owns a user's own sessions and password. Postgres knows whose a session is; only the auth server knows passwords.

import type { Claims, Transaction } from "../../_shared/database/db.ts";
import * as authServer from "../../_shared/requests/auth-server.ts";
import { AuthServerRefusal } from "../../_shared/requests/auth-server.ts";
import { refuseField } from "../../_shared/requests/errors.ts";
import type { ClientAddress } from "../../_shared/requests/limits.ts";
import type { RefusalCode } from "../../_shared/requests/refusals.ts";
import type { PageQuery } from "../router.ts";
import { numberedPage } from "../sql.ts";
import { accountOf, endSessionsOf, sessionOfClaims, sessionOfToken } from "./accounts.ts";
import { admitGuess, recordSuccess } from "./guesses.ts";
import type { OwnSession, PasswordChange } from "./schema.ts";

/** The caller's sessions: the current one first, then by last use. */
export async function listSessions(tx: Transaction, { page, perPage }: PageQuery) {
  return await numberedPage<OwnSession>(
    tx,
    { columns: tx`*`, from: tx`private.my_sessions()`, order: tx`current desc, used_at desc, id` },
    { page, perPage },
  );
}

/** Ends one of the caller's sessions, or all of them for null. Returns their number. */
export async function endSessions(
  tx: Transaction,
  only: string | null,
  keepCurrent: boolean,
): Promise<number> {
  const [row] = await tx<{ ended: number }[]>`
    select private.end_my_sessions(${only}::uuid, ${keepCurrent}) as ended`;
  return row?.ended ?? 0;
}

/**
 * Sets a new password after checking the current one, and ends every session except the current one. Wrong guesses count as failed
 * logins.
 * @throws ApiError VALIDATION_FAILED at currentPassword or password, RATE_LIMITED
 */
export async function changePassword(
  { id, claims }: { id: string; claims: Claims },
  { currentPassword, password }: PasswordChange,
  addresses: ClientAddress[],
): Promise<void> {
  const { email } = await accountOf(id, claims);
  const accessToken = await checkPassword(id, email, currentPassword, addresses);
  const own = sessionOfClaims(claims);
  try {
    if (password === currentPassword) throw refuseField("password", "passwordSame");
    // First: one that somebody has stolen could end the session of the check, and with it the change.
    await endSessionsOf(id, [own, sessionOfToken(accessToken)]);
    await authServer.changePassword(accessToken, password, currentPassword);
  } catch (error) {
    await authServer.signOut(accessToken, "local");
    const same = error instanceof AuthServerRefusal && error.reason === "same_password";
    throw toFieldRefusal("password", same ? "passwordSame" : "passwordWeak", error);
  }
  await endSessionsOf(id, [own]);
}

/**
 * Checks the password of a logged-in user. Wrong guesses count as failed logins.
 * @returns the token of the session that the check opened; the caller must end it
 * @throws ApiError VALIDATION_FAILED at currentPassword, RATE_LIMITED
 */
export async function checkPassword(
  id: string,
  email: string,
  currentPassword: string,
  addresses: ClientAddress[],
): Promise<string> {
  const guess = await admitGuess(email, addresses);
  const { accessToken } = await authServer.signIn(email, currentPassword).catch((error: unknown) => {
    throw toFieldRefusal("currentPassword", "passwordWrong", error);
  });
  await recordSuccess(guess, id, addresses);
  return accessToken;
}

function toFieldRefusal(path: string, code: RefusalCode, cause: unknown): unknown {
  if (!(cause instanceof AuthServerRefusal)) return cause;
  return refuseField(path, code, { cause });
}
