// What a request that shows no page asks and answers beside the page it comes from: the palette, the places, a file.

import type { Context } from "hono";
import { sendCookies } from "./cookies.ts";
import { pages } from "./pages.ts";
import { beginScope, type RequestScope } from "./request-scope.ts";
import { commonHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

/** Opens the scope of a request that comes from the page at the path, and waits for the viewer. */
export async function openScope(c: Context<WebEnv>, path: string): Promise<RequestScope> {
  const scope = beginScope({
    request: c.req.raw,
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    nonce: "",
    url: new URL(path, c.req.url),
    wantsPayload: false,
    form: null,
    pages: pages(),
  });
  await scope.viewer;
  return scope;
}

/** The viewer's own answer in JSON: kept by no cache, with the cookies that the scope has set. */
export function jsonAnswer({ cookies }: RequestScope, body: object, status = 200): Response {
  const headers = new Headers({ ...commonHeaders, "cache-control": "private, no-store" });
  sendCookies(cookies, headers);
  return Response.json(body, { status, headers });
}
