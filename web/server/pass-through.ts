// /v1 on our own origin: the same API for the browser's cookie session. Adds the bearer token, streams both ways, and
// changes nothing else. Every check on what the caller may do stays with the API.
import type { Context } from "hono";
import { defaultLanguage } from "../../locales/registry.ts";
import { createApi, UNCOMPRESSED } from "./api.ts";
import { COOKIE_DAYS, type CookieJar, cookieJar, VISITOR_COOKIE } from "./cookies.ts";
import { env } from "./env.ts";
import { commonHeaders } from "./security-headers.ts";
import type { WebEnv } from "./web-env.ts";

const REQUEST_HEADERS = [
  "accept",
  "accept-language",
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "range",
  "user-agent",
  "x-visitor-token",
];
/** What fetch can send on; TRACE is none of them. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
// Hop-by-hop, or no longer true once fetch has decoded the body; CORS is for the API's own address.
const DROPPED =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie|access-control-)/;

/** An error in the contract's form, for refusals that the web server makes itself. */
export function errorAnswer(
  status: number,
  code: string,
  message: string,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { code, message, requestId },
    {
      status,
      headers: { ...commonHeaders, "cache-control": "no-store", "x-request-id": requestId, ...headers },
    },
  );
}

/** Until the API begins to answer: a reply that is asked for as JSON begins when the model has ended. */
const ANSWER_MS = 11 * 60_000;
/** Between two pieces of an answer; a stream of events says something every fifteen seconds. */
const SILENCE_MS = 120_000;

/** The body as it comes. When the reader hangs up it ends; that is no error worth a line in the log. */
function untilHungUp(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const silence = setTimeout(() => void reader.cancel(new Error("the API fell silent")), SILENCE_MS);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (signal.aborted) controller.close();
        else controller.error(error);
      } finally {
        clearTimeout(silence);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const startsChat = ({ method }: Request, { pathname }: URL, { status }: Response): boolean =>
  method === "POST" && status === 201 && /^\/v1\/agents\/[^/]+\/chats$/.test(pathname);

/** Moves a visitor's token from the answer into a cookie: the browser's scripts hold no token. */
async function keepVisitorToken(answer: Response, cookies: CookieJar): Promise<string> {
  const { visitorToken, ...chat } = (await answer.json()) as { visitorToken?: string };
  if (visitorToken) cookies.set(VISITOR_COOKIE, visitorToken, COOKIE_DAYS.visitor);
  return JSON.stringify(chat);
}

/** Forwards a request under /v1 to the function, with the browser's session. */
export const passThrough = (c: Context<WebEnv>): Promise<Response> => forwardCall(c, true);

/** The same for the widget: cookies are neither read nor set, and visitors alone come through, by their token's header. */
export const passVisitorThrough = (c: Context<WebEnv>): Promise<Response> => forwardCall(c, false);

async function forwardCall(c: Context<WebEnv>, withCookies: boolean): Promise<Response> {
  const { raw: request } = c.req;
  const url = new URL(request.url);
  const requestId = c.get("requestId");
  if (!METHODS.includes(request.method)) {
    return errorAnswer(405, "METHOD_NOT_ALLOWED", "The API does not take this method.", requestId, {
      allow: METHODS.join(", "),
    });
  }
  const cookies = cookieJar(withCookies ? request.headers.get("cookie") : null);

  const headers = new Headers({ ...UNCOMPRESSED, "x-request-id": requestId });
  for (const name of REQUEST_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (!withCookies) headers.delete("authorization");
  const clientAddress = c.get("clientAddress");
  if (clientAddress) headers.set("x-forwarded-for", clientAddress);

  const { signal } = request;
  const forward = async () => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("the API did not answer in time")), ANSWER_MS);
    const answer = fetch(`${env.SUPABASE_URL}/functions/v1${url.pathname}${url.search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
      signal: AbortSignal.any([signal, late.signal]),
      // A body that is still arriving is passed on as it comes; fetch asks for this flag then.
      ...(request.body ? { duplex: "half" } : {}),
    });
    return await answer.finally(() => clearTimeout(timer));
  };

  try {
    const api = createApi({
      cookies,
      requestId,
      clientAddress,
      locale: defaultLanguage,
      userAgent: request.headers.get("user-agent") ?? "",
      signal,
    });
    const ownSession = !headers.has("authorization");
    const token = ownSession ? await api.token() : null;
    const visitorToken = cookies.get(VISITOR_COOKIE);
    if (token) headers.set("authorization", `Bearer ${token}`);
    else if (ownSession && visitorToken && !headers.has("x-visitor-token")) {
      headers.set("x-visitor-token", visitorToken);
    }
    let answer = await forward();
    // A body can be sent only once; its token was checked for expiry above all the same.
    if (answer.status === 401 && token && !request.body) {
      const renewed = await api.renewToken();
      if (renewed) {
        await answer.body?.cancel();
        headers.set("authorization", `Bearer ${renewed}`);
        answer = await forward();
      }
    }
    const passed = new Headers(commonHeaders);
    for (const [name, value] of answer.headers) if (!DROPPED.test(name)) passed.set(name, value);
    if (!passed.has("x-request-id")) passed.set("x-request-id", requestId);
    if (!passed.has("cache-control")) passed.set("cache-control", "private, no-store");
    const body =
      withCookies && startsChat(request, url, answer)
        ? await keepVisitorToken(answer, cookies)
        : answer.body && untilHungUp(answer.body, signal);
    for (const line of cookies.headers()) passed.append("set-cookie", line);
    return new Response(body, { status: answer.status, headers: passed });
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: 499 });
    console.error(error);
    return errorAnswer(503, "UNAVAILABLE", "The service cannot be reached.", requestId);
  }
}
