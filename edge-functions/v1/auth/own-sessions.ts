// Owns what somebody logged in does with their own sessions and password. Postgres knows whose a session is; the auth
// server alone knows passwords.

import { asCaller, type Claims, type Transaction } from "../../_shared/database/db.ts";
import * as authServer from "../../_shared/requests/auth-server.ts";
import { AuthServerRefusal } from "../../_shared/requests/auth-server.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import type { ClientAddress } from "../../_shared/requests/limits.ts";
import { type RefusalCode, refusal } from "../../_shared/requests/refusals.ts";
import { numberedPage } from "../sql.ts";
import { accountOf } from "./accounts.ts";
import { admitGuess, itSucceeded } from "./guesses.ts";
import type { OwnSession, PasswordChange } from "./schema.ts";

/** The caller's sessions, the calling one first, then the last used. */
export async function listSessions(tx: Transaction, { page, perPage }: { page: number; perPage: number }) {
  return await numberedPage<OwnSession>(
    tx,
    { columns: tx`*`, from: tx`private.my_sessions()`, order: tx`current desc, used_at desc, id` },
    { page, perPage },
  );
}

/** Ends one of the caller's sessions, or all for null; returns how many there were. */
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
 * Sets a new password for somebody who knows the present one, and ends every session but the calling one. Guesses count as
 * logins do.
 * @throws ApiError VALIDATION_FAILED at currentPassword or password, RATE_LIMITED
 */
export async function changePassword(
  { id, claims }: { id: string; claims: Claims },
  { currentPassword, password }: PasswordChange,
  addresses: ClientAddress[],
): Promise<void> {
  const { email } = await accountOf(id, claims);
  const accessToken = await checkPassword(id, email, currentPassword, addresses);
  try {
    await authServer.changePassword(accessToken, password);
  } catch (error) {
    await authServer.signOut(accessToken, "local");
    const same = error instanceof AuthServerRefusal && error.reason === "same_password";
    throw refusedAt("password", same ? "passwordSame" : "passwordWeak", error);
  }
  await asCaller(claims, (tx) => endSessions(tx, null, true));
}

/**
 * Checks the password of somebody who is logged in; guesses count as logins do.
 * @returns the token of a session that was begun by it, for the caller to end
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
    throw refusedAt("currentPassword", "passwordWrong", error);
  });
  await itSucceeded(guess, id, addresses);
  return accessToken;
}

function refusedAt(path: string, code: RefusalCode, cause: unknown): unknown {
  if (!(cause instanceof AuthServerRefusal)) return cause;
  return new ApiError("VALIDATION_FAILED", undefined, { details: [{ path, ...refusal(code) }], cause });
}
