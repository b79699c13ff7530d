// The three guards of the product, and the action of a posted form. Runs on the server before any page's data.
import { redirect, render } from "vike/abort";
import type { GuardAsync } from "vike/types";
import { i18nFor } from "../server/i18n.ts";
import { readAhead } from "../server/read-ahead.ts";
import { keepToast } from "../server/request-scope.ts";
import { runAction } from "../server/run-action.ts";
import { loginBefore } from "../server/safe-next.ts";

export const guard: GuardAsync = async (pageContext) => {
  const { request, config } = pageContext;
  readAhead(pageContext);
  await request.viewer;
  const { user, teams, team, url } = request;
  const access = config.access ?? "team";
  if (request.problem && access !== "public") throw request.problem;

  // To everyone but platform admins the area is not there, logged in or not.
  if (access === "admin" && !user?.isAdmin) throw render(404);
  if (!user && (access === "user" || access === "team")) {
    throw redirect(loginBefore(url.pathname + url.search));
  }
  if (user && access === "loggedOutOnly") throw redirect(teams.length > 0 ? "/teams" : "/teams/create");
  if (user && access === "team" && teams.length === 0) throw redirect("/teams/create");
  // A team that is not the caller's does not exist for them.
  if (access === "team" && !team) throw render(404);

  if (request.method !== "POST") return;
  const result = await runAction(config.action, {
    request,
    form: request.form ?? new FormData(),
    routeParams: pageContext.routeParams,
    t: i18nFor(request.locale).t,
  });
  if ("redirect" in result) {
    if (result.toast) keepToast(request.cookies, result.toast);
    throw redirect(result.redirect);
  }
  request.status = result.status;
  pageContext.form = result.form;
};
