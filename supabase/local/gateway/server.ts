// Owns the one port behind SUPABASE_URL: access, CORS, body limits, errors. Must not know a table or a rule of the product.
import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { log, traceOf } from "../../../edge-functions/_shared/operation/log.ts";
import { observe } from "../../../edge-functions/_shared/operation/observe.ts";
import { liveness, readiness } from "../../../edge-functions/_shared/operation/readiness.ts";
import { isTooDeep } from "../../../edge-functions/_shared/outbound/json-depth.ts";
import { requestIdOf } from "../../../edge-functions/_shared/requests/request-context.ts";
import { createHttpServer } from "../../../edge-functions/_shared/requests/unread-requests.ts";
import { needsNoCredential, verdict } from "./allow-list.ts";
import { serveAuth } from "./auth-repairs.ts";
import { isFunctionPath, proxyToFunction } from "./functions-proxy.ts";
import type { Lite } from "./lite.ts";
import { watchConnections } from "./lost-connections.ts";
import { type RestCall, readCall, runCall } from "./rest-calls.ts";
import { UnreadableFilter } from "./rest-filters.ts";
import {
  CallersPauses,
  CallersTurns,
  callerOf,
  pausing,
  refuseEmbeds,
  refuseEstimates,
  refuseNul,
  refuseUnfiltered,
  TOO_MANY,
  wasEnded,
} from "./rest-limits.ts";
import { withoutInternals } from "./rest-repairs.ts";
import type { GatewaySettings } from "./settings.ts";
import { serveStorage } from "./storage-answers.ts";
import { type Caller, identify, isSigned, type Refusal } from "./tokens.ts";

const MIB = 1024 * 1024;
const BODY_LIMITS = { "/auth/v1": MIB / 4, "/rest/v1": 10 * MIB, "/storage/v1": 50 * MIB };

const NO_ROUTE: Refusal = { status: 404, code: "not_found", message: "no Route matched with those values" };
const BAD_SIGNATURE: Refusal = {
  status: 400,
  code: "InvalidJWT",
  message: "The address is wrong or has expired",
};
const TOO_LARGE: Refusal = { status: 413, code: "payload_too_large", message: "The body is too large" };
/** The error that PostgREST passes on from a Postgres whose stack is full. In PGlite a full stack would end the engine. */
const TOO_DEEP: Refusal = { status: 413, code: "54001", message: "stack depth limit exceeded" };
const LARGE_ANSWER: Refusal = {
  status: 413,
  code: "54000",
  message: "The answer is larger than 100 MiB: select fewer rows or columns.",
};
const UNAVAILABLE: Refusal = {
  status: 503,
  code: "unavailable",
  message: "The service is not available right now; try again",
};

/** The whole gateway as one fetch handler, without the functions. */
export function createGateway(settings: GatewaySettings, lite: Lite): Hono {
  const secret = new TextEncoder().encode(settings.jwtSecret);
  const callers = { turns: new CallersTurns(), pauses: new CallersPauses() };
  const app = new Hono();
  app.use(observe("gateway", (c) => prefixOf(c.req.path)));
  const database = () => lite.app.connection.driver`select 1`;
  app.get("/health", async (c) => {
    await database();
    return c.json({ status: "ok" });
  });
  app.get("/health/live", liveness);
  app.get("/health/ready", readiness({ database }));
  for (const [prefix, maxSize] of Object.entries(BODY_LIMITS)) {
    app.use(`${prefix}/*`, bodyLimit({ maxSize, onError: () => refusal(prefix, TOO_LARGE) }));
  }
  app.all("/*", async (c) => {
    const request = c.req.raw;
    const { pathname, searchParams } = new URL(request.url);
    if (
      !Object.keys(BODY_LIMITS).some((prefix) => pathname.startsWith(`${prefix}/`) || pathname === prefix)
    ) {
      return refusal(pathname, NO_ROUTE);
    }
    if (needsNoCredential(request.method, pathname, searchParams)) {
      const signed = searchParams.get("token");
      if (signed && !(await isSigned(signed, secret))) return refusal(pathname, BAD_SIGNATURE);
      return forward(withoutCredentials(request), pathname, lite);
    }
    const caller = await identify(request, secret);
    if ("status" in caller) return refusal(pathname, caller);
    switch (verdict(request.method, pathname, caller)) {
      case "open":
        if (pathname.startsWith("/rest/v1/")) return serveRest(request, caller, lite, callers);
        return forward(actingAs(request, caller), pathname, lite);
      case "forbidden":
        return refusal(pathname, {
          status: 403,
          code: "not_allowed",
          message: "This call is for the platform's own services",
        });
      case "missing":
        return refusal(pathname, NO_ROUTE);
    }
  });
  app.onError((error, c) => {
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    log("error", error.message, { process: "gateway", error: traceOf(error) });
    return refusal(c.req.path, UNAVAILABLE);
  });
  return app;
}

/**
 * Longer than Deno's fetch keeps an idle connection (90 s). Otherwise an upload could be sent on a connection that is just being closed,
 * and fail.
 */
const keepAliveTimeout = 120_000;

/** Listens once lite answers. Requests to functions bypass lite as streams. */
export function createGatewayServer(settings: GatewaySettings, gateway: Hono): Server {
  const listener = getRequestListener((request) => answer(request, gateway));
  return createHttpServer({ keepAliveTimeout }, (incoming, outgoing) => {
    const path = incoming.url ?? "/";
    if (isFunctionPath(path) && !isPreflight(incoming.method, incoming.headers)) {
      proxyToFunction(incoming, outgoing, settings.functions);
    } else void listener(incoming, outgoing);
  });
}

/** Route prefix of the requested service; undefined for the supervisor's health checks, which are not logged. */
function prefixOf(path: string): string | undefined {
  if (path.startsWith("/health")) return undefined;
  const prefix = Object.keys(BODY_LIMITS).find((one) => path.startsWith(`${one}/`));
  return prefix ? `${prefix}/*` : "*";
}

async function answer(request: Request, gateway: Hono): Promise<Response> {
  if (isPreflight(request.method, Object.fromEntries(request.headers))) {
    return new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "*",
        "access-control-max-age": "86400",
        "x-request-id": requestIdOf(request.headers),
        vary: "access-control-request-headers",
      },
    });
  }
  const response = await gateway.fetch(request);
  const headers = new Headers(response.headers);
  headers.set("access-control-allow-origin", "*");
  headers.delete("access-control-allow-credentials");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}

/** Answers 503 where lite failed for want of a connection to the database, and 413 where the answer was too large. */
async function forward(request: Request, path: string, lite: Lite): Promise<Response> {
  const { result, isLost, isTooLarge } = await watchConnections(() => serve(request, path, lite));
  if (!isLost || result.status < 500) return result;
  await result.body?.cancel();
  return refusal(path, isTooLarge ? LARGE_ANSWER : UNAVAILABLE);
}

async function serve(request: Request, path: string, lite: Lite): Promise<Response> {
  if (path.startsWith("/storage/v1/")) return await serveStorage(request, lite);
  if (request.body && isTooDeep(await request.clone().text())) return refusal(path, TOO_DEEP);
  if (path.startsWith("/auth/v1/")) return await serveAuth(request, lite);
  return await lite.app.fetch(request);
}

async function serveRest(
  request: Request,
  caller: Caller,
  lite: Lite,
  { turns, pauses }: { turns: CallersTurns; pauses: CallersPauses },
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (!METHODS.has(request.method)) return refusal(pathname, refuseMethod(request.method));
  const read = readOrRefuse(request);
  if ("status" in read) return refusal(pathname, read);
  const work = async () => {
    const acting = actingAs(read.request, caller, justRead);
    return withoutInternals(await runCall(read.call, () => forward(acting, pathname, lite)));
  };
  if (caller.role === "service_role") return work();
  const refused =
    refuseNul(searchParams) ??
    refuseEmbeds(searchParams) ??
    refuseEstimates(request.headers) ??
    refuseUnfiltered(request.method, read.call);
  if (refused) return refusal("/rest/v1", refused);
  const key = callerOf(caller);
  const workUnlessPausing = async () => {
    const seconds = pauses.secondsLeft(key);
    if (seconds > 0) return refusal("/rest/v1", pausing(seconds));
    const started = performance.now();
    const answer = await work();
    if (await wasEnded(answer, performance.now() - started)) pauses.pause(key);
    return answer;
  };
  return (await turns.run(key, workUnlessPausing)) ?? refusal("/rest/v1", TOO_MANY);
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const refuseMethod = (method: string): Refusal => ({
  status: 405,
  code: "PGRST117",
  message: `Unsupported HTTP method: ${method}`,
});

function readOrRefuse(request: Request): { call: RestCall; request: Request } | Refusal {
  try {
    return readCall(request);
  } catch (error) {
    if (!(error instanceof UnreadableFilter)) throw error;
    return { status: 400, code: "PGRST100", message: error.message };
  }
}

/**
 * lite looks up a token's user and session for every request: four of nine waits for Postgres. Its /rest/v1 uses neither, and PostgREST
 * looks up nothing. With a second space lite only reads the token.
 */
const justRead = "Bearer  ";

function actingAs(request: Request, caller: Caller, scheme = "Bearer "): Request {
  const headers = new Headers(request.headers);
  headers.delete("apikey");
  headers.set("authorization", scheme + caller.token);
  return new Request(request, { headers });
}

function withoutCredentials(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("apikey");
  headers.delete("authorization");
  return new Request(request, { headers });
}

function isPreflight(method: string | undefined, headers: Record<string, unknown>): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** An error in the format of the called service, so the Supabase clients understand it. */
function refusal(path: string, { status, code, message, hint, retryAfter }: Refusal): Response {
  if (path.startsWith("/auth/v1"))
    return Response.json({ code: status, error_code: code, msg: message }, { status });
  if (path.startsWith("/storage/v1")) {
    return Response.json({ statusCode: String(status), error: code, message }, { status });
  }
  const headers: HeadersInit = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return Response.json({ code, message, details: null, hint: hint ?? null }, { status, headers });
}
