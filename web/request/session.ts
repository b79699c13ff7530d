// The login session: two tokens in a cookie in the format of @supabase/ssr, and their refresh. No token reaches a page's HTML.
import {
  combineChunks,
  createChunks,
  isChunkLike,
  stringFromBase64URL,
  stringToBase64URL,
} from "@supabase/ssr";
import { requestIdHeader } from "../../edge-functions/_shared/requests/request-context.ts";
import { COOKIE_DAYS, type CookieJar } from "./cookies.ts";
import { env } from "./env.ts";

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

const COOKIE = "sb-parley-auth-token";
const PREFIX = "base64-";

/** True when the cookies contain a session, valid or not. */
export const hasSession = (cookies: CookieJar): boolean =>
  cookies.names().some((name) => isChunkLike(name, COOKIE));

/** The session in the cookies; null when there is none or it cannot be parsed. */
export async function readSession(cookies: CookieJar): Promise<Tokens | null> {
  const value = await combineChunks(COOKIE, (name) => cookies.get(name) ?? null);
  if (!value?.startsWith(PREFIX)) return null;
  try {
    const session = JSON.parse(stringFromBase64URL(value.slice(PREFIX.length))) as Record<string, unknown>;
    const { access_token: accessToken, refresh_token: refreshToken } = session;
    if (typeof accessToken !== "string" || typeof refreshToken !== "string") return null;
    return { accessToken, refreshToken };
  } catch {
    return null;
  }
}

/** Writes the session for 30 days, in chunks when it exceeds one cookie; null clears it. */
export function writeSession(cookies: CookieJar, tokens: Tokens | null): void {
  const value =
    tokens &&
    PREFIX +
      stringToBase64URL(
        JSON.stringify({ access_token: tokens.accessToken, refresh_token: tokens.refreshToken }),
      );
  for (const name of cookies.names()) if (isChunkLike(name, COOKIE)) cookies.delete(name);
  for (const chunk of value ? createChunks(COOKIE, value) : [])
    cookies.set(chunk.name, chunk.value, COOKIE_DAYS.session);
}

/** A JWT's claims, unverified; empty when it cannot be parsed. Use them to schedule a refresh and the like, never to trust. */
function claimsOf(accessToken: string): { exp?: number; session_id?: string; sub?: string } {
  try {
    return JSON.parse(stringFromBase64URL(accessToken.split(".")[1] ?? "")) as ReturnType<typeof claimsOf>;
  } catch {
    return {};
  }
}

/** Expiry of a JWT in seconds since 1970; 0 when it has none. */
export const expiryOf = (accessToken: string): number => claimsOf(accessToken).exp ?? 0;

/** The session id of a JWT. */
export const sessionOf = (accessToken: string): string | undefined => claimsOf(accessToken).session_id;

/** The user id of a JWT. */
export const personOf = (accessToken: string): string | undefined => claimsOf(accessToken).sub;

// A refresh token works once. Concurrent requests, and later ones that still send the old cookie, share one response. Idempotency-Key makes
// the API give it to other web servers too, for as long.
const refreshes = new Map<string, Promise<Tokens | null>>();
const KEEP_ANSWER_MS = 30_000;

/**
 * New tokens for a refresh token; null when it is no longer valid. Single-flight per session. Throws when the API is
 * unreachable: a network failure must not log anybody out.
 */
export function refresh(refreshToken: string, userAgent: string): Promise<Tokens | null> {
  const running = refreshes.get(refreshToken);
  if (running) return running;
  const answer = requestTokens(refreshToken, userAgent);
  refreshes.set(refreshToken, answer);
  const forget = () => refreshes.delete(refreshToken);
  answer.then(() => setTimeout(forget, KEEP_ANSWER_MS).unref(), forget);
  return answer;
}

async function requestTokens(refreshToken: string, userAgent: string): Promise<Tokens | null> {
  const answer = await fetch(`${env.SUPABASE_INTERNAL_URL}/functions/v1/v1/auth/refresh`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": userAgent,
      "idempotency-key": "session",
      ...requestIdHeader(),
    },
    body: JSON.stringify({ token: refreshToken }),
    signal: AbortSignal.timeout(15_000),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`The refresh answered ${answer.status}`);
  if (!answer.ok) return null;
  return (await answer.json()) as Tokens;
}
