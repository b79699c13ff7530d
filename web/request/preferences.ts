// POST /preferences: stores the language, theme and time zone in cookies, then redirects back to the page that posted.
import type { Context } from "hono";
import { isLocale, type Locale } from "../render/locale.ts";
import { createApi } from "./api.ts";
import { ApiFailure } from "./api-failure.ts";
import {
  COOKIE_DAYS,
  type CookieJar,
  cookieJar,
  LOCALE_COOKIE,
  sendCookies,
  THEME_COOKIE,
  ZONE_COOKIE,
} from "./cookies.ts";
import { readerZone } from "./reader-zone.ts";
import { safeNext } from "./safe-next.ts";
import { keepsSecureCookies } from "./secure-cookies.ts";
import { hasSession } from "./session.ts";
import type { WebEnv } from "./web-env.ts";

/** Sets only what the form contains; an unknown value changes nothing. */
export async function setPreferences(c: Context<WebEnv>): Promise<Response> {
  const form = await c.req.raw.formData().catch(() => new FormData());
  const cookies = cookieJar(
    c.req.header("cookie") ?? null,
    keepsSecureCookies(c.req.header("user-agent") ?? null),
  );
  const locale = form.get("locale");
  if (isLocale(locale)) {
    cookies.set(LOCALE_COOKIE, locale, COOKIE_DAYS.locale);
    await saveLanguage(c, cookies, locale);
  }
  const theme = form.get("theme");
  if (theme === "light" || theme === "dark" || theme === "system") {
    cookies.set(THEME_COOKIE, theme, COOKIE_DAYS.theme);
  }
  const timeZone = form.get("timeZone");
  if (typeof timeZone === "string") cookies.set(ZONE_COOKIE, readerZone(timeZone), COOKIE_DAYS.zone);
  const headers = new Headers({
    location: previousPage(c.req.header("referer")),
    "cache-control": "no-store",
  });
  sendCookies(cookies, headers);
  return new Response(null, { status: 303, headers });
}

/** Stores a logged-in user's language in their account too, for their mails and other devices. */
async function saveLanguage(c: Context<WebEnv>, cookies: CookieJar, locale: Locale): Promise<void> {
  if (!hasSession(cookies)) return;
  const api = createApi({
    cookies,
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    locale,
    userAgent: c.req.header("user-agent") ?? "",
    signal: c.req.raw.signal,
  });
  try {
    const { id } = await api.get("/v1/auth/me");
    await api.send("PUT", "/v1/users/{id}", { id }, { locale });
  } catch (error) {
    // The cookie keeps the choice on this device until the account is next loaded.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** The page that posted. Navigation swaps pages under one layout, so the form itself cannot know it. */
function previousPage(referer: string | undefined): string {
  if (!referer || !URL.canParse(referer)) return "/";
  const { pathname, search } = new URL(referer);
  return safeNext(pathname + search);
}
