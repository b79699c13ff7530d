// Owns the viewer of a page: the session's user, their teams and the current one, in one API call. Does not decide what
// they may open (policy.ts).

import { decodePercent } from "#edge-functions/_shared/text/percent.ts";
import { ApiFailure } from "./api-failure.ts";
import type { InvitedTeam, Team, User } from "./api-types.ts";
import { COOKIE_DAYS, LOCALE_COOKIE, TEAM_COOKIE } from "./cookies.ts";
import { describeFailure } from "./describe-failure.ts";
import { i18nFor } from "./i18n.ts";
import type { DataRequest, RequestScope } from "./request-scope.ts";

export interface Viewer {
  /** Null when nobody is logged in. */
  user: User | null;
  /** The teams that the user has joined, at most the first hundred. */
  teams: Team[];
  /** The team of the request (teamOf), else the first; null when the user does not belong to it. */
  team: Team | null;
  invitations: InvitedTeam[];
  /** Why the viewer could not be loaded. Public pages are shown anyway. */
  problem?: Error;
}

export const nobody: Viewer = { user: null, teams: [], team: null, invitations: [] };

/**
 * The team in an address such as /teams/{slug or id}/agents; undefined when there is none. A team may have the slug
 * "create": only the page that creates teams is not one of its pages.
 */
export function teamInPath(pathname: string): string | undefined {
  if (/^\/teams\/create\/?$/.test(pathname)) return undefined;
  const [, name] = /^\/teams\/([^/]+)\//.exec(`${pathname}/`) ?? [];
  return name && decodePercent(name);
}

/**
 * The team of a request: the one in its address, else that of the page whose link was followed, else the remembered
 * one. Two tabs may show two teams, and the one that was used last must not replace the other.
 */
export function teamOf({ url, headers, cookies }: Pick<DataRequest, "url" | "headers" | "cookies">) {
  const referer = headers.get("referer");
  const page = referer !== null && URL.canParse(referer) ? new URL(referer).pathname : "";
  return teamInPath(url.pathname) ?? teamInPath(page) ?? cookies.get(TEAM_COOKIE);
}

/** The name from an address or cookie when the API would accept it as a team's id or slug. */
export const teamRefIn = (name: string | undefined): string | undefined =>
  name !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(name) ? name : undefined;

/** Ends a session that the API rejects, and tells a banned user why. The page shows any other failure. */
function handleRejection(scope: RequestScope, error: unknown): Viewer {
  if (!(error instanceof ApiFailure) || (error.status !== 401 && error.code !== "USER_BANNED")) {
    return { ...nobody, problem: error instanceof Error ? error : new Error(String(error)) };
  }
  scope.api.setSession(null);
  if (error.code === "USER_BANNED") {
    const { t } = i18nFor(scope.locale);
    scope.toast = { ...describeFailure(error, t, scope), variant: "destructive" };
  }
  return nobody;
}

/** Loads the viewer. Clears a session that the API no longer knows, and remembers the team. */
export async function loadViewer(scope: RequestScope): Promise<Viewer> {
  const { api, cookies } = scope;
  const named = teamInPath(scope.url.pathname);
  try {
    if (!(await api.token())) return nobody;
    const { user, teams, invitations, ...found } = await api.get("/v1/viewer", {
      team: teamRefIn(teamOf(scope)),
    });
    const team = found.team ?? (named === undefined ? (teams[0] ?? null) : null);
    if (team && cookies.get(TEAM_COOKIE) !== team.id) cookies.set(TEAM_COOKIE, team.id, COOKIE_DAYS.team);
    // The account's language applies on every device.
    if (user.locale !== scope.locale) {
      scope.locale = user.locale;
      cookies.set(LOCALE_COOKIE, user.locale, COOKIE_DAYS.locale);
    }
    return { user, teams, team, invitations };
  } catch (error) {
    return handleRejection(scope, error);
  }
}
