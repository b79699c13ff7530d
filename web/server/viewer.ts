// Owns who looks at a page: the session's user, their teams and the one in question, in one call to the API. Does not decide what they
// may open (policy.ts).
import { ApiFailure } from "./api-failure.ts";
import type { InvitedTeam, Team, User } from "./api-types.ts";
import { COOKIE_DAYS, LOCALE_COOKIE, TEAM_COOKIE } from "./cookies.ts";
import { decodePath } from "./decode-path.ts";
import { describeFailure } from "./describe-failure.ts";
import { i18nFor } from "./i18n.ts";
import type { RequestScope } from "./request-scope.ts";

export interface Viewer {
  /** Null for somebody who is not logged in. */
  user: User | null;
  /** Teams that the user has joined, the first hundred. */
  teams: Team[];
  /** The team that the address names, else the remembered one, else the first; null where that is none of theirs. */
  team: Team | null;
  invitations: InvitedTeam[];
  /** Why nobody knows who it is. Public pages are shown all the same. */
  problem?: Error;
}

export const nobody: Viewer = { user: null, teams: [], team: null, invitations: [] };

/** The team named in an address such as /teams/{codename or id}/agents; undefined where none is. */
export function teamInPath(pathname: string): string | undefined {
  const [, name] = /^\/teams\/([^/]+)\//.exec(`${pathname}/`) ?? [];
  return name && name !== "create" ? decodePath(name) : undefined;
}

/** What an address or a cookie says, where the API takes it for a team's id or codename. */
export const teamRefIn = (name: string | undefined): string | undefined =>
  name !== undefined && /^[A-Za-z0-9-]{1,64}$/.test(name) ? name : undefined;

/** A session that the API refuses ends here; a banned person is told why. Anything else is for the policy's pages to show. */
function refused(scope: RequestScope, error: unknown): Viewer {
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

/** Asks who it is. A session that the API no longer knows is cleared; the team that is found is remembered. */
export async function loadViewer(scope: RequestScope): Promise<Viewer> {
  const { api, cookies } = scope;
  const named = teamInPath(scope.url.pathname);
  const wanted = named ?? cookies.get(TEAM_COOKIE);
  try {
    if (!(await api.token())) return nobody;
    const { user, teams, invitations, ...found } = await api.get("/v1/viewer", {
      team: teamRefIn(wanted),
    });
    const team = found.team ?? (named === undefined ? (teams[0] ?? null) : null);
    if (team && cookies.get(TEAM_COOKIE) !== team.id) cookies.set(TEAM_COOKIE, team.id, COOKIE_DAYS.team);
    // A person's language is theirs on every device.
    if (user.locale !== scope.locale) {
      scope.locale = user.locale;
      cookies.set(LOCALE_COOKIE, user.locale, COOKIE_DAYS.locale);
    }
    return { user, teams, team, invitations };
  } catch (error) {
    return refused(scope, error);
  }
}
