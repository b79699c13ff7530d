// Owns what the auth endpoints must know before there is a session: whether an email is registered or unconfirmed, and whether an
// account is banned.
// Runs as the service, because its callers are not authenticated yet; must not tell them more than the endpoints document.
import { decodeJwt } from "jose";
import { asService, type Claims, readAsCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { readUser } from "../users/queries.ts";
import type { User } from "../users/schema.ts";

export type AccountStatus = "unknown" | "unconfirmed" | "confirmed";

export async function readAccountStatus(email: string): Promise<AccountStatus> {
  const [row] = await asService(
    (tx) => tx<{ confirmed: boolean }[]>`select confirmed from private.account_of(${email})`,
  );
  if (!row) return "unknown";
  return row.confirmed ? "confirmed" : "unconfirmed";
}

/** The id of the account that this sign-up created. Undefined when it created none. */
export async function findSignedUp(email: string, signUpId: string): Promise<string | undefined> {
  const [row] = await asService(
    (tx) => tx<{ id: string | null }[]>`select private.account_of_sign_up(${email}, ${signUpId}) as id`,
  );
  return row?.id ?? undefined;
}

/** Registers an address again: an unconfirmed one becomes contested. Returns its status. */
export async function contestRegistration(email: string): Promise<"unknown" | "contested" | "confirmed"> {
  const [row] = await asService(
    (tx) =>
      tx<
        { known: "unknown" | "contested" | "confirmed" }[]
      >`select private.contest_registration(${email}) as known`,
  );
  return row?.known ?? "confirmed";
}

/** True when a team has invited an address that has no account yet. */
export async function isInvited(email: string): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx`select 1 from public.team_users
                where email = ${email.toLowerCase()} and user_id is null and status = 'pending' limit 1`,
  );
  return row !== undefined;
}

/** True when an address was registered more than once and never confirmed. */
export async function isContested(email: string): Promise<boolean> {
  const [row] = await asService((tx) => tx<{ is: boolean }[]>`select private.is_contested(${email}) as is`);
  return row?.is ?? false;
}

/** True when a mailed link's code belongs to another address. */
export async function isCodeOfAnother(email: string, code: string): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ is: boolean }[]>`select private.is_code_of_another(${email}, ${code}) as is`,
  );
  return row?.is ?? false;
}

/** Keeps the password of a registration whose code was redeemed, unless the account is contested. */
export async function proveRegistration(email: string, code: string): Promise<void> {
  await asService((tx) => tx`select private.prove_registration(${email}, ${code})`);
}

/**
 * The account of a session that was just opened or presented.
 * @throws ApiError USER_BANNED, or NOT_AUTHENTICATED when the account was deleted
 */
export async function accountOf(
  userId: string,
  claims: Claims = { role: "authenticated", sub: userId },
): Promise<User> {
  // Row-level security hides a banned user even from themselves.
  const user = await readAsCaller(claims, (tx) => readUser(tx, userId));
  if (user) return user;
  const [row] = await asService(
    (tx) => tx`select 1 from public.users where id = ${userId} and banned_at is not null`,
  );
  throw new ApiError(row ? "USER_BANNED" : "NOT_AUTHENTICATED");
}

/**
 * The account of an opened or renewed session. Ends all sessions of an account that is refused: an auth server may open sessions for
 * addresses that were never confirmed, or whose confirmation was withdrawn since. A database that cannot answer refuses nobody.
 * @throws ApiError USER_BANNED, USER_NOT_VERIFIED, or NOT_AUTHENTICATED when the account was deleted
 */
export async function admitAccount(userId: string): Promise<User> {
  const claims: Claims = { role: "authenticated", sub: userId };
  try {
    const account = await accountOf(userId, claims);
    const [row] = await readAsCaller(
      claims,
      (tx) => tx<{ email: string | null }[]>`select private.confirmed_email() as email`,
    );
    if (!row?.email) throw new ApiError("USER_NOT_VERIFIED");
    return account;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await endSessionsOf(userId);
    throw error;
  }
}

/** Records the browser or program that uses a session. */
export async function recordSession(accessToken: string, userAgent: string): Promise<void> {
  const session = sessionOfToken(accessToken);
  if (session) await asService((tx) => tx`select private.note_session(${session}, ${userAgent})`);
}

/** The session of an access token that the auth server has just issued. */
export function sessionOfToken(accessToken: string): string | null {
  const { session_id: session } = decodeJwt(accessToken);
  return typeof session === "string" ? session : null;
}

/** The session that claims are of; null for those of a key or a visitor. */
export const sessionOfClaims = (claims: Claims): string | null =>
  ("session_id" in claims && claims.session_id) || null;

/** Ends every session of a user but the spared ones. As the service: a session that does it could be ended by one of them before. */
export async function endSessionsOf(userId: string, spared: (string | null)[] = []): Promise<void> {
  const ids = spared.filter((id) => id !== null);
  await asService((tx) => tx`select private.end_sessions_of(${userId}, ${ids}::uuid[])`);
}
