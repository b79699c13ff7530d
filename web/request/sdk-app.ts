// The SDK's host: the widget's script, its frame, the API calls that the frame makes, and a demo page. It has no
// session and neither reads nor sets cookies, so a page that frames it cannot borrow a login.

import { randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { liveness } from "../../edge-functions/_shared/operation/readiness.ts";
import { EMBEDDER_HEADER, originOf } from "../client/embedder.ts";
import { documentHtml } from "../render/document.ts";
import { isLocale, localeFromHeader } from "../render/locale.ts";
import { renderPage } from "../render/render-page.tsx";
import { answerPage } from "./answer-page.ts";
import { clientAddress } from "./client-address.ts";
import { compressForBrowsers } from "./compress-for-browsers.ts";
import { LOCALE_COOKIE, THEME_COOKIE } from "./cookies.ts";
import { env } from "./env.ts";
import { observeRequests } from "./observe.ts";
import { isFromOwnOrigin } from "./origin.ts";
import { pages } from "./pages.ts";
import { answerUnexpected, errorAnswer, foreignAnswer, passVisitorThrough } from "./pass-through.ts";
import { beginScope } from "./request-scope.ts";
import { serveDemoPage } from "./sdk-demo.ts";
import { frameHeaders } from "./security-headers.ts";
import { staticFile, widgetScript } from "./static-files.ts";
import type { WebEnv } from "./web-env.ts";
import { serveWidgetLook } from "./widget-look.ts";

const own = new URL(env.SDK_URL);
/** The calls that a visitor's chat needs. None of them needs a login. */
const CALLS = [
  /^GET \/v1\/agents\/[^/]+(\/avatar)?$/,
  /^POST \/v1\/agents\/[^/]+\/chats$/,
  /^(GET|POST) \/v1\/chats\/[^/]+\/messages$/,
  /^POST \/v1\/chats\/[^/]+\/messages\/[^/]+\/(stop|feedback)$/,
  /^(GET|POST) \/v1\/chats\/[^/]+\/handover$/,
];

export const sdkApp = new Hono<WebEnv>();

sdkApp.use(observeRequests("widget"));
sdkApp.use(async (c, next) => {
  c.set("clientAddress", clientAddress(c));
  await next();
});

sdkApp.get("/health", (c) => c.json({ status: "ok" }));
sdkApp.get("/health/live", liveness);

sdkApp.use(compressForBrowsers);

sdkApp.all("/v1/*", async (c) => {
  const requestId = c.get("requestId");
  if (!isFromOwnOrigin(c.req.raw, own)) {
    return foreignAnswer(requestId);
  }
  if (!CALLS.some((call) => call.test(`${c.req.method} ${c.req.path}`))) {
    return errorAnswer(404, "NOT_FOUND", "The widget does not make this call.", requestId);
  }
  return await passVisitorThrough(c, siteAround(c.req.header(EMBEDDER_HEADER)));
});

/** The site of a page around the frame, but for our own, which may always embed. */
function siteAround(text: string | undefined): string | undefined {
  const site = originOf(text ?? "");
  return site === own.origin || site === new URL(env.WEB_URL).origin ? undefined : site;
}

sdkApp.get("/widget.js", (c) => widgetScript(c.req.raw));

sdkApp.get("/builds/latest.json", (c) => c.json({ id: __BUILD_ID__ }, 200, { "cache-control": "no-store" }));

// The frame does not navigate, so its routes have no redirects.
sdkApp.get("/builds/meta/*", (c) =>
  c.json({ id: __BUILD_ID__, routeRules: {} }, 200, { "cache-control": "public, max-age=300" }),
);

sdkApp.get("/widget/:id/look.js", serveWidgetLook);

sdkApp.get("/widget/:id", serveFrame);

sdkApp.get("/", serveDemoPage);

sdkApp.get("*", (c) => {
  const file = staticFile(c.req.path, c.req.raw);
  return file ?? errorAnswer(404, "NOT_FOUND", "Data not found", c.get("requestId"));
});

sdkApp.onError(answerUnexpected);

/** The chat as a document that only the agent's allowed sites may frame. The script passes its language and theme. */
async function serveFrame(c: Context<WebEnv>): Promise<Response> {
  const url = new URL(c.req.url);
  const asked = url.searchParams.get("lang") ?? "";
  const locale = isLocale(asked) ? asked : localeFromHeader(c.req.header("accept-language"));
  const theme = url.searchParams.get("theme") ?? "system";
  const nonce = randomBytes(16).toString("base64url");
  const scope = beginScope({
    request: new Request(url, {
      headers: { cookie: `${LOCALE_COOKIE}=${locale}; ${THEME_COOKIE}=${encodeURIComponent(theme)}` },
      signal: c.req.raw.signal,
    }),
    requestId: c.get("requestId"),
    clientAddress: c.get("clientAddress"),
    nonce,
    url,
    wantsPayload: false,
    form: null,
    pages: pages(),
  });
  const answer = await answerPage(pages(), scope);
  if (answer.kind === "redirect") throw new Error("The widget's frame leads nowhere");
  const { allowedOrigins } = (answer.data ?? {}) as { allowedOrigins?: string[] };
  const headers = new Headers(frameHeaders(nonce, allowedOrigins));
  headers.set("x-request-id", scope.id);
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("cache-control", "private, no-cache");
  return new Response(documentHtml(renderPage(answer, scope), scope), { status: answer.status, headers });
}
