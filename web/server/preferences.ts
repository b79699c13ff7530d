// POST /preferences: the language and the theme, kept in cookies, then back to the page that asked.
import type { Context } from "hono";
import { isLocale } from "../renderer/locale.ts";
import { COOKIE_DAYS, cookieJar, LOCALE_COOKIE, THEME_COOKIE } from "./cookies.ts";
import { safeNext } from "./safe-next.ts";
import type { WebEnv } from "./web-env.ts";

/** Sets what the form names and nothing else; an unknown value changes nothing. */
export async function setPreferences(c: Context<WebEnv>): Promise<Response> {
  const form = await c.req.raw.formData().catch(() => new FormData());
  const cookies = cookieJar(c.req.header("cookie") ?? null);
  const locale = form.get("locale");
  if (isLocale(locale)) cookies.set(LOCALE_COOKIE, locale, COOKIE_DAYS.locale);
  const theme = form.get("theme");
  if (theme === "light" || theme === "dark" || theme === "system") {
    cookies.set(THEME_COOKIE, theme, COOKIE_DAYS.theme);
  }
  const headers = new Headers({ location: comingFrom(c.req.header("referer")), "cache-control": "no-store" });
  for (const line of cookies.headers()) headers.append("set-cookie", line);
  return new Response(null, { status: 303, headers });
}

/** The page that posted: navigation swaps pages under one layout, so the form itself cannot know it. */
function comingFrom(referer: string | undefined): string {
  if (!referer || !URL.canParse(referer)) return "/";
  const { pathname, search } = new URL(referer);
  return safeNext(pathname + search);
}
