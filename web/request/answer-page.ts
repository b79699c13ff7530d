// Owns the answer to a page request: matches the page, loads the viewer and the data in parallel, then applies the
// policy and runs the action. Returns a value with a status. Does not render and does not touch HTTP responses.
import { traceOf } from "../../edge-functions/_shared/operation/log.ts";
import { type FormState, PERSON_FIELD } from "../render/action.ts";
import { NotFound, Redirection, WithStatus } from "../render/outcome.ts";
import type { PageDefinition, PageMatch, PageTable } from "../render/page-definition.ts";
import type { Toast } from "../render/rendered.ts";
import { ApiFailure } from "./api-failure.ts";
import { i18nFor } from "./i18n.ts";
import { log } from "./log.ts";
import { lastPageOf } from "./past-the-end.ts";
import { type Decision, decide } from "./policy.ts";
import type { RequestScope } from "./request-scope.ts";
import { runAction, typedValues } from "./run-action.ts";
import { createTeamAddress, loginAddress } from "./safe-next.ts";
import { hasSession } from "./session.ts";
import { belowTeam } from "./team-prefixes.ts";
import { teamInPath, type Viewer } from "./viewer.ts";

/** Shown on the error page: the status, and the API's failure when there is one. */
export interface Problem {
  status: number;
  failure: ApiFailure | undefined;
  /** True for a form that another account opened. */
  isOfAnother?: boolean;
}

export interface ShownPage {
  kind: "page";
  page: PageDefinition;
  routeParams: Record<string, string>;
  status: number;
  data: unknown;
  /** Set by the page's action when its form must be shown again. */
  form?: FormState;
  problem: Problem | null;
}

export type PageAnswer = ShownPage | { kind: "redirect"; location: string; toast?: Toast };

/** The result of +data. A failure waits for the policy, which may redirect or refuse instead. */
type Settled = { value: unknown } | { error: unknown };

/** Answers a page request. Every failure becomes an answer. */
export async function answerPage(table: PageTable, scope: RequestScope): Promise<PageAnswer> {
  const below = belowTeam(scope.url.pathname);
  if (below !== null) return await redirectToTeam(table, scope, below);
  const match = table.match(scope.url.pathname);
  if (!match) {
    await scope.viewer;
    return problemPage(table, scope, { status: 404, failure: undefined });
  }
  try {
    return await answerMatch(table, scope, match);
  } catch (error) {
    return answerFailure(table, scope, error);
  }
}

/** Answers a request that was refused before its page could read it. */
export async function answerRefused(
  table: PageTable,
  scope: RequestScope,
  failure: ApiFailure,
): Promise<PageAnswer> {
  await scope.viewer;
  return answerFailure(table, scope, failure);
}

/** Redirects a short address to the login, to the creation of a team, or to the current team's page. */
async function redirectToTeam(table: PageTable, scope: RequestScope, below: string): Promise<PageAnswer> {
  const viewer = await scope.viewer;
  if (viewer.problem) return answerFailure(table, scope, viewer.problem);
  const refusal = refusalOf(table, scope, decide({ access: "team" }, viewer));
  return (
    refusal ?? { kind: "redirect", location: `/teams/${viewer.team?.codename}/${below}${scope.url.search}` }
  );
}

async function answerMatch(table: PageTable, scope: RequestScope, match: PageMatch): Promise<PageAnswer> {
  const { page, routeParams } = match;
  const { locale } = scope;
  const early = mayReadEarly(page, scope) ? settle(scope, match) : undefined;
  const viewer = await scope.viewer;
  if (viewer.problem && page.access !== "public") throw viewer.problem;
  const refusal = refusalOf(table, scope, decide(page, viewer));
  if (refusal) return refusal;
  const moved = scope.method === "POST" ? null : presentAddress(scope.url, viewer);
  if (moved) return { kind: "redirect", location: moved };

  let form: FormState | undefined;
  let status = 200;
  if (scope.method === "POST") {
    const posted = scope.form ?? new FormData();
    if (isOfAnother(posted, viewer))
      return problemPage(table, scope, { status: 409, failure: undefined, isOfAnother: true });
    const { t } = i18nFor(scope.locale);
    const result = await runAction(page.action, { request: scope, form: posted, routeParams, t });
    if ("redirect" in result) return { kind: "redirect", location: result.redirect, toast: result.toast };
    ({ form, status } = result);
  }

  const first = await (early ?? settle(scope, match));
  // The account's language differs from the browser's on the first page after a login elsewhere.
  const isOutdated = scope.locale !== locale || ("error" in first && hasLostSession(scope, viewer));
  const settled = early && isOutdated ? await settle(scope, match) : first;
  if ("error" in settled) return answerFailure(table, scope, settled.error);
  const { value } = settled;
  if (value instanceof Redirection) return { kind: "redirect", location: value.location };
  if (value instanceof NotFound) return problemPage(table, scope, { status: 404, failure: undefined });
  const [data, ownStatus] = value instanceof WithStatus ? [value.data, value.status] : [value, status];
  const lastPage = scope.method === "POST" ? null : lastPageOf(scope.url, data);
  if (lastPage) return { kind: "redirect", location: lastPage };
  return { kind: "page", page, routeParams, status: form ? status : ownStatus, data, form, problem: null };
}

/** The page's address with the team's present slug, where it has a former one. */
function presentAddress({ pathname, search }: URL, { team }: Viewer): string | null {
  const named = teamInPath(pathname)?.toLowerCase();
  if (!team || named === undefined || named === team.codename || named === team.id) return null;
  return pathname.replace(/^\/teams\/[^/]+/, `/teams/${team.codename}`) + search;
}

/** True when the page's data can load before the viewer is known. The API still authorizes each call. */
function mayReadEarly(
  { access, dataWaits, data }: PageDefinition,
  { method, cookies }: RequestScope,
): boolean {
  if (!data || dataWaits || method === "POST" || access === "loggedOutOnly") return false;
  return access === "public" || hasSession(cookies);
}

/** True for a form of a page that another person opened: its text belongs to their account, which may be all it is about. */
function isOfAnother(posted: FormData, { user }: Viewer): boolean {
  const person = posted.get(PERSON_FIELD);
  return person !== null && user !== null && person !== user.id;
}

/** True when the API rejected the session while the data was loading. A public page then loads again without a session. */
const hasLostSession = ({ cookies, sentSession }: RequestScope, { user }: Viewer): boolean =>
  sentSession && user === null && !hasSession(cookies);

async function settle(request: RequestScope, { page, routeParams }: PageMatch): Promise<Settled> {
  try {
    return { value: await page.data?.({ request, routeParams }) };
  } catch (error) {
    return { error };
  }
}

function refusalOf(table: PageTable, scope: RequestScope, decision: Decision): PageAnswer | null {
  if (decision === "open") return null;
  if (decision === "login") return redirectToLogin(scope);
  if (decision === "notFound") return problemPage(table, scope, { status: 404, failure: undefined });
  if (decision === "forbidden") {
    const failure = new ApiFailure("", 403, "Forbidden", { code: "FORBIDDEN" });
    return problemPage(table, scope, { status: 403, failure });
  }
  const { pathname, search, searchParams } = scope.url;
  // The link of an invitation, opened by somebody who is logged in: the list of teams says whom it is for.
  const invited = pathname === "/register" && searchParams.get("email");
  if (invited) return { kind: "redirect", location: `/teams?email=${encodeURIComponent(invited)}` };
  if (teamInPath(pathname) === undefined) return { kind: "redirect", location: decision.redirect };
  // Somebody who was removed from their last team still gets back what they typed.
  if (scope.method === "POST") return problemPage(table, scope, { status: 404, failure: undefined });
  return { kind: "redirect", location: createTeamAddress(pathname + search) };
}

/** Redirects an expired session to the login and back. Shows any other failure, and logs it when it is a defect. */
export function answerFailure(table: PageTable, scope: RequestScope, error: unknown): PageAnswer {
  if (!(error instanceof ApiFailure)) {
    log("error", "a page failed", { path: scope.url.pathname, error: traceOf(error) });
    return problemPage(table, scope, { status: 500, failure: undefined });
  }
  if (error.code === "NOT_AUTHENTICATED") {
    return redirectToLogin(scope);
  }
  return problemPage(table, scope, { status: error.status, failure: error });
}

/** Redirects to the login, which says that the session ended, and back. */
function redirectToLogin({ url, method, sentSession }: RequestScope): PageAnswer {
  const ended = method === "POST" ? "unsaved" : sentSession ? "reading" : undefined;
  return { kind: "redirect", location: loginAddress(url.pathname + url.search, ended) };
}

/**
 * The error page. Where the address is of the reader's team, the sidebar stays and leads on. After a POST it also shows
 * what was typed, since its form is not shown.
 */
function problemPage(table: PageTable, scope: RequestScope, problem: Problem): ShownPage {
  const { form: posted, team, url } = scope;
  const { status } = problem;
  const { errorPage } = table;
  const access = table.match(url.pathname)?.page.access ?? "public";
  const isInTeam = access !== "public" || teamInPath(url.pathname) !== undefined;
  const page: PageDefinition = team && isInTeam ? { ...errorPage, layout: "default" } : errorPage;
  const form = posted ? { values: typedValues(posted), errors: {}, name: "" } : undefined;
  return { kind: "page", page, routeParams: {}, status, data: undefined, form, problem };
}
