// Everything that belongs to one request of a page: who asks, in which language, and the API on their behalf.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isLocale, type Locale, localeFromHeader } from "../renderer/locale.ts";
import type { Payload, Toast } from "../renderer/rendered.ts";
import { type Api, createApi } from "./api.ts";
import type { InvitedTeam, Team, User } from "./api-types.ts";
import {
  COOKIE_DAYS,
  type CookieJar,
  cookieJar,
  LOCALE_COOKIE,
  THEME_COOKIE,
  TOAST_COOKIE,
} from "./cookies.ts";
import { env } from "./env.ts";
import { loadViewer } from "./viewer.ts";

export type Theme = "system" | "light" | "dark";

export interface RequestScope {
  id: string;
  method: string;
  headers: Headers;
  /** The page's own address, without _payload.json and the build id. */
  url: URL;
  /** True when the browser navigates and wants the payload. */
  wantsPayload: boolean;
  nonce: string;
  locale: Locale;
  theme: Theme;
  api: Api;
  cookies: CookieJar;
  /** The posted form; null unless the request is a POST with one. */
  form: FormData | null;
  /** Over when user, teams and team are known. */
  viewer: Promise<void>;
  /** Who is logged in. Like the teams, not to be read before `viewer` is over; every page's guard waits for it. */
  user: User | null;
  /** Teams the user has joined, and the one that this page is about (or the remembered one). */
  teams: Team[];
  team: Team | null;
  invitations: InvitedTeam[];
  /** Message for the next page that is shown, carried over a redirect. */
  toast: Toast | null;
  modelsOffline: boolean;
  supportEmail: string;
  /** Where mails of this installation can be read, on a developer's machine. */
  mailboxUrl: string | undefined;
  /** Status that the page asked for; the renderer's own when undefined. */
  status?: Payload["status"];
  /** Why the viewer could not be loaded. Public pages are shown all the same; the guard throws it on the others. */
  problem?: Error;
}

const sign = (text: string): string =>
  createHmac("sha256", env.COOKIE_SECRET).update(text).digest("base64url");

/** Keeps a toast for the page after the redirect. Signed, since its words are shown as ours. */
export function keepToast(cookies: CookieJar, toast: Toast): void {
  const text = Buffer.from(JSON.stringify(toast)).toString("base64url");
  cookies.set(TOAST_COOKIE, `${text}.${sign(text)}`, 0);
}

function takeToast(cookies: CookieJar): Toast | null {
  const [text = "", signature = ""] = (cookies.get(TOAST_COOKIE) ?? "").split(".");
  if (!text) return null;
  cookies.delete(TOAST_COOKIE);
  const expected = Buffer.from(sign(text));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Toast;
}

function chooseLocale(cookies: CookieJar, acceptLanguage: string | undefined): Locale {
  const chosen = cookies.get(LOCALE_COOKIE);
  if (isLocale(chosen)) return chosen;
  const locale = localeFromHeader(acceptLanguage);
  cookies.set(LOCALE_COOKIE, locale, COOKIE_DAYS.locale);
  return locale;
}

function chooseTheme(cookies: CookieJar): Theme {
  const theme = cookies.get(THEME_COOKIE);
  return theme === "light" || theme === "dark" ? theme : "system";
}

export interface PageRequest {
  request: Request;
  requestId: string;
  nonce: string;
  clientAddress: string;
  url: URL;
  wantsPayload: boolean;
  form: FormData | null;
}

/** Opens the scope of a page request and begins to load who asks: `viewer` is over when that is known. */
export function beginScope(page: PageRequest): RequestScope {
  const { headers, signal, method } = page.request;
  const cookies = cookieJar(headers.get("cookie"));
  const locale = chooseLocale(cookies, headers.get("accept-language") ?? undefined);
  const scope: RequestScope = {
    id: page.requestId,
    method,
    headers,
    url: page.url,
    wantsPayload: page.wantsPayload,
    nonce: page.nonce,
    locale,
    theme: chooseTheme(cookies),
    api: createApi({
      cookies,
      requestId: page.requestId,
      clientAddress: page.clientAddress,
      locale,
      userAgent: headers.get("user-agent") ?? "",
      signal,
      pagePath: page.url.pathname + page.url.search,
    }),
    cookies,
    form: page.form,
    viewer: Promise.resolve(),
    user: null,
    teams: [],
    team: null,
    invitations: [],
    toast: method === "GET" ? takeToast(cookies) : null,
    modelsOffline: env.PARLEY_MODELS === "offline",
    supportEmail: env.SUPPORT_EMAIL,
    mailboxUrl: env.MAILBOX_URL,
  };
  scope.viewer = loadViewer(scope);
  return scope;
}

/** The scope of a request, with who asks. */
export async function openScope(page: PageRequest): Promise<RequestScope> {
  const scope = beginScope(page);
  await scope.viewer;
  return scope;
}
