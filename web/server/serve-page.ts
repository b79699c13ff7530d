// Answers a page, as a document or as the payload of a navigation. Everything about who asks is in the request scope.
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { renderPage } from "vike/server";
import type { Payload, RedirectPayload } from "../renderer/rendered.ts";
import { pageAddress } from "./page-address.ts";
import { beginScope, keepToast, type RequestScope } from "./request-scope.ts";
import { ruledLocation } from "./route-rules.ts";
import { commonHeaders, pageHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

async function postedForm(request: Request): Promise<FormData | null> {
  if (request.method !== "POST") return null;
  return await request.formData().catch(() => null);
}

/** Renders the page of the request. */
export async function servePage(c: Context<WebEnv>): Promise<Response> {
  const request = c.req.raw;
  const { url, wantsPayload } = pageAddress(new URL(request.url));
  const ruled = request.method === "POST" ? null : ruledLocation(url);
  if (ruled) return redirection(ruled, { wantsPayload, method: request.method }, new Headers(commonHeaders));
  const nonce = randomBytes(16).toString("base64url");
  const scope = beginScope({
    request,
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    nonce,
    url,
    wantsPayload,
    form: await postedForm(request),
  });
  const page = await renderPage({ urlOriginal: url.pathname + url.search, cspNonce: nonce, request: scope });
  c.set("route", page.pageId ?? "error");
  const { statusCode, headers: vikeHeaders } = page.httpResponse;
  const location = vikeHeaders.find(([name]) => name.toLowerCase() === "location")?.[1];

  const headers = new Headers(pageHeaders(nonce));
  headers.set("x-request-id", scope.id);
  headers.set("x-build-id", __BUILD_ID__);
  // A page of someone logged in must not come back from a cache after the logout.
  headers.set("cache-control", scope.user ? "private, no-store" : "private, no-cache");
  headers.set("vary", "Cookie, Accept-Language");
  // Nobody saw it yet where this answer only leads on.
  if (location !== undefined && scope.toast) keepToast(scope.cookies, scope.toast);
  for (const line of scope.cookies.headers()) headers.append("set-cookie", line);

  if (location !== undefined) return redirection(location, scope, headers);
  const status = scope.status ?? page.rendered?.status ?? statusCode;
  if (!wantsPayload || !page.rendered) {
    headers.set("content-type", "text/html; charset=utf-8");
    return new Response(request.method === "HEAD" ? null : await page.httpResponse.getBody(), {
      status,
      headers,
    });
  }
  const { body: _layout, ...rendered } = { body: "", ...page.rendered };
  const payload: Payload = { ...rendered, buildId: __BUILD_ID__, status, toast: scope.toast };
  headers.set("content-type", "application/json; charset=utf-8");
  // The page's own status is in the payload: the fetch of it went well, and the console need not say otherwise.
  return new Response(JSON.stringify(payload), { headers });
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
