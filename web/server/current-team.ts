// The team of a page with access "team", whose policy has made sure that there is one.
import type { Team } from "./api-types.ts";
import type { DataRequest } from "./request-scope.ts";
import { teamInPath } from "./viewer.ts";

interface OfTeam {
  team: Team | null;
}

/** The request's team; throws where a page without that policy asks for it. */
export function currentTeam({ team }: OfTeam): Team {
  if (!team) throw new Error('currentTeam() needs a page with access "team"');
  return team;
}

/** The team as the address names it, by id or slug, which the API takes as it is: nobody has to know the team before. */
export function teamRef({ url }: Pick<DataRequest, "url">): string {
  const named = teamInPath(url.pathname);
  if (named === undefined) throw new Error("teamRef() needs a page under /teams/{team}/");
  return named;
}

/** Address of a page under the request's team: teamPath(request, "agents") is /teams/acme/agents. */
export function teamPath(request: Pick<DataRequest, "url"> & Partial<OfTeam>, path: string): string {
  return `/teams/${request.team?.codename ?? encodeURIComponent(teamRef(request))}/${path}`;
}

/** Whether the viewer's role in the request's team has a permission: what would be refused is not offered. */
export function may(request: OfTeam, permission: string): boolean {
  return currentTeam(request).permissions.includes(permission);
}
