// Owns what a request of a page comes to: match, the viewer and the page's data side by side, policy, action. Says it as a value, status
// included; does not render it and knows nothing of HTTP's answers.
import type { FormState } from "../renderer/action.ts";
import { NotFound, Redirection, WithStatus } from "../renderer/outcome.ts";
import type { PageDefinition, PageMatch, PageTable } from "../renderer/page-definition.ts";
import type { Toast } from "../renderer/rendered.ts";
import { ApiFailure } from "./api-failure.ts";
import { i18nFor } from "./i18n.ts";
import { log } from "./log.ts";
import { type Decision, decide } from "./policy.ts";
import type { RequestScope } from "./request-scope.ts";
import { runAction } from "./run-action.ts";
import { loginBefore } from "./safe-next.ts";
import { hasSession } from "./session.ts";
import { belowTeam } from "./team-prefixes.ts";
import type { Viewer } from "./viewer.ts";

/** On the error page: the status, and the API's refusal where there was one. */
export interface Problem {
  status: number;
  failure: ApiFailure | undefined;
}

export interface ShownPage {
  kind: "page";
  page: PageDefinition;
  routeParams: Record<string, string>;
  status: number;
  data: unknown;
  /** Set by the page's action when its form has to be shown again. */
  form?: FormState;
  problem: Problem | null;
}

export type PageAnswer = ShownPage | { kind: "redirect"; location: string; toast?: Toast };

/** What +data came to; a failure waits for the policy, which may have another answer. */
type Settled = { value: unknown } | { error: unknown };

/** Answers a page's request. Every failure becomes an answer. */
export async function answerPage(table: PageTable, scope: RequestScope): Promise<PageAnswer> {
  const below = belowTeam(scope.url.pathname);
  if (below !== null) return await leadToTeam(table, scope, below);
  const match = table.match(scope.url.pathname);
  if (!match) {
    await scope.viewer;
    return problemPage(table, { status: 404, failure: undefined });
  }
  try {
    return await answerMatch(table, scope, match);
  } catch (error) {
    return failed(table, scope, error);
  }
}

/** A short address: to the login, to the creation of a team, or to the current team's page. */
async function leadToTeam(table: PageTable, scope: RequestScope, below: string): Promise<PageAnswer> {
  const viewer = await scope.viewer;
  if (viewer.problem) return failed(table, scope, viewer.problem);
  const { pathname, search } = scope.url;
  const refusal = refusedBy(table, decide({ access: "team" }, viewer, pathname + search));
  return refusal ?? { kind: "redirect", location: `/teams/${viewer.team?.codename}/${below}${search}` };
}

async function answerMatch(table: PageTable, scope: RequestScope, match: PageMatch): Promise<PageAnswer> {
  const { page, routeParams } = match;
  const address = scope.url.pathname + scope.url.search;
  const early = mayReadEarly(page, scope) ? settle(scope, match) : undefined;
  const viewer = await scope.viewer;
  if (viewer.problem && page.access !== "public") throw viewer.problem;
  const refusal = refusedBy(table, decide(page, viewer, address));
  if (refusal) return refusal;

  let form: FormState | undefined;
  let status = 200;
  if (scope.method === "POST") {
    const posted = scope.form ?? new FormData();
    const { t } = i18nFor(scope.locale);
    const result = await runAction(page.action, { request: scope, form: posted, routeParams, t });
    if ("redirect" in result) return { kind: "redirect", location: result.redirect, toast: result.toast };
    ({ form, status } = result);
  }

  const first = await (early ?? settle(scope, match));
  const settled =
    "error" in first && early && hasLostSession(scope, viewer) ? await settle(scope, match) : first;
  if ("error" in settled) return failed(table, scope, settled.error);
  const { value } = settled;
  if (value instanceof Redirection) return { kind: "redirect", location: value.location };
  if (value instanceof NotFound) return problemPage(table, { status: 404, failure: undefined });
  const [data, ownStatus] = value instanceof WithStatus ? [value.data, value.status] : [value, status];
  return { kind: "page", page, routeParams, status: form ? status : ownStatus, data, form, problem: null };
}

/** Whether a page's data can be read while nobody knows yet who asks: each call is judged by the API all the same. */
function mayReadEarly(
  { access, dataWaits, data }: PageDefinition,
  { method, cookies }: RequestScope,
): boolean {
  if (!data || dataWaits || method === "POST" || access === "loggedOutOnly") return false;
  return access === "public" || hasSession(cookies);
}

/** The API knew the session no longer while the data was being read: on a public page it is read as nobody then. */
const hasLostSession = ({ cookies, sentSession }: RequestScope, { user }: Viewer): boolean =>
  sentSession && user === null && !hasSession(cookies);

async function settle(request: RequestScope, { page, routeParams }: PageMatch): Promise<Settled> {
  try {
    return { value: await page.data?.({ request, routeParams }) };
  } catch (error) {
    return { error };
  }
}

function refusedBy(table: PageTable, decision: Decision): PageAnswer | null {
  if (decision === "open") return null;
  if (decision === "notFound") return problemPage(table, { status: 404, failure: undefined });
  if (decision === "forbidden") {
    const failure = new ApiFailure("", 403, "Forbidden", { code: "FORBIDDEN" });
    return problemPage(table, { status: 403, failure });
  }
  return { kind: "redirect", location: decision.redirect };
}

/** A session that has ended leads to the login and back; everything else is shown, and logged where it is a defect. */
export function failed(table: PageTable, scope: RequestScope, error: unknown): PageAnswer {
  if (!(error instanceof ApiFailure)) {
    const { stack, message } = error instanceof Error ? error : new Error(String(error));
    log("error", "a page failed", { requestId: scope.id, path: scope.url.pathname, error: stack ?? message });
    return problemPage(table, { status: 500, failure: undefined });
  }
  if (error.code === "NOT_AUTHENTICATED") {
    return { kind: "redirect", location: loginBefore(scope.url.pathname + scope.url.search) };
  }
  return problemPage(table, { status: error.status, failure: error });
}

function problemPage({ errorPage }: PageTable, problem: Problem): ShownPage {
  const { status } = problem;
  return { kind: "page", page: errorPage, routeParams: {}, status, data: undefined, problem };
}
