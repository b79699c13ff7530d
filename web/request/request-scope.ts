// The scope of one page request: the viewer, the language, and the API on the viewer's behalf.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isLocale, type Locale, localeFromHeader } from "../render/locale.ts";
import type { PageTable } from "../render/page-definition.ts";
import type { Toast } from "../render/rendered.ts";
import { type Api, createApi } from "./api.ts";
import {
  COOKIE_DAYS,
  type CookieJar,
  cookieJar,
  LOCALE_COOKIE,
  THEME_COOKIE,
  TOAST_COOKIE,
  ZONE_COOKIE,
} from "./cookies.ts";
import { env } from "./env.ts";
import { canOpen } from "./policy.ts";
import { readerZone } from "./reader-zone.ts";
import { keepsSecureCookies } from "./secure-cookies.ts";
import { hasSession } from "./session.ts";
import { loadViewer, nobody, type Viewer } from "./viewer.ts";

export type Theme = "system" | "light" | "dark";

/** What a page's +data may read: everything except the viewer, who is still loading while +data runs. */
export interface DataRequest {
  id: string;
  method: string;
  headers: Headers;
  /** The page's own address, without _payload.json and the build id. */
  url: URL;
  /** True when the browser navigates and requests the payload. */
  wantsPayload: boolean;
  nonce: string;
  locale: Locale;
  theme: Theme;
  /** The reader's time zone, such as Europe/Paris. */
  timeZone: string;
  api: Api;
  cookies: CookieJar;
  /** The posted form; null unless the request is a POST with one. */
  form: FormData | null;
  /** True when the browser sent a session, whether or not the API accepts it. */
  sentSession: boolean;
  /** Await it only when a call depends on the viewer: it costs a round trip. */
  viewer: Promise<Viewer>;
  modelsOffline: boolean;
  supportEmail: string;
  /** Address of the local mailbox, on a developer's machine. */
  mailboxUrl: string | undefined;
}

/** The request once `viewer` has resolved: what policies, actions and pages read. */
export interface RequestScope extends DataRequest, Omit<Viewer, "problem"> {
  /** Message for the next page that is shown, carried across a redirect. */
  toast: Toast | null;
  /** True when the viewer may open the link. Pages hide what would be refused. */
  canOpen(href: string): boolean;
}

const sign = (text: string): string =>
  createHmac("sha256", env.COOKIE_SECRET).update(text).digest("base64url");

/** Stores a toast for the page after the redirect. Signed, because its text is shown as ours. */
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
  pages: PageTable;
}

/** Opens the scope of a page request and starts to load the viewer. User and teams are set once `viewer` resolves. */
export function beginScope(page: PageRequest): RequestScope {
  const { headers, signal, method } = page.request;
  const cookies = cookieJar(headers.get("cookie"), keepsSecureCookies(headers.get("user-agent")));
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
    timeZone: readerZone(cookies.get(ZONE_COOKIE)),
    api: createApi({
      cookies,
      requestId: page.requestId,
      clientAddress: page.clientAddress,
      // The account's language, once the viewer is known.
      get locale() {
        return scope.locale;
      },
      userAgent: headers.get("user-agent") ?? "",
      idempotencyKey: headers.get("idempotency-key"),
      signal,
    }),
    cookies,
    form: page.form,
    sentSession: hasSession(cookies),
    viewer: Promise.resolve(nobody),
    ...nobody,
    toast: method === "GET" ? takeToast(cookies) : null,
    canOpen: (href) => canOpen(page.pages, scope, href),
    modelsOffline: env.PARLEY_MODELS === "offline",
    supportEmail: env.SUPPORT_EMAIL,
    mailboxUrl: env.MAILBOX_URL,
  };
  scope.viewer = loadViewer(scope).then((viewer) => {
    const { user, teams, team, invitations } = viewer;
    Object.assign(scope, { user, teams, team, invitations });
    return viewer;
  });
  return scope;
}
