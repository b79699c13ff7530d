// The team of a page with access "team", whose guard has made sure that there is one.
import type { Team } from "./api-types.ts";
import type { RequestScope } from "./request-scope.ts";

/** The request's team; throws where a page without that guard asks for it. */
export function currentTeam({ team }: RequestScope): Team {
  if (!team) throw new Error('currentTeam() needs a page with access "team"');
  return team;
}

/** Address of a page under the request's team: teamPath(request, "agents") is /teams/acme/agents. */
export function teamPath(request: RequestScope, path: string): string {
  return `/teams/${currentTeam(request).codename}/${path}`;
}

/** Whether the viewer's role in the request's team has a permission: what would be refused is not offered. */
export function may(request: RequestScope, permission: string): boolean {
  return currentTeam(request).permissions.includes(permission);
}
