// Traces at a collector: one from the caller over the web server to the function, with routes and without URLs.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { functionEnv, webEnv } from "../../supabase/local/environments.ts";
import { loadSecrets } from "../../supabase/local/secrets.ts";
import { readSettings } from "../../supabase/local/settings.ts";
import type { WebEnv } from "../../web/request/web-env.ts";
import { spawnDenoFunction } from "../support/deno-function.ts";
import { eventually } from "../support/eventually.ts";
import { type Collector, startCollector } from "../support/otlp-collector.ts";

let collector: Collector;
let upstream: Server;
let upstreamUrl: string;
const heard: (string | undefined)[] = [];
const unsaid = "unsaid-in-any-trace";

beforeAll(async () => {
  collector = await startCollector();
  upstream = createServer((request, response) => {
    heard.push(request.headers.traceparent as string | undefined);
    response.end("{}");
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  heard.length = 0;
});
afterAll(() => {
  collector.close();
  upstream.close();
});

/** A caller that sends its own trace. */
function newCaller() {
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  return {
    traceId,
    spanId,
    headers: { traceparent: `00-${traceId}-${spanId}-01`, "x-request-id": "traced-request" },
  };
}

const standard = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "50",
});

/** The web server's outermost middleware before a route that calls the API. */
async function web(variables: Record<string, string>) {
  for (const [name, value] of Object.entries({ COOKIE_SECRET: "only-for-this-test", ...variables })) {
    vi.stubEnv(name, value);
  }
  const { observeRequests } = await import("../../web/request/observe.ts");
  const tracing = await import("../../web/request/tracing.ts");
  await tracing.startTracing();
  const app = new Hono<WebEnv>();
  app.use(observeRequests("web"));
  app.get("/v1/*", async (c) => {
    await (await fetch(`${upstreamUrl}/functions/v1/v1/teams?token=${unsaid}`)).text();
    return c.json({});
  });
  return { app, end: tracing.endTracing };
}

test("without the variables the web server neither traces nor propagates", async () => {
  const { app, end } = await web({});
  const caller = newCaller();
  expect((await app.request("/v1/teams", { headers: caller.headers })).status).toBe(200);
  await end();
  expect(heard).toEqual([undefined]);
  expect(collector.spans.filter(({ traceId }) => traceId === caller.traceId)).toEqual([]);
});

test.each<Record<string, string>>([{ OTEL_SDK_DISABLED: "true" }, { OTEL_TRACES_EXPORTER: "none" }])(
  "nor when they disable it: %o",
  async (off) => {
    const { app, end } = await web({ ...standard(), ...off });
    await app.request("/v1/teams", { headers: newCaller().headers });
    await end();
    expect(heard).toEqual([undefined]);
  },
);

test("the web server continues the caller's trace, names the route, and propagates the trace", async () => {
  const { app, end } = await web({ ...standard(), OTEL_SERVICE_NAME: "parley-web" });
  const caller = newCaller();
  const answer = await app.request(`/v1/teams/${unsaid}?token=${unsaid}`, { headers: caller.headers });
  expect(answer.status).toBe(200);
  await end();
  const spans = collector.spans.filter(({ traceId }) => traceId === caller.traceId);
  const [served] = spans.filter(({ kind }) => kind === 2);
  const [called] = spans.filter(({ kind }) => kind === 3);
  expect(served).toMatchObject({
    service: "parley-web",
    name: "GET /v1/*",
    parentSpanId: caller.spanId,
    attributes: {
      "http.route": "/v1/*",
      "http.response.status_code": "200",
      "parley.request_id": "traced-request",
    },
  });
  expect(called?.parentSpanId).toBe(served?.spanId);
  expect(heard).toEqual([`00-${caller.traceId}-${called?.spanId}-01`]);
  expect(collector.readAll()).not.toContain(unsaid);
});

test("a function continues it, under its declared route", async () => {
  const settings = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    SUPABASE_URL: upstreamUrl,
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:1",
    SECRETS_KEY: "x".repeat(32),
  };
  const traces = {
    ...standard(),
    OTEL_DENO: "true",
    OTEL_DENO_CONSOLE: "ignore",
    OTEL_SERVICE_NAME: "parley-v1",
  };
  const v1 = await spawnDenoFunction("v1", { ...settings, ...traces });
  try {
    const caller = newCaller();
    const answer = await fetch(`${v1.url}/v1/health/public`, { headers: caller.headers });
    expect(answer.status).toBe(200);
    const served = await eventually(() => {
      const span = collector.spans.find(({ traceId }) => traceId === caller.traceId);
      expect(span).toBeDefined();
      return span;
    });
    expect(served).toMatchObject({
      service: "parley-v1",
      name: "GET /v1/health/public",
      kind: 2,
      parentSpanId: caller.spanId,
      attributes: { "http.route": "/v1/health/public", "parley.request_id": "traced-request" },
    });
  } finally {
    await v1.end("SIGTERM");
  }
});

test("npm start passes the variables on, each process as its own service, and nothing without them", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-tracing-"));
  const settings = readSettings({ PARLEY_DATA_DIR: dataDir });
  const secrets = await loadSecrets(dataDir);
  rmSync(dataDir, { recursive: true });
  const readVariables = (env: NodeJS.ProcessEnv) =>
    [functionEnv({ settings, secrets, env }, "v1"), webEnv({ settings, secrets, env })].map((given) =>
      Object.fromEntries(Object.entries(given).filter(([name]) => name.startsWith("OTEL_"))),
    );
  expect(readVariables({ OTEL_SERVICE_NAME: "acme" })).toEqual([{}, {}]);
  const endpoint = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
    OTEL_EXPORTER_OTLP_HEADERS: "a=b",
  };
  const ours = { ...endpoint, OTEL_DENO: "true", OTEL_DENO_CONSOLE: "ignore" };
  expect(readVariables({ ...endpoint, OTEL_SERVICE_NAME: "acme" })).toEqual([
    { ...ours, OTEL_SERVICE_NAME: "acme-v1" },
    { ...ours, OTEL_SERVICE_NAME: "acme-web" },
  ]);
  expect(readVariables({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toMatchObject([
    { OTEL_DENO: "false" },
    {},
  ]);
});
