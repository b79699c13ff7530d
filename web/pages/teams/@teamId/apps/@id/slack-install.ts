// Owns the secret that proves that this browser started a Slack install. Does not call Slack.
import { createHash, randomBytes } from "node:crypto";
import type { CookieJar } from "#web/request/cookies.ts";

const COOKIE = "parley-slack-install";

/** The secret's SHA-256, which the install carries. The secret itself stays in an HttpOnly cookie. */
export function challengeOf(cookies: CookieJar): string {
  const kept = verifierOf(cookies);
  const verifier = kept ?? randomBytes(32).toString("base64url");
  if (!kept) cookies.set(COOKIE, verifier, 0);
  return createHash("sha256").update(verifier).digest("base64url");
}

/** This browser's secret; undefined when it has not started an install. */
export function verifierOf(cookies: CookieJar): string | undefined {
  const value = cookies.get(COOKIE);
  return value && /^[\w-]{43}$/.test(value) ? value : undefined;
}

export function forgetVerifier(cookies: CookieJar): void {
  cookies.delete(COOKIE);
}
