// Owns the web server's traces: a span for each request and one for each call to the API, exported by OpenTelemetry's
// packages. They are loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set, and read the other standard variables
// themselves.
import type { Context, Next } from "hono";
import { spanAttributes } from "../../edge-functions/_shared/operation/tracing.ts";
import { env } from "./env.ts";
import type { WebEnv } from "./web-env.ts";

type Tracing = Awaited<ReturnType<typeof load>>;

let tracing: Tracing | undefined;

/** Starts tracing when the settings ask for it. */
export async function startTracing(): Promise<void> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint || env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === "none") return;
  tracing ??= await load();
}

/** Flushes pending spans before the process exits. */
export async function endTracing(): Promise<void> {
  await tracing?.provider.shutdown().catch(() => {});
}

/** Runs the rest of a request in its span. @param routeOf called after the response */
export function runInSpan(
  c: Context<WebEnv>,
  next: Next,
  routeOf: (c: Context<WebEnv>) => string | undefined,
): Promise<void> {
  if (!tracing) return next();
  const { context, propagation, trace, SpanKind, SpanStatusCode, tracer } = tracing;
  const caller = propagation.extract(context.active(), Object.fromEntries(c.req.raw.headers));
  const { method } = c.req;
  const span = tracer.startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { "http.request.method": method } },
    caller,
  );
  return context.with(trace.setSpan(caller, span), async () => {
    try {
      await next();
    } finally {
      const route = routeOf(c) ?? c.req.path;
      span.updateName(`${method} ${route}`);
      span.setAttributes({ ...spanAttributes(route), "http.response.status_code": c.res.status });
      if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  });
}

async function load() {
  const [api, sdk, { defaultResource, detectResources, envDetector }, { UndiciInstrumentation }, exporter] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/instrumentation-undici"),
      env.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
        ? import("@opentelemetry/exporter-trace-otlp-http")
        : import("@opentelemetry/exporter-trace-otlp-proto"),
    ]);
  const provider = new sdk.NodeTracerProvider({
    resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  });
  provider.register();
  // Traces fetch calls and sends traceparent with them.
  new UndiciInstrumentation({
    requestHook: (span, { origin, path }) => {
      // A query may contain a token.
      span.setAttributes({ "url.full": `${origin}${path.replace(/\?.*/, "")}`, "url.query": "" });
    },
  });
  return { ...api, provider, tracer: api.trace.getTracer("parley") };
}
