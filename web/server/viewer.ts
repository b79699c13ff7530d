// Who is logged in, their teams, and which team the page is about. One parallel round of calls per request.
import { ApiFailure } from "./api-failure.ts";
import type { Team } from "./api-types.ts";
import { COOKIE_DAYS, TEAM_COOKIE } from "./cookies.ts";
import { decodePath } from "./decode-path.ts";
import { describeFailure } from "./describe-failure.ts";
import { i18nFor } from "./i18n.ts";
import type { RequestScope } from "./request-scope.ts";
import { noteTeam } from "./seen-teams.ts";

/** The team named in an address such as /teams/{codename or id}/agents; undefined where none is. */
export function teamInPath(pathname: string): string | undefined {
  const [, name] = /^\/teams\/([^/]+)\//.exec(`${pathname}/`) ?? [];
  return name && name !== "create" ? decodePath(name) : undefined;
}

/** A session that the API refuses ends here; a banned person is told why. Anything else is for the guard to show. */
function refused(scope: RequestScope, error: unknown): void {
  if (!(error instanceof ApiFailure) || (error.status !== 401 && error.code !== "USER_BANNED")) {
    scope.problem = error instanceof Error ? error : new Error(String(error));
    return;
  }
  scope.api.setSession(null);
  if (error.code !== "USER_BANNED") return;
  const { t } = i18nFor(scope.locale);
  scope.toast = { ...describeFailure(error, t, scope.supportEmail), variant: "destructive" };
}

/** A team beyond the first hundred, by its id or codename; null when it is not the caller's. */
async function fetchTeam({ api }: RequestScope, name: string): Promise<Team | null> {
  try {
    return await api.get("/v1/teams/{id}", { id: name });
  } catch (error) {
    if (error instanceof ApiFailure && error.status < 500) return null;
    throw error;
  }
}

/**
 * Fills user, teams and team of a scope. A session that the API no longer knows is cleared.
 * The team: the one in the path, else the remembered one while it is in the list, else the first; then remembered.
 */
export async function loadViewer(scope: RequestScope): Promise<void> {
  const { api, cookies } = scope;
  const named = teamInPath(scope.url.pathname);
  const known = (name: string | undefined) =>
    scope.teams.find((team) => team.codename === name || team.id === name) ?? null;
  try {
    if (!(await api.token())) return;
    const [user, teams, invitations] = await Promise.all([
      api.get("/v1/auth/me"),
      api.get("/v1/teams", { perPage: 100 }),
      api.get("/v1/teams/pending-invites", { perPage: 100 }),
    ]);
    scope.teams = teams.data;
    scope.invitations = invitations.data;
    if (!named) scope.team = known(cookies.get(TEAM_COOKIE)) ?? scope.teams[0] ?? null;
    else
      scope.team = known(named) ?? (teams.total > teams.data.length ? await fetchTeam(scope, named) : null);
    scope.user = user;
    if (scope.team) noteTeam(scope.team);
  } catch (error) {
    return refused(scope, error);
  }
  if (scope.team && cookies.get(TEAM_COOKIE) !== scope.team.id) {
    cookies.set(TEAM_COOKIE, scope.team.id, COOKIE_DAYS.team);
  }
}
