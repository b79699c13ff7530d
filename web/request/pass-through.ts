// /v1 on our own origin: the same API for the browser's cookie session. Adds the bearer token, streams in both
// directions, and changes nothing else. The API makes every check on what the caller may do.
import type { Context, ErrorHandler } from "hono";
import { traceOf } from "../../edge-functions/_shared/operation/log.ts";
import { wordsOf } from "../../edge-functions/_shared/requests/errors.ts";
import { defaultLanguage } from "../../locales/registry.ts";
import { createApi, UNCOMPRESSED } from "./api.ts";
import { COOKIE_DAYS, type CookieJar, cookieJar, sendCookies, VISITOR_COOKIE } from "./cookies.ts";
import { env } from "./env.ts";
import { log } from "./log.ts";
import { keepsSecureCookies } from "./secure-cookies.ts";
import { commonHeaders } from "./security-headers.ts";
import { personOf } from "./session.ts";
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
/** The methods that fetch can forward. It refuses TRACE. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
// Hop-by-hop headers, those that are wrong once fetch has decoded the body, and CORS, which applies to the API's own address.
const DROPPED =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie|access-control-)/;

/** An error in the API's format, for refusals by the web server itself. */
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

/** For an error that no handler expected. A browser that has left amid a form is no failure of ours. */
export const answerUnexpected: ErrorHandler<WebEnv> = (error, c) => {
  if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
  log("error", "unhandled error", { path: c.req.path, error: traceOf(error) });
  return errorAnswer(500, "UNEXPECTED_ERROR", wordsOf("UNEXPECTED_ERROR"), c.get("requestId"));
};

/** Time until the API starts to answer. A reply requested as JSON starts only when the model has finished. */
const ANSWER_MS = 11 * 60_000;
/** Time between two chunks of a response. An event stream sends something every fifteen seconds. */
const SILENCE_MS = 120_000;

/** Streams the body. A client that disconnects ends it, which is not logged as an error. */
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

/** Moves the visitor token from the response into a cookie, so the browser's scripts never hold it. */
async function keepVisitorToken(answer: Response, cookies: CookieJar): Promise<string> {
  const { visitorToken, ...chat } = (await answer.json()) as { visitorToken?: string };
  if (visitorToken) cookies.set(VISITOR_COOKIE, visitorToken, COOKIE_DAYS.visitor);
  return JSON.stringify(chat);
}

/** The id of the user whose page makes the call. */
export const PERSON_HEADER = "x-person";

/** Forwards a /v1 request to the function, with the browser's session. */
export const passThrough = (c: Context<WebEnv>): Promise<Response> => forwardCall(c, true);

/** The error of a request that a page of another site sends. */
export const foreignAnswer = (requestId: string): Response =>
  errorAnswer(403, "FORBIDDEN", "This request came from another site.", requestId);

/**
 * The same for the widget: neither reads nor sets cookies. Only visitors are served, by the token in their header.
 * @param site the site of the page around the frame, which the agent has to allow; undefined for our own or an unknown one
 */
export const passVisitorThrough = (c: Context<WebEnv>, site: string | undefined): Promise<Response> =>
  forwardCall(c, false, site);

async function forwardCall(c: Context<WebEnv>, withCookies: boolean, site?: string): Promise<Response> {
  const { raw: request } = c.req;
  const url = new URL(request.url);
  const requestId = c.get("requestId");
  if (!METHODS.includes(request.method)) {
    return errorAnswer(405, "METHOD_NOT_ALLOWED", wordsOf("METHOD_NOT_ALLOWED"), requestId, {
      allow: METHODS.join(", "),
    });
  }
  const cookies = cookieJar(
    withCookies ? request.headers.get("cookie") : null,
    keepsSecureCookies(request.headers.get("user-agent")),
  );

  const headers = new Headers({ ...UNCOMPRESSED, "x-request-id": requestId });
  for (const name of REQUEST_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (!withCookies) headers.delete("authorization");
  if (site !== undefined) headers.set("origin", site);
  const clientAddress = c.get("clientAddress");
  if (clientAddress) headers.set("x-forwarded-for", clientAddress);

  const { signal } = request;
  const forward = async () => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("the API did not answer in time")), ANSWER_MS);
    const answer = fetch(`${env.SUPABASE_INTERNAL_URL}/functions/v1${url.pathname}${url.search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
      signal: AbortSignal.any([signal, late.signal]),
      // fetch requires this flag to stream a request body that is still arriving.
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
    const person = ownSession ? request.headers.get(PERSON_HEADER) : null;
    // The session ended or changed hands since the page was opened: the call must not be made as somebody else.
    if (person !== null && (token === null || personOf(token) !== person)) {
      const refusal = errorAnswer(401, "NOT_AUTHENTICATED", wordsOf("NOT_AUTHENTICATED"), requestId);
      sendCookies(cookies, refusal.headers);
      return refusal;
    }
    const visitorToken = cookies.get(VISITOR_COOKIE) ?? "";
    const ownVisitor = ownSession && !token && visitorToken && !headers.has("x-visitor-token");
    if (token) headers.set("authorization", `Bearer ${token}`);
    else if (ownVisitor) headers.set("x-visitor-token", visitorToken);
    let answer = await forward();
    // A body cannot be sent twice, so such a request is not retried. Its token was checked for expiry above.
    if (answer.status === 401 && token && !request.body) {
      const renewed = await api.renewToken();
      if (renewed) {
        await answer.body?.cancel();
        headers.set("authorization", `Bearer ${renewed}`);
        answer = await forward();
      }
    }
    // As in api.ts: a visitor's token that is no longer valid.
    if (answer.status === 401 && ownVisitor && !request.body) {
      headers.delete("x-visitor-token");
      const open = await forward();
      if (open.status !== 401) {
        cookies.delete(VISITOR_COOKIE);
        answer = open;
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
    sendCookies(cookies, passed);
    return new Response(body, { status: answer.status, headers: passed });
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: 499 });
    log("error", "the API did not answer", { error: traceOf(error) });
    return errorAnswer(503, "UNAVAILABLE", wordsOf("UNAVAILABLE"), requestId);
  }
}
