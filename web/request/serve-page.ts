// Owns the HTTP side of a page: takes the request's form and nonce, returns a document, a payload or a redirect with
// their headers. answer-page.ts decides the answer.
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { documentHtml } from "../render/document.ts";
import { renderPage } from "../render/render-page.tsx";
import type { Payload, RedirectPayload } from "../render/rendered.ts";
import { answerFailure, answerPage, answerRefused, type Problem, type ShownPage } from "./answer-page.ts";
import type { ApiFailure } from "./api-failure.ts";
import { sendCookies } from "./cookies.ts";
import { i18nFor } from "./i18n.ts";
import { pageAddress } from "./page-address.ts";
import { tidyPath } from "./page-table.ts";
import { pages } from "./pages.ts";
import { problemWords } from "./problem-words.ts";
import { beginScope, keepToast, type RequestScope } from "./request-scope.ts";
import { redirectLocation } from "./route-rules.ts";
import { commonHeaders, pageHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

async function postedForm(request: Request): Promise<FormData | null> {
  if (request.method !== "POST") return null;
  return await request.formData().catch(() => null);
}

/** The canonical address when the request's differs: the target of a redirect rule, or the path without extra slashes. */
function otherAddress(url: URL, method: string): string | null {
  if (method === "POST") return null;
  const ruled = redirectLocation(url);
  if (ruled) return ruled;
  const path = tidyPath(url.pathname);
  return path === url.pathname ? null : path + url.search;
}

/** Answers a page request. @param refused why its form is not read at all */
export async function servePage(c: Context<WebEnv>, refused?: ApiFailure): Promise<Response> {
  const request = c.req.raw;
  const { url, wantsPayload } = pageAddress(new URL(request.url));
  const other = otherAddress(url, request.method);
  if (other) return redirection(other, { wantsPayload, method: request.method }, new Headers(commonHeaders));
  const nonce = randomBytes(16).toString("base64url");
  const table = pages();
  const scope = beginScope({
    request,
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    nonce,
    url,
    wantsPayload,
    form: refused ? null : await postedForm(request),
    pages: table,
  });
  c.set("route", table.match(url.pathname)?.page.route ?? "error");
  const answer = refused ? await answerRefused(table, scope, refused) : await answerPage(table, scope);

  const headers = new Headers(pageHeaders(nonce));
  headers.set("x-request-id", scope.id);
  headers.set("x-build-id", __BUILD_ID__);
  // A logged-in user's page must not come back from a cache after the logout.
  headers.set("cache-control", scope.user ? "private, no-store" : "private, no-cache");
  headers.set("vary", "Cookie, Accept-Language");
  const isRedirect = answer.kind === "redirect";
  // A redirect shows no page, so the toast waits for the next one.
  const toast = isRedirect ? (answer.toast ?? scope.toast) : null;
  if (toast) keepToast(scope.cookies, toast);
  const shown = isRedirect ? null : renderAnswer(answer, scope);
  sendCookies(scope.cookies, headers);
  if (isRedirect) return redirection(answer.location, scope, headers);

  const { status, body } = shown ?? { status: 500, body: "" };
  // A page without a form of its own.
  if (status === 405) headers.set("allow", "GET, HEAD");
  headers.set("content-type", wantsPayload ? "application/json; charset=utf-8" : "text/html; charset=utf-8");
  // The page's status is in the payload. The fetch itself succeeded, and a 4xx would only log an error in the console.
  return new Response(request.method === "HEAD" ? null : body, {
    status: wantsPayload ? 200 : status,
    headers,
  });
}

/** The rendered answer. Falls back to the error page when the page fails to render. */
function renderAnswer(answer: ShownPage, scope: RequestScope): { status: number; body: string } {
  try {
    return writePage(answer, scope);
  } catch (error) {
    const instead = answerFailure(pages(), scope, error);
    if (instead.kind === "redirect" || answer.problem) throw error;
    return writePage(instead, scope);
  }
}

function writePage(answer: ShownPage, scope: RequestScope): { status: number; body: string } {
  const { status } = answer;
  const page = renderPage(answer, scope);
  const { body: _layout, unshown, ...rendered } = page;
  if (unshown) scope.toast = { ...unshown, variant: "destructive" };
  if (!scope.wantsPayload) return { status, body: documentHtml(page, scope) };
  const problem = scope.method === "POST" && answer.problem ? sayUnsaved(answer.problem, scope) : undefined;
  const payload: Payload = { ...rendered, buildId: __BUILD_ID__, status, toast: scope.toast, problem };
  return { status, body: JSON.stringify(payload) };
}

/** For a form that stays on the screen with what was typed. */
function sayUnsaved(problem: Problem, scope: RequestScope): { title: string; description: string } {
  const { t } = i18nFor(scope.locale);
  const { title, description, more = "" } = problemWords(problem, t, scope);
  // The service may have saved and its answer been lost.
  const stays = t(problem.status === 503 ? "app:typed.unsure" : "app:typed.stays");
  return { title, description: [description, more, stays].filter(Boolean).join(" ") };
}

function redirection(
  location: string,
  { wantsPayload, method }: Pick<RequestScope, "wantsPayload" | "method">,
  headers: Headers,
): Response {
  if (wantsPayload) {
    const payload: RedirectPayload = { buildId: __BUILD_ID__, redirect: location };
    headers.set("content-type", "application/json; charset=utf-8");
    return new Response(JSON.stringify(payload), { status: 200, headers });
  }
  headers.set("location", location);
  // 303 makes the browser GET the target after a POST.
  return new Response(null, { status: method === "POST" ? 303 : 302, headers });
}
