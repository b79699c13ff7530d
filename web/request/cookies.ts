// The cookies of one request: parses the received ones and collects those to set. All are HttpOnly, SameSite=Lax and, except in
// Safari on a developer's own machine (secure-cookies.ts), Secure.
import { parse, serialize } from "hono/utils/cookie";

const DAY_S = 24 * 60 * 60;

export const COOKIE_DAYS = {
  session: 30,
  team: 365,
  locale: 365,
  theme: 365,
  zone: 365,
  visitor: 365,
} as const;

export const LOCALE_COOKIE = "parley-locale";
export const THEME_COOKIE = "parley-theme";
/** The reader's time zone, as their browser reported it. */
export const ZONE_COOKIE = "parley-zone";
export const TEAM_COOKIE = "parley-team";
/** Token of a visitor without an account, for their own chats with public agents. */
export const VISITOR_COOKIE = "parley-visitor";
export const TOAST_COOKIE = "parley-toast";

export interface CookieJar {
  get(name: string): string | undefined;
  /** `days` 0 makes a session cookie, which ends when the browser closes. */
  set(name: string, value: string, days: number): void;
  delete(name: string): void;
  names(): string[];
  /** The Set-Cookie lines to send, one per changed cookie. */
  headers(): string[];
}

/** Has a response set the cookies that the jar has changed. */
export function sendCookies(cookies: CookieJar, response: Headers): void {
  for (const line of cookies.headers()) response.append("set-cookie", line);
}

/** @param secure false only for a browser that would drop Secure cookies (secure-cookies.ts) */
export function cookieJar(header: string | null, secure = true): CookieJar {
  const values = new Map(Object.entries(header ? parse(header) : {}));
  const changes = new Map<string, string>();
  const write = (name: string, value: string, maxAge: number | undefined) =>
    changes.set(name, serialize(name, value, { path: "/", httpOnly: true, secure, sameSite: "Lax", maxAge }));
  return {
    get: (name) => values.get(name),
    set(name, value, days) {
      values.set(name, value);
      write(name, value, days > 0 ? days * DAY_S : undefined);
    },
    delete(name) {
      values.delete(name);
      write(name, "", 0);
    },
    names: () => [...values.keys()],
    headers: () => [...changes.values()],
  };
}
