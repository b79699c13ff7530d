// The team of a page with access "team". The page's policy guarantees that there is one.
import type { Team } from "./api-types.ts";
import type { DataRequest } from "./request-scope.ts";
import { teamInPath } from "./viewer.ts";

interface OfTeam {
  team: Team | null;
}

/** The request's team. Throws on a page without that policy. */
export function currentTeam({ team }: OfTeam): Team {
  if (!team) throw new Error('currentTeam() needs a page with access "team"');
  return team;
}

/** The team's id or slug, as in the address. The API accepts either, so the team need not be loaded first. */
export function teamRef({ url }: Pick<DataRequest, "url">): string {
  const named = teamInPath(url.pathname);
  if (named === undefined) throw new Error("teamRef() needs a page under /teams/{team}/");
  return named;
}

/** Address of a page under the request's team: teamPath(request, "agents") is /teams/acme/agents. */
export function teamPath(request: Pick<DataRequest, "url"> & Partial<OfTeam>, path: string): string {
  return `/teams/${request.team?.codename ?? encodeURIComponent(teamRef(request))}/${path}`;
}

/** True when the viewer's role in the request's team has the permission. Pages hide what the API would refuse. */
export function may(request: OfTeam, permission: string): boolean {
  return currentTeam(request).permissions.includes(permission);
}
