// Which address this browser has registered: the mail that confirms it signs in there alone. Elsewhere the password is asked for, so
// that a link that somebody else sent opens no account of theirs.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { CookieJar } from "./cookies.ts";
import { env } from "./env.ts";

const COOKIE = "parley-registered";
const DAYS = 2;

const signed = (email: string): string =>
  createHmac("sha256", env.COOKIE_SECRET).update(`registered:${email.toLowerCase()}`).digest("base64url");

export const noteRegistration = (cookies: CookieJar, email: string): void =>
  cookies.set(COOKIE, signed(email), DAYS);

/** Whether the address was registered in this browser. */
export function wasRegisteredHere(cookies: CookieJar, email: string): boolean {
  const given = Buffer.from(cookies.get(COOKIE) ?? "");
  const expected = Buffer.from(signed(email));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const forgetRegistration = (cookies: CookieJar): void => cookies.delete(COOKIE);
