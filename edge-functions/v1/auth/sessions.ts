// Owns opening and ending sessions: what each refusal of the auth server means to a client, and answers that take the same time for known
// and unknown emails. Must not touch HTTP.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultLanguage } from "../../../locales/registry.ts";
import { env } from "../../_shared/env.ts";
import { isSuppressed } from "../../_shared/mail/suppressions.ts";
import { log } from "../../_shared/operation/log.ts";
import * as authServer from "../../_shared/requests/auth-server.ts";
import { AuthServerRefusal } from "../../_shared/requests/auth-server.ts";
import { ApiError, refuseField } from "../../_shared/requests/errors.ts";
import { type ClientAddress, hitsOf, mailsTo, secondsToWait, take } from "../../_shared/requests/limits.ts";
import { refusal } from "../../_shared/requests/refusals.ts";
import { inBackground } from "../background.ts";
import type { User } from "../users/schema.ts";
import {
  accountOf,
  admitAccount,
  contestRegistration,
  endSessionsOf,
  findSignedUp,
  isCodeOfAnother,
  isContested,
  isInvited,
  proveRegistration,
  readAccountStatus,
  recordSession,
  sessionOfToken,
} from "./accounts.ts";
import { admitGuess, recordSuccess } from "./guesses.ts";
import { rotate, type Tokens } from "./rotation.ts";
import type { Registration } from "./schema.ts";

export type Arrival = { addresses: ClientAddress[]; arrivedAt: number; userAgent: string };

/** Failed logins are answered at whole multiples of this, so that the time does not reveal whether a password was hashed. */
const failureTickMs = 600;

/** @throws ApiError USER_NOT_AUTHORIZED, USER_NOT_CONFIRMED, USER_NOT_VERIFIED, USER_BANNED, RATE_LIMITED */
export async function logIn(
  email: string,
  password: string,
  arrival: Arrival,
): Promise<Tokens & { user: User }> {
  const guess = await admitGuess(email, arrival.addresses);
  try {
    const { user, ...tokens } = await authServer.signIn(email, password);
    const account = await begin({ user, ...tokens }, arrival, () =>
      recordSuccess(guess, user.id, arrival.addresses),
    );
    return { ...tokens, user: account };
  } catch (error) {
    const elapsed = performance.now() - arrival.arrivedAt;
    await sleep(Math.ceil(elapsed / failureTickMs) * failureTickMs - elapsed);
    if (!(error instanceof AuthServerRefusal)) throw error;
    if (error.reason === "email_not_confirmed") {
      // The link to a contested address confirms no password: the mailbox's owner chooses a new one.
      throw new ApiError((await isContested(email)) ? "USER_NOT_VERIFIED" : "USER_NOT_CONFIRMED");
    }
    if (error.reason === "user_banned") throw new ApiError("USER_BANNED");
    throw new ApiError("USER_NOT_AUTHORIZED", undefined, { cause: error });
  }
}

/**
 * Admits the account of a session that the auth server opened. If the database fails, nobody gets the session, so it is ended.
 * @param more what else is noted of it
 * @throws ApiError as admitAccount(), which ends the sessions of an account that it refuses
 */
async function begin(
  { user, accessToken }: authServer.Session,
  { userAgent }: Pick<Arrival, "userAgent">,
  more = async () => {},
): Promise<User> {
  try {
    const account = await admitAccount(user.id);
    await Promise.all([more(), recordSession(accessToken, userAgent)]);
    return account;
  } catch (error) {
    if (!(error instanceof ApiError))
      inBackground(authServer.signOut(accessToken, "local"), "end a session that nobody gets");
    throw error;
  }
}

/**
 * Registers an unknown address. If the address is unconfirmed, nobody knows who registered it: all passwords set for it become invalid,
 * and its mailbox receives a mail to choose one.
 * @throws ApiError USER_EXISTS, VALIDATION_FAILED, FORBIDDEN (sign-up is closed, or only for the invited), USER_NOT_CREATED, RATE_LIMITED
 */
export async function register(values: Registration, addresses: ClientAddress[]) {
  await take(hitsOf("register", addresses, values.email));
  const { email } = values;
  if ((await contestRegistration(email)) === "unknown") {
    if (env().REGISTRATION === "invited" && !(await isInvited(email)))
      throw new ApiError("FORBIDDEN", refusal("onlyInvited"));
    await take(mailsTo(email, "confirmation"));
    const signedUp = await signUp(values);
    if (signedUp)
      return {
        user: signedUp.user,
        confirmationRequired: !signedUp.session,
        ...(signedUp.session && tokensOf(signedUp.session)),
      };
  }
  // The address was known, or another request registered it at the same moment.
  if ((await contestRegistration(email)) === "contested")
    inBackground(sendWhereDue("recovery", email), "mail: recovery");
  throw new ApiError("USER_EXISTS");
}

/** Creates an account for an address without one, confirmed or not. @throws as register */
export async function createAccount(values: Registration) {
  if ((await readAccountStatus(values.email)) !== "unknown") throw new ApiError("USER_EXISTS");
  const signedUp = await signUp(values);
  if (!signedUp) throw new ApiError("USER_EXISTS");
  return signedUp;
}

/** Signs up at the auth server, which sends the mail. Undefined when another request took the address meanwhile. */
async function signUp({ name, email, password, locale = defaultLanguage }: Registration) {
  const signUpId = randomUUID();
  let signedUp: Awaited<ReturnType<typeof authServer.signUp>>;
  try {
    signedUp = await authServer.signUp(email, password, { name, locale, sign_up_id: signUpId });
  } catch (error) {
    const id = isUnanswered(error) ? await findSignedUp(email, signUpId) : undefined;
    if (!id) throw await signUpFailure(error, email);
    // The mail took longer than the call: the account exists, and the mail may still arrive.
    return { session: undefined, user: await accountOf(id) };
  }
  // For a registered email the auth server answers as if it were new.
  if (signedUp.user.user_metadata?.sign_up_id !== signUpId) return undefined;
  return { session: signedUp.session, user: await accountOf(signedUp.user.id) };
}

const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.code === "UNAVAILABLE";

async function signUpFailure(error: unknown, email: string): Promise<unknown> {
  if (error instanceof AuthServerRefusal) {
    if (/^(user_already_exists|email_exists)$/.test(error.reason)) return new ApiError("USER_EXISTS");
    if (error.reason === "signup_disabled")
      return new ApiError("FORBIDDEN", refusal("signUpClosed"), { cause: error });
    return error.reason === "weak_password"
      ? refuseField("password", "passwordWeak", { cause: error })
      : refuseField("email", "emailRefused", { cause: error });
  }
  if (!isUnanswered(error)) return error;
  const isKnown = (await readAccountStatus(email)) !== "unknown";
  return new ApiError(isKnown ? "USER_EXISTS" : "USER_NOT_CREATED", undefined, { cause: error });
}

/**
 * @param isRepeatable as rotate()
 * @throws ApiError NOT_AUTHENTICATED, USER_BANNED, USER_NOT_VERIFIED, RATE_LIMITED
 */
export async function renew(
  token: string,
  { addresses, arrivedAt, userAgent }: Arrival,
  isRepeatable: boolean,
): Promise<Tokens> {
  await take(hitsOf("refresh", addresses));
  const { userId, ...tokens } = await rotate(token, { arrivedAt, isRepeatable });
  await admitAccount(userId);
  await recordSession(tokens.accessToken, userAgent);
  return tokens;
}

/**
 * Sends a mail if one is due, after the response. None if the mailbox has reached its limit.
 * @throws ApiError RATE_LIMITED for the caller's address
 */
export async function sendMail(
  kind: "confirmation" | "recovery",
  email: string,
  addresses: ClientAddress[],
): Promise<void> {
  await take(hitsOf("mail", addresses));
  inBackground(sendWhereDue(kind, email), `mail: ${kind}`);
}

async function sendWhereDue(kind: "confirmation" | "recovery", email: string): Promise<void> {
  if (await isSuppressed(email)) return;
  if ((await secondsToWait(mailsTo(email, kind))) > 0) {
    log("info", "a mail was not sent: its address has reached the limit", { kind });
    return;
  }
  // All passwords of a contested account are invalid: the mailbox's owner chooses one.
  const isRecovery = kind === "recovery" || (await isContested(email));
  try {
    await (isRecovery ? authServer.sendRecovery(email) : authServer.resendConfirmation(email));
  } catch (error) {
    // The auth server refuses if there is no account, or if it is already confirmed.
    if (!(error instanceof AuthServerRefusal)) throw error;
  }
}

/**
 * Confirms an account with the code of its mail.
 * @param begins whether to open a session. A contested account never gets one, because all of its passwords are invalid.
 * @throws ApiError VALIDATION_FAILED for a wrong or expired code, USER_BANNED
 */
export async function confirm(
  email: string,
  code: string,
  { addresses, userAgent }: Arrival,
  begins: boolean,
): Promise<Partial<Tokens> & { verified: boolean }> {
  const wasContested = await isContested(email);
  const { user, ...tokens } = await redeem("signup", email, code, addresses, proveRegistration);
  if (begins && !wasContested) {
    await begin({ user, ...tokens }, { userAgent });
    return { verified: true, ...tokens };
  }
  // The code proves the mailbox only; logging in also needs the password.
  await authServer.signOut(tokens.accessToken, "local");
  if (wasContested) inBackground(sendWhereDue("recovery", email), "mail: recovery");
  return { verified: !wasContested };
}

/** Sets a new password with the code of a mail, and ends every session. @throws as confirm */
export async function resetPassword(
  email: string,
  code: string,
  password: string,
  addresses: ClientAddress[],
): Promise<void> {
  const { accessToken, user } = await redeem("recovery", email, code, addresses);
  // First: one that somebody has stolen could end the session of the code, and with it the reset.
  await endSessionsOf(user.id, [sessionOfToken(accessToken)]);
  try {
    await authServer.changePassword(accessToken, password);
  } catch (error) {
    if (!(error instanceof AuthServerRefusal)) throw error;
    // The account already has this password, so there is nothing to change.
    if (error.reason !== "same_password") {
      throw refuseField("password", "passwordWeak", { cause: error });
    }
  }
  await endSessionsOf(user.id);
}

async function redeem(
  type: "signup" | "recovery",
  email: string,
  code: string,
  addresses: ClientAddress[],
  prove: (email: string, code: string) => Promise<void> = async () => {},
) {
  await take(hitsOf("code", addresses, email));
  const wrong = (cause?: unknown) => refuseField("code", "codeSpent", { cause });
  // The auth server redeems a link's code whatever the address.
  if (await isCodeOfAnother(email, code)) throw wrong();
  try {
    await prove(email, code);
    const session = await authServer.redeemCode(type, email, code);
    if (session.user.email?.toLowerCase() === email) return session;
    await authServer.signOut(session.accessToken, "local");
  } catch (error) {
    throw error instanceof AuthServerRefusal ? wrong(error) : error;
  }
  throw wrong();
}

function tokensOf({ accessToken, refreshToken, expiresIn }: authServer.Session): Tokens {
  return { accessToken, refreshToken, expiresIn };
}
