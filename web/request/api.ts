// Owns the web server's calls to /v1 on behalf of a page or form: adds the session's token, refreshes it when it has
// expired, and turns every response other than 2xx into an ApiFailure.
import { wordsOf } from "../../edge-functions/_shared/requests/errors.ts";
import {
  addressOf,
  type Get,
  type InputOf,
  type RestorablePath,
  type Send,
  versionHeader,
} from "../client/api-calls.ts";
import { ApiFailure } from "./api-failure.ts";
import { type CookieJar, VISITOR_COOKIE } from "./cookies.ts";
import { env } from "./env.ts";
import { expiryOf, readSession, refresh, type Tokens, writeSession } from "./session.ts";

export interface Api {
  /** Throws ApiFailure. */
  get: Get;
  /** Throws ApiFailure. */
  send: Send;
  /** Deletes a resource; resolves to true when the deletion can be undone for a while. Throws ApiFailure. */
  remove<Path extends RestorablePath>(path: Path, input: InputOf<"DELETE", Path>): Promise<boolean>;
  /** The session's access token, refreshed when it is about to expire; null when logged out. */
  token(): Promise<string | null>;
  /** A new access token after the API rejected the previous one. Null when there is none; the session is then ended. */
  renewToken(): Promise<string | null>;
  /** Starts this browser's session, or ends it with null. */
  setSession(tokens: Tokens | null): void;
}

interface Call {
  method: string;
  path: string;
  body?: unknown;
  version?: string;
  idempotencyKey?: string;
}

export interface ApiOrigin {
  cookies: CookieJar;
  requestId: string;
  /** The client's address, for the API's rate limits. */
  clientAddress: string;
  locale: string;
  /** The browser's User-Agent, shown in the account's list of sessions. */
  userAgent: string;
  /** The browser's key for a form that it may have to send again: a repeated POST changes nothing twice. */
  idempotencyKey?: string | null;
  signal: AbortSignal;
}

/** The web server calls the API over a short network path, where compression costs more time than it saves. */
export const UNCOMPRESSED = { "accept-encoding": "identity" };

/** The gateway records the peer address of each caller. When API_URL bypasses the gateway, the web server sends it instead. */
const [apiUrl, peer] = env.API_URL
  ? [env.API_URL, "127.0.0.1"]
  : [`${env.SUPABASE_INTERNAL_URL}/functions/v1`, undefined];
const TIMEOUT_MS = 30_000;
const EARLY_S = 15;

/** The API, called on behalf of the person behind one request. */
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

  let posts = 0;
  /** An action's calls have one key each: it may post to one path several times, in the same order when it is repeated. */
  const nextKey = () => (origin.idempotencyKey ? `${origin.idempotencyKey}.${posts++}` : undefined);

  async function call(
    { method, path, body, version, idempotencyKey }: Call,
    held: Tokens | null,
    visitorToken = origin.cookies.get(VISITOR_COOKIE),
  ): Promise<Response> {
    const headers = new Headers({
      ...versionHeader(version),
      ...UNCOMPRESSED,
      "x-request-id": origin.requestId,
      "accept-language": origin.locale,
      "user-agent": origin.userAgent,
    });
    const forwardedFor = [origin.clientAddress, peer].filter(Boolean).join(", ");
    if (forwardedFor) headers.set("x-forwarded-for", forwardedFor);
    if (held) headers.set("authorization", `Bearer ${held.accessToken}`);
    else if (visitorToken) headers.set("x-visitor-token", visitorToken);
    if (body !== undefined) headers.set("content-type", "application/json");
    if (idempotencyKey) headers.set("idempotency-key", idempotencyKey);
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
      message: wordsOf("UNAVAILABLE"),
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

  /** The API's response when it is 2xx. */
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
      // Whoever was a visitor once may do what anybody may: no login is asked for.
      if (answer.status === 401 && !held && origin.cookies.get(VISITOR_COOKIE)) {
        const open = await call(asked, null, "");
        if (open.status !== 401) {
          origin.cookies.delete(VISITOR_COOKIE);
          answer = open;
        }
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
      request({
        method,
        path: addressOf(path, input),
        body,
        version,
        idempotencyKey: method === "POST" ? nextKey() : undefined,
      }),
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
