// Owns the secret by which a browser shows that it began an install of Slack's app. Does not talk to Slack.
import { createHash, randomBytes } from "node:crypto";
import type { CookieJar } from "./cookies.ts";

const COOKIE = "parley-slack-install";

/** The secret's SHA-256, which goes with the install; the secret stays in an HttpOnly cookie. */
export function challengeOf(cookies: CookieJar): string {
  const kept = verifierOf(cookies);
  const verifier = kept ?? randomBytes(32).toString("base64url");
  if (!kept) cookies.set(COOKIE, verifier, 0);
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The secret of this browser, where it has begun an install. */
export function verifierOf(cookies: CookieJar): string | undefined {
  const value = cookies.get(COOKIE);
  return value && /^[\w-]{43}$/.test(value) ? value : undefined;
}

export function forgetVerifier(cookies: CookieJar): void {
  cookies.delete(COOKIE);
}
