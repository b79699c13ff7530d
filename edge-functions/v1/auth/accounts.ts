// Owns what the auth calls must know before there is a session: whether an e-mail is taken or waits for its confirmation, whether
// an account is banned.
// Runs as the service, since its callers are nobody yet; must not tell them more than the calls say.
import { decodeJwt } from "jose";
import { asService, type Claims, readAsCaller } from "../../_shared/database/db.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { readUser } from "../users/queries.ts";
import type { User } from "../users/schema.ts";

export type Known = "unknown" | "unconfirmed" | "confirmed";

export async function whatIsKnownOf(email: string): Promise<Known> {
  const [row] = await asService(
    (tx) => tx<{ confirmed: boolean }[]>`select confirmed from private.account_of(${email})`,
  );
  if (!row) return "unknown";
  return row.confirmed ? "confirmed" : "unconfirmed";
}

/** What is known of an address that is registered now; one that waits for its confirmation is contested from then on. */
export async function contestRegistration(email: string): Promise<"unknown" | "contested" | "confirmed"> {
  const [row] = await asService(
    (tx) =>
      tx<
        { known: "unknown" | "contested" | "confirmed" }[]
      >`select private.contest_registration(${email}) as known`,
  );
  return row?.known ?? "confirmed";
}

/** Whether an address has been registered more than once and confirmed never. */
export async function isContested(email: string): Promise<boolean> {
  const [row] = await asService((tx) => tx<{ is: boolean }[]>`select private.is_contested(${email}) as is`);
  return row?.is ?? false;
}

/** Lets the password of a registration stay whose code has come back; that of a contested one goes. */
export async function proveRegistration(email: string, code: string): Promise<void> {
  await asService((tx) => tx`select private.prove_registration(${email}, ${code})`);
}

/**
 * The account behind a session that has been opened or shown just now.
 * @throws ApiError USER_BANNED, or NOT_AUTHENTICATED when the account is gone
 */
export async function accountOf(
  userId: string,
  claims: Claims = { role: "authenticated", sub: userId },
): Promise<User> {
  // A banned user does not even see themselves.
  const user = await readAsCaller(claims, (tx) => readUser(tx, userId));
  if (user) return user;
  const [row] = await asService(
    (tx) => tx`select 1 from public.users where id = ${userId} and banned_at is not null`,
  );
  throw new ApiError(row ? "USER_BANNED" : "NOT_AUTHENTICATED");
}

/**
 * The account that a session was opened or renewed for; whoever may have none loses all of theirs. An auth server may open sessions for
 * addresses that no mailbox has confirmed, or whose confirmation was withdrawn since.
 * @throws ApiError USER_BANNED, USER_NOT_VERIFIED, or NOT_AUTHENTICATED when the account is gone
 */
export async function openedAccount(userId: string): Promise<User> {
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
    await endSessionsOf(userId);
    throw error;
  }
}

/** Notes the browser or program that a session belongs to. */
export async function noteSession(accessToken: string, userAgent: string): Promise<void> {
  const { session_id: session } = decodeJwt(accessToken);
  if (typeof session !== "string") return;
  await asService((tx) => tx`select private.note_session(${session}, ${userAgent})`);
}

/** Ends every session of a user. */
async function endSessionsOf(userId: string): Promise<void> {
  await asService((tx) => tx`select private.end_sessions_of(${userId})`);
}
