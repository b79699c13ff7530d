// POST /preferences: the language, the theme and the time zone, kept in cookies, then back to the page that asked.
import type { Context } from "hono";
import { isLocale, type Locale } from "../renderer/locale.ts";
import { createApi } from "./api.ts";
import { ApiFailure } from "./api-failure.ts";
import {
  COOKIE_DAYS,
  type CookieJar,
  cookieJar,
  LOCALE_COOKIE,
  THEME_COOKIE,
  ZONE_COOKIE,
} from "./cookies.ts";
import { readerZone } from "./reader-zone.ts";
import { safeNext } from "./safe-next.ts";
import { hasSession } from "./session.ts";
import type { WebEnv } from "./web-env.ts";

/** Sets what the form names and nothing else; an unknown value changes nothing. */
export async function setPreferences(c: Context<WebEnv>): Promise<Response> {
  const form = await c.req.raw.formData().catch(() => new FormData());
  const cookies = cookieJar(c.req.header("cookie") ?? null);
  const locale = form.get("locale");
  if (isLocale(locale)) {
    cookies.set(LOCALE_COOKIE, locale, COOKIE_DAYS.locale);
    await keepLanguage(c, cookies, locale);
  }
  const theme = form.get("theme");
  if (theme === "light" || theme === "dark" || theme === "system") {
    cookies.set(THEME_COOKIE, theme, COOKIE_DAYS.theme);
  }
  const timeZone = form.get("timeZone");
  if (typeof timeZone === "string") cookies.set(ZONE_COOKIE, readerZone(timeZone), COOKIE_DAYS.zone);
  const headers = new Headers({ location: comingFrom(c.req.header("referer")), "cache-control": "no-store" });
  for (const line of cookies.headers()) headers.append("set-cookie", line);
  return new Response(null, { status: 303, headers });
}

/** Whoever is logged in has chosen for their account, and so for their mails and other devices. */
async function keepLanguage(c: Context<WebEnv>, cookies: CookieJar, locale: Locale): Promise<void> {
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
    // The choice holds on this device until the account is read again.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** The page that posted: navigation swaps pages under one layout, so the form itself cannot know it. */
function comingFrom(referer: string | undefined): string {
  if (!referer || !URL.canParse(referer)) return "/";
  const { pathname, search } = new URL(referer);
  return safeNext(pathname + search);
}
