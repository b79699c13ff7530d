// Owns the HTTP side of a page: the request's form and nonce in, a document, a payload or a redirect out, with their headers. What the
// request comes to is answer-page.ts's.
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { documentHtml } from "../renderer/document.ts";
import { renderPage } from "../renderer/render-page.tsx";
import type { Payload, RedirectPayload } from "../renderer/rendered.ts";
import { answerPage, failed, type ShownPage } from "./answer-page.ts";
import { pageAddress } from "./page-address.ts";
import { tidyPath } from "./page-table.ts";
import { pages } from "./pages.ts";
import { beginScope, keepToast, type RequestScope } from "./request-scope.ts";
import { ruledLocation } from "./route-rules.ts";
import { commonHeaders, pageHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

async function postedForm(request: Request): Promise<FormData | null> {
  if (request.method !== "POST") return null;
  return await request.formData().catch(() => null);
}

/** Where an address belongs that is written in another way than our links: a rule's target, or without its spare slashes. */
function otherAddress(url: URL, method: string): string | null {
  if (method === "POST") return null;
  const ruled = ruledLocation(url);
  if (ruled) return ruled;
  const path = tidyPath(url.pathname);
  return path === url.pathname ? null : path + url.search;
}

/** Answers the request of a page. */
export async function servePage(c: Context<WebEnv>): Promise<Response> {
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
    form: await postedForm(request),
    pages: table,
  });
  c.set("route", table.match(url.pathname)?.page.route ?? "error");
  const answer = await answerPage(table, scope);

  const headers = new Headers(pageHeaders(nonce));
  headers.set("x-request-id", scope.id);
  headers.set("x-build-id", __BUILD_ID__);
  // A page of someone logged in must not come back from a cache after the logout.
  headers.set("cache-control", scope.user ? "private, no-store" : "private, no-cache");
  headers.set("vary", "Cookie, Accept-Language");
  const isRedirect = answer.kind === "redirect";
  // Nobody saw it yet where this answer only leads on.
  const toast = isRedirect ? (answer.toast ?? scope.toast) : null;
  if (toast) keepToast(scope.cookies, toast);
  const shown = isRedirect ? null : renderAnswer(answer, scope);
  for (const line of scope.cookies.headers()) headers.append("set-cookie", line);
  if (isRedirect) return redirection(answer.location, scope, headers);

  const { status, body } = shown ?? { status: 500, body: "" };
  headers.set("content-type", wantsPayload ? "application/json; charset=utf-8" : "text/html; charset=utf-8");
  // A payload carries the page's own status: the fetch of it went well, and the console need not say otherwise.
  return new Response(request.method === "HEAD" ? null : body, {
    status: wantsPayload ? 200 : status,
    headers,
  });
}

/** The answer as it is sent. A page that cannot be rendered shows the error page instead. */
function renderAnswer(answer: ShownPage, scope: RequestScope): { status: number; body: string } {
  try {
    return writePage(answer, scope);
  } catch (error) {
    const instead = failed(pages(), scope, error);
    if (instead.kind === "redirect" || answer.problem) throw error;
    return writePage(instead, scope);
  }
}

function writePage(answer: ShownPage, scope: RequestScope): { status: number; body: string } {
  const { status } = answer;
  const page = renderPage(answer, scope);
  if (!scope.wantsPayload) return { status, body: documentHtml(page, scope) };
  const { body: _layout, ...rendered } = page;
  const payload: Payload = { ...rendered, buildId: __BUILD_ID__, status, toast: scope.toast };
  return { status, body: JSON.stringify(payload) };
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
  // After a POST the browser must GET what comes next.
  return new Response(null, { status: method === "POST" ? 303 : 302, headers });
}
