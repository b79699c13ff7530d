// The one way from the web server to /v1 while a page or a form is handled: adds the session's token, refreshes it
// when it has run out, and turns every answer that is not 2xx into an ApiFailure.
import {
  addressOf,
  type Get,
  type InputOf,
  type RestorablePath,
  type Send,
  versionHeader,
} from "../browser/api-calls.ts";
import { ApiFailure } from "./api-failure.ts";
import { type CookieJar, VISITOR_COOKIE } from "./cookies.ts";
import { env } from "./env.ts";
import { expiryOf, readSession, refresh, type Tokens, writeSession } from "./session.ts";

export interface Api {
  /** Throws ApiFailure. */
  get: Get;
  /** Throws ApiFailure. */
  send: Send;
  /** Deletes; answers whether that can be taken back for a while. Throws ApiFailure. */
  remove<Path extends RestorablePath>(path: Path, input: InputOf<"DELETE", Path>): Promise<boolean>;
  /** The session's access token, refreshed where it is about to run out; null when logged out. */
  token(): Promise<string | null>;
  /** A new access token after the API refused the one before; null (and the session ended) when there is none. */
  renewToken(): Promise<string | null>;
  /** Starts (or, with null, ends) the session of this browser. */
  setSession(tokens: Tokens | null): void;
}

interface Call {
  method: string;
  path: string;
  body?: unknown;
  version?: string;
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

/** The gateway notes whom it saw calling; past it, that is the web server's to do. */
const [apiUrl, peer] = env.API_URL
  ? [env.API_URL, "127.0.0.1"]
  : [`${env.SUPABASE_URL}/functions/v1`, undefined];
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

  async function call({ method, path, body, version }: Call, held: Tokens | null): Promise<Response> {
    const headers = new Headers({
      ...versionHeader(version),
      ...UNCOMPRESSED,
      "x-request-id": origin.requestId,
      "accept-language": origin.locale,
      "user-agent": origin.userAgent,
    });
    const forwardedFor = [origin.clientAddress, peer].filter(Boolean).join(", ");
    if (forwardedFor) headers.set("x-forwarded-for", forwardedFor);
    const visitorToken = origin.cookies.get(VISITOR_COOKIE);
    if (held) headers.set("authorization", `Bearer ${held.accessToken}`);
    else if (visitorToken) headers.set("x-visitor-token", visitorToken);
    if (body !== undefined) headers.set("content-type", "application/json");
    return await fetch(apiUrl + path, {
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

  async function request<Answer>(asked: Call): Promise<Answer> {
    const answer = await answerOf(asked);
    return answer.status === 204 ? (undefined as Answer) : ((await answer.json()) as Answer);
  }

  /** What the API answered, where it did what it was asked. */
  async function answerOf(asked: Call): Promise<Response> {
    const { path } = asked;
    let answer: Response;
    try {
      tokens ??= current();
      const held = await tokens;
      answer = await call(asked, held);
      if (answer.status === 401 && held && !path.startsWith("/v1/auth/login")) {
        tokens = renew(held);
        const renewed = await tokens;
        if (renewed) answer = await call(asked, renewed);
      }
    } catch (cause) {
      throw unreachable(path, cause);
    }
    if (answer.ok) return answer;
    throw new ApiFailure(path, answer.status, answer.statusText, await answer.json().catch(() => null));
  }

  return {
    get: (path, ...[input]) => request({ method: "GET", path: addressOf(path, input) }),
    send: (method, path, input, ...[body, version]) =>
      request({ method, path: addressOf(path, input), body, version }),
    remove: async (path, input) =>
      (await answerOf({ method: "DELETE", path: addressOf(path, input) })).headers.has("undo-until"),
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
