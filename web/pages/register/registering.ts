// Remembers which address this browser registered. The confirmation mail logs in only that browser; any other must
// enter the password, so a link from a stranger cannot log somebody into the stranger's account.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { CookieJar } from "../../request/cookies.ts";
import { env } from "../../request/env.ts";

const COOKIE = "parley-registered";
const DAYS = 2;

const sign = (email: string): string =>
  createHmac("sha256", env.COOKIE_SECRET).update(`registered:${email.toLowerCase()}`).digest("base64url");

export const noteRegistration = (cookies: CookieJar, email: string): void =>
  cookies.set(COOKIE, sign(email), DAYS);

/** True when the address was registered in this browser. */
export function wasRegisteredHere(cookies: CookieJar, email: string): boolean {
  const given = Buffer.from(cookies.get(COOKIE) ?? "");
  const expected = Buffer.from(sign(email));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const forgetRegistration = (cookies: CookieJar): void => cookies.delete(COOKIE);
