// The cookies of one request: reads what came, gathers what goes. All are HttpOnly, Secure and SameSite=Lax.
// Browsers treat http://127.0.0.1 and http://localhost as trustworthy, so Secure holds on a developer's machine too.
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
/** The reader's time zone, as their browser said it. */
export const ZONE_COOKIE = "parley-zone";
export const TEAM_COOKIE = "parley-team";
/** Token of somebody without an account, for their own chats with public agents. */
export const VISITOR_COOKIE = "parley-visitor";
export const TOAST_COOKIE = "parley-toast";

export interface CookieJar {
  get(name: string): string | undefined;
  /** `days` 0 keeps the cookie until the browser closes. */
  set(name: string, value: string, days: number): void;
  delete(name: string): void;
  names(): string[];
  /** Set-Cookie lines to send, one per changed cookie. */
  headers(): string[];
}

export function cookieJar(header: string | null): CookieJar {
  const values = new Map(Object.entries(header ? parse(header) : {}));
  const changes = new Map<string, string>();
  const write = (name: string, value: string, maxAge: number | undefined) =>
    changes.set(
      name,
      serialize(name, value, { path: "/", httpOnly: true, secure: true, sameSite: "Lax", maxAge }),
    );
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
