// The one way from the web server to /v1 while a page or a form is handled: adds the session's token, refreshes it
// when it has run out, and turns every answer that is not 2xx into an ApiFailure.
import { addressOf, type Get, type Send } from "../browser/api-calls.ts";
import { ApiFailure } from "./api-failure.ts";
import { type CookieJar, VISITOR_COOKIE } from "./cookies.ts";
import { env } from "./env.ts";
import { expiryOf, readSession, refresh, type Tokens, writeSession } from "./session.ts";

export interface Api {
  /** Throws ApiFailure. */
  get: Get;
  /** Throws ApiFailure. */
  send: Send;
  /** The session's access token, refreshed where it is about to run out; null when logged out. */
  token(): Promise<string | null>;
  /** A new access token after the API refused the one before; null (and the session ended) when there is none. */
  renewToken(): Promise<string | null>;
  /** Starts (or, with null, ends) the session of this browser. */
  setSession(tokens: Tokens | null): void;
}

export interface ApiOrigin {
  cookies: CookieJar;
  requestId: string;
  /** Address of the person behind the request, for the API's rate limits. */
  clientAddress: string;
  locale: string;
  /** The browser, as it names itself: the list of somebody's sessions shows it. */
  userAgent: string;
  signal: AbortSignal;
}

/** What the web server asks for itself comes from nearby: packing and unpacking would cost more than they save. */
export const UNCOMPRESSED = { "accept-encoding": "identity" };

const TIMEOUT_MS = 30_000;
const EARLY_S = 15;

/** The API as the person behind one request. */
export function createApi(origin: ApiOrigin): Api {
  let tokens: Promise<Tokens | null> | undefined;

  function setSession(next: Tokens | null): void {
    tokens = Promise.resolve(next);
    writeSession(origin.cookies, next);
  }

  async function renew(old: Tokens): Promise<Tokens | null> {
    const next = await refresh(old.refreshToken, origin.userAgent);
    writeSession(origin.cookies, next);
    return next;
  }

  async function current(): Promise<Tokens | null> {
    const stored = await readSession(origin.cookies);
    if (!stored) return null;
    const expiry = expiryOf(stored.accessToken);
    return expiry && expiry - EARLY_S < Date.now() / 1000 ? renew(stored) : stored;
  }

  async function call(method: string, path: string, body: unknown, held: Tokens | null): Promise<Response> {
    const headers = new Headers({
      ...UNCOMPRESSED,
      "x-request-id": origin.requestId,
      "accept-language": origin.locale,
      "user-agent": origin.userAgent,
    });
    if (origin.clientAddress) headers.set("x-forwarded-for", origin.clientAddress);
    const visitorToken = origin.cookies.get(VISITOR_COOKIE);
    if (held) headers.set("authorization", `Bearer ${held.accessToken}`);
    else if (visitorToken) headers.set("x-visitor-token", visitorToken);
    if (body !== undefined) headers.set("content-type", "application/json");
    return await fetch(`${env.SUPABASE_URL}/functions/v1${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.any([origin.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  }

  function unreachable(path: string, cause: unknown): ApiFailure {
    const body = {
      code: "UNAVAILABLE",
      message: "The service cannot be reached.",
      requestId: origin.requestId,
    };
    const failure = new ApiFailure(path, 503, "Service Unavailable", body);
    failure.cause = cause;
    return failure;
  }

  async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    let answer: Response;
    try {
      tokens ??= current();
      const held = await tokens;
      answer = await call(method, path, body, held);
      if (answer.status === 401 && held && !path.startsWith("/v1/auth/login")) {
        tokens = renew(held);
        const renewed = await tokens;
        if (renewed) answer = await call(method, path, body, renewed);
      }
    } catch (cause) {
      throw unreachable(path, cause);
    }
    if (answer.status === 204) return undefined as Answer;
    const json: unknown = await answer.json().catch(() => null);
    if (!answer.ok) throw new ApiFailure(path, answer.status, answer.statusText, json);
    return json as Answer;
  }

  return {
    get: (path, ...[input]) => request("GET", addressOf(path, input)),
    send: (method, path, input, ...[body]) => request(method, addressOf(path, input), body),
    token: async () => {
      try {
        tokens ??= current();
        return (await tokens)?.accessToken ?? null;
      } catch (cause) {
        throw unreachable("/v1/auth/refresh", cause);
      }
    },
    renewToken: async () => {
      const held = await tokens;
      if (!held) return null;
      tokens = renew(held);
      return (await tokens)?.accessToken ?? null;
    },
    setSession,
  };
}
