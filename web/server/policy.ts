// Owns who may open which page. One judge for the pages themselves and for all that leads to them: sidebar, palette, buttons.
// Does not protect data: that is the API's and, below it, row-level security's.
import type { PageConfig, PageTable } from "../renderer/page-definition.ts";
import type { Team } from "./api-types.ts";
import { loginBefore } from "./safe-next.ts";
import type { Viewer } from "./viewer.ts";

export type Decision = "open" | "notFound" | "forbidden" | { redirect: string };

/**
 * What becomes of somebody at a page.
 * @param address path and query, to come back to after a login
 */
export function decide(
  { access, permission }: Pick<PageConfig, "access" | "permission">,
  { user, teams, team }: Pick<Viewer, "user" | "teams" | "team">,
  address: string,
): Decision {
  if (access === "public") return "open";
  if (access === "loggedOutOnly") {
    if (!user) return "open";
    return { redirect: teams.length > 0 ? "/teams" : "/teams/create" };
  }
  // To everyone but platform admins the area is not there, logged in or not.
  if (access === "admin") return user?.isAdmin ? "open" : "notFound";
  if (!user) return { redirect: loginBefore(address) };
  const mayIn = ({ permissions }: Pick<Team, "permissions">) =>
    permission === undefined || permissions.includes(permission);
  if (access === "user") return !team || mayIn(team) ? "open" : "forbidden";
  if (teams.length === 0) return { redirect: "/teams/create" };
  // A team that is not the caller's does not exist for them.
  if (!team) return "notFound";
  return mayIn(team) ? "open" : "forbidden";
}

/** Where somebody who chooses a team arrives: its agents, or its chats where their role may not read those. */
export function homeOf({ codename, permissions }: Pick<Team, "codename" | "permissions">): string {
  return `/teams/${codename}/${permissions.includes("agents.read") ? "agents" : "chats"}`;
}

/** Whether a link to an address of ours leads somewhere for this viewer; their team is taken for the one that it names. */
export function opens(
  table: PageTable,
  viewer: Pick<Viewer, "user" | "teams" | "team">,
  href: string,
): boolean {
  const { pathname } = new URL(href, "http://site.invalid");
  const match = table.match(pathname);
  return match !== null && decide(match.page, viewer, pathname) === "open";
}
