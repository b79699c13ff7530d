// Owns the request of a page in the gallery: a user with every permission in their team, and an API that returns samples.
import { isLocale, type Locale } from "../render/locale.ts";
import type { PageTable } from "../render/page-definition.ts";
import type { Toast } from "../render/rendered.ts";
import type { Api } from "../request/api.ts";
import { ApiFailure } from "../request/api-failure.ts";
import type { InvitedTeam, Team, User } from "../request/api-types.ts";
import { cookieJar } from "../request/cookies.ts";
import type { RequestScope, Theme } from "../request/request-scope.ts";

/** Contains every permission. */
class AllPermissions extends Array<string> {
  override includes(): boolean {
    return true;
  }
}

export interface Shown {
  /** Address of the page in the app. */
  url: URL;
  locale: Locale;
  theme: Theme;
  isAdmin: boolean;
  toast: Toast | null;
  /** The response to a call. */
  answer(method: string, path: string): unknown;
}

export const localeOf = (code: string | null): Locale => (isLocale(code ?? "") ? (code as Locale) : "en");
export const themeOf = (name: string | null): Theme =>
  name === "light" || name === "dark" ? name : "system";

function sampleApi(answer: Shown["answer"]): Api {
  const call = async (method: string, path: string) => {
    const made = answer(method, path);
    if (made === undefined) throw new ApiFailure(path, 404, "Not Found", { code: "NOT_FOUND" });
    return made;
  };
  const api = {
    get: (path: string) => call("GET", path),
    send: (method: string, path: string) => call(method, path),
    remove: async () => false,
    token: async () => "none",
    renewToken: async () => null,
    setSession: () => undefined,
  };
  // Each call is typed by its path; the samples derive from the same schemas.
  return api as unknown as Api;
}

export function shownRequest(
  { url, locale, theme, isAdmin, toast, answer }: Shown,
  pages: PageTable,
): RequestScope {
  const viewer = answer("GET", "/v1/viewer") as { user: User; teams: Team[]; invitations: InvitedTeam[] };
  const teams = viewer.teams.map((team, at) => ({
    ...team,
    codename: at === 0 ? "demo" : `team-${at}`,
    permissions: new AllPermissions(),
    hasModel: false,
  }));
  const isSomebody = !/^\/(login|register|forgot-password|$)/.test(url.pathname);
  const found = {
    user: isSomebody ? { ...viewer.user, locale, isAdmin } : null,
    teams: isSomebody ? teams : [],
    team: (isSomebody && teams[0]) || null,
    invitations: viewer.invitations,
  };
  return {
    id: "gallery",
    method: "GET",
    headers: new Headers(),
    url,
    wantsPayload: false,
    nonce: "",
    locale,
    theme,
    timeZone: "UTC",
    api: sampleApi(answer),
    cookies: cookieJar(null),
    form: null,
    sentSession: true,
    viewer: Promise.resolve(found),
    ...found,
    toast,
    canOpen: (href) => pages.match(new URL(href, url).pathname) !== null,
    modelsOffline: true,
    supportEmail: "support@parley.test",
    mailboxUrl: undefined,
  };
}
