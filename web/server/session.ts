// The login session: two tokens in a cookie of @supabase/ssr's form, and their refresh. No token reaches a page's HTML.
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

/** Whether the cookies carry a session, good or not. */
export const hasSession = (cookies: CookieJar): boolean =>
  cookies.names().some((name) => isChunkLike(name, COOKIE));

/** The session that the cookies carry, or null when there is none or it cannot be read. */
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

/** Writes the session for 30 days, in chunks where one cookie is too small; null clears it. */
export function writeSession(cookies: CookieJar, tokens: Tokens | null): void {
  const value =
    tokens &&
    PREFIX +
      stringToBase64URL(
        JSON.stringify({ access_token: tokens.accessToken, refresh_token: tokens.refreshToken }),
      );
  const chunks = value ? createChunks(COOKIE, value) : [];
  for (const name of cookies.names()) {
    if (isChunkLike(name, COOKIE) && !chunks.some((chunk) => chunk.name === name)) cookies.delete(name);
  }
  for (const chunk of chunks) cookies.set(chunk.name, chunk.value, COOKIE_DAYS.session);
}

/** What a JWT says of itself; nothing where it cannot be read. For refreshing in time and the like, never to trust. */
function saidBy(accessToken: string): { exp?: number; session_id?: string } {
  try {
    return JSON.parse(stringFromBase64URL(accessToken.split(".")[1] ?? "")) as ReturnType<typeof saidBy>;
  } catch {
    return {};
  }
}

/** Seconds since 1970 at which a JWT expires; 0 when it does not say. */
export const expiryOf = (accessToken: string): number => saidBy(accessToken).exp ?? 0;

/** The session that a JWT was made for. */
export const sessionOf = (accessToken: string): string | undefined => saidBy(accessToken).session_id;

// A refresh token works once. Requests that arrive together, or just after with the old cookie, share one answer.
const refreshes = new Map<string, Promise<Tokens | null>>();
const KEEP_ANSWER_MS = 30_000;

/**
 * New tokens for a refresh token; null when it is no longer good. Single-flight per session.
 * Throws when the API cannot be reached: a broken line must not log anybody out.
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
  const answer = await fetch(`${env.SUPABASE_URL}/functions/v1/v1/auth/refresh`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent, ...requestIdHeader() },
    body: JSON.stringify({ token: refreshToken }),
    signal: AbortSignal.timeout(15_000),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`The refresh answered ${answer.status}`);
  if (!answer.ok) return null;
  return (await answer.json()) as Tokens;
}
