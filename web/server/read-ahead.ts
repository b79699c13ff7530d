// Begins to read what a page needs while the viewer is still being loaded, so that a page of somebody logged in costs one round
// of calls and not two. Runs the page's +data with a guess of the team; what it asks the API for is kept and handed to the real
// run, call by call. A wrong guess costs calls and changes nothing: the API judges each by the session, and the guards decide
// before anything that was read is shown.
import type { PageContextServer } from "vike/types";
import type { Api } from "./api.ts";
import { TEAM_COOKIE } from "./cookies.ts";
import type { RequestScope } from "./request-scope.ts";
import { seenTeam } from "./seen-teams.ts";
import { teamInPath } from "./viewer.ts";

/** Only reads may be done ahead. */
const sendNothing: Api["send"] = () => Promise.reject(new Error("A page's +data sends nothing ahead."));

/** Starts the page's calls; returns at once. */
export function readAhead(pageContext: PageContextServer): void {
  const { request, config } = pageContext;
  const access = config.access ?? "team";
  const { data } = config;
  if (request.method !== "GET" || typeof data !== "function") return;
  if (access !== "team" && access !== "user") return;
  const team = seenTeam(teamInPath(request.url.pathname) ?? request.cookies.get(TEAM_COOKIE) ?? "");
  if (!team) return;
  const scope: RequestScope = {
    ...request,
    team,
    api: { ...request.api, get: request.api.getAhead, send: sendNothing },
  };
  // What comes of it is the real run's to say.
  void (async () => data(Object.assign(Object.create(pageContext), { request: scope })))().catch(
    () => undefined,
  );
}
