// Owns who may open which page. The pages and everything that links to them (sidebar, palette, buttons) ask here. Does
// not protect data: the API does, and row-level security below it.
import type { PageConfig, PageTable } from "../render/page-definition.ts";
import type { Team } from "./api-types.ts";
import type { Viewer } from "./viewer.ts";

export type Decision = "open" | "notFound" | "forbidden" | "login" | { redirect: string };

/** Decides whether a viewer may open a page. */
export function decide(
  { access, permission }: Pick<PageConfig, "access" | "permission">,
  { user, teams, team }: Pick<Viewer, "user" | "teams" | "team">,
): Decision {
  if (access === "public") return "open";
  if (access === "loggedOutOnly") {
    if (!user) return "open";
    return { redirect: teams.length > 0 ? "/teams" : "/teams/create" };
  }
  if (!user) return "login";
  // To anyone logged in who is not a platform admin the admin area does not exist. A stranger gets the answer of every
  // protected page.
  if (access === "admin") return user.isAdmin ? "open" : "notFound";
  const mayIn = ({ permissions }: Pick<Team, "permissions">) =>
    permission === undefined || permissions.includes(permission);
  if (access === "user") return !team || mayIn(team) ? "open" : "forbidden";
  if (teams.length === 0) return { redirect: "/teams/create" };
  // A team that the viewer does not belong to does not exist for them.
  if (!team) return "notFound";
  return mayIn(team) ? "open" : "forbidden";
}

/** The landing page of a team: its agents, or its chats when the viewer's role may not read agents. */
export function homeOf({ codename, permissions }: Pick<Team, "codename" | "permissions">): string {
  return `/teams/${codename}/${permissions.includes("agents.read") ? "agents" : "chats"}`;
}

/** True when the viewer may open one of our addresses. Assumes that the address names the viewer's current team. */
export function canOpen(
  table: PageTable,
  viewer: Pick<Viewer, "user" | "teams" | "team">,
  href: string,
): boolean {
  const { pathname } = new URL(href, "http://site.invalid");
  const match = table.match(pathname);
  return match !== null && decide(match.page, viewer) === "open";
}
