// Owns the calls to Supabase's auth server (GoTrue's HTTP API), hosted or embedded. Must not decide what a failure means to our clients
// beyond "unavailable": /v1/auth does.
import { z } from "zod";
import { env } from "../env.ts";
import { boundedAnswer } from "../outbound/bounded-answer.ts";
import { retryAfterMs } from "../outbound/retry.ts";
import { ApiError, rateLimited } from "./errors.ts";
import { platformHeaders } from "./platform-keys.ts";

const authUser = z.object({
  id: z.uuid(),
  email: z.string().optional(),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
});

const sessionAnswer = z
  .object({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1),
    expires_in: z.number(),
    user: authUser,
  })
  .transform((answer) => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresIn: answer.expires_in,
    user: answer.user,
  }));
export type Session = z.infer<typeof sessionAnswer>;

/** With confirmations off the answer is a session; otherwise only the user. */
const signUpAnswer = z.union([
  sessionAnswer.transform((session) => ({ session, user: session.user })),
  authUser.transform((user) => ({ session: undefined, user })),
]);

/** A refusal (4xx) by the auth server. `reason` is its error_code, such as "invalid_credentials". */
export class AuthServerRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`The auth server refused with ${status} ${reason}`);
    this.name = "AuthServerRefusal";
  }
}

const timeoutMs = 15_000;
const maxAnswerBytes = 1024 * 1024;

/**
 * Creates an account. For a known email the answer looks the same; only `metadata` tells them apart.
 * @throws AuthServerRefusal, ApiError UNAVAILABLE
 */
export async function signUp(email: string, password: string, metadata: Record<string, string>) {
  return signUpAnswer.parse(await call("POST", "/signup", { email, password, data: metadata }));
}

/** @throws AuthServerRefusal, ApiError UNAVAILABLE */
export async function signIn(email: string, password: string): Promise<Session> {
  return sessionAnswer.parse(await call("POST", "/token?grant_type=password", { email, password }));
}

/** @throws AuthServerRefusal, ApiError UNAVAILABLE */
export async function refreshSession(refreshToken: string): Promise<Session> {
  return sessionAnswer.parse(
    await call("POST", "/token?grant_type=refresh_token", { refresh_token: refreshToken }),
  );
}

/** Resends the confirmation mail if one is due. @throws AuthServerRefusal, ApiError UNAVAILABLE */
export async function resendConfirmation(email: string): Promise<void> {
  await call("POST", "/resend", { type: "signup", email });
}

/** Sends a password recovery mail if the account exists. @throws as resendConfirmation */
export async function sendRecovery(email: string): Promise<void> {
  await call("POST", "/recover", { email });
}

/**
 * Redeems a code from a mail: the digits it shows, or the token in its link.
 * @throws AuthServerRefusal, ApiError UNAVAILABLE
 */
export async function redeemCode(type: "signup" | "recovery", email: string, code: string): Promise<Session> {
  const typed = /^\d{6,10}$/.test(code);
  const body = typed ? { type, email, token: code } : { type, token_hash: code };
  return sessionAnswer.parse(await call("POST", "/verify", body));
}

/**
 * Sets a password. The session must be new: the auth server requires a mailed code of one that is older than a day.
 * @param currentPassword for a project that requires it; absent for a session opened with the code of a recovery mail
 * @throws AuthServerRefusal, ApiError UNAVAILABLE
 */
export async function changePassword(
  accessToken: string,
  password: string,
  currentPassword?: string,
): Promise<void> {
  await call("PUT", "/user", { password, current_password: currentPassword }, accessToken);
}

/** Ends the session of a token, or all sessions of its user. @throws AuthServerRefusal, ApiError UNAVAILABLE */
export async function signOut(accessToken: string, scope: "local" | "global"): Promise<void> {
  await call("POST", `/logout?scope=${scope}`, {}, accessToken);
}

const refusalBody = z.object({ error_code: z.string().optional(), error: z.string().optional() });

async function call(method: string, path: string, body: object, accessToken?: string): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(`${env().SUPABASE_INTERNAL_URL}/auth/v1${path}`, {
      method,
      headers: { ...platformHeaders(accessToken), "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    response = boundedAnswer(answer, maxAnswerBytes, signal);
    text = await response.text();
  } catch (cause) {
    throw new ApiError("UNAVAILABLE", undefined, { cause });
  }
  if (response.ok) return parse(text);
  if (response.status === 429) {
    const seconds = Math.ceil((retryAfterMs(response.headers) ?? 60_000) / 1000);
    throw rateLimited(seconds);
  }
  if (response.status >= 500) {
    throw new ApiError("UNAVAILABLE", undefined, {
      cause: new Error(`The auth server answered ${response.status}`),
    });
  }
  const refusal = refusalBody.safeParse(parse(text)).data;
  throw new AuthServerRefusal(response.status, refusal?.error_code ?? refusal?.error ?? "unknown");
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
