// Owns the Prometheus metrics, on prom-client. It is loaded only where metrics can be scraped, and nothing is counted elsewhere. Labels
// are our own constants: values that a client can write, such as a model's name, would create unbounded series.
import process from "node:process";
import type { Gauge, Registry } from "prom-client";
import type { PoolUse } from "../database/connections.ts";
import { isSameText } from "../secrets/same-text.ts";
import type { ObservedRequest } from "./request-log.ts";

type Metrics = Awaited<ReturnType<typeof createMetrics>>;

let metrics: Metrics | undefined;

/** Work that is due now: its count, and how long the oldest has been due. */
export type Due = { depth: number; ageSeconds: number };

/** Read when metrics are scraped. */
export type Readings = {
  /** By queue name. */
  queues?: Record<string, () => Promise<Due>>;
  pool?: () => PoolUse;
};

/** Used when the database does not answer. */
const unknownDue: Due = { depth: Number.NaN, ageSeconds: Number.NaN };

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const modelSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

async function createMetrics(token: string | undefined, { queues = {}, pool }: Readings) {
  const { Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry: Registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    collect: (gauge: Gauge<Label>) => void | Promise<void>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        return collect(this);
      },
    });

  const readQueues = shareRead(async () => {
    const due = Object.entries(queues).map(
      async ([queue, read]) => [queue, await read().catch(() => unknownDue)] as const,
    );
    return await Promise.all(due);
  });
  gauge("parley_queue_depth", "What could be worked on now.", ["queue"], async (depth) => {
    for (const [queue, due] of await readQueues()) depth.set({ queue }, due.depth);
  });
  gauge("parley_queue_oldest_seconds", "How long the first of it has waited.", ["queue"], async (age) => {
    for (const [queue, due] of await readQueues()) age.set({ queue }, due.ageSeconds);
  });
  if (pool) {
    gauge("parley_database_pool_size", "Connections that this process opens at most.", [], (size) =>
      size.set(pool().size),
    );
    gauge(
      "parley_database_transactions",
      "Transactions that have a connection, or wait for one.",
      ["state"],
      (count) => {
        count.set({ state: "running" }, pool().running);
        count.set({ state: "waiting" }, pool().waiting);
      },
    );
  }
  gauge("process_resident_memory_bytes", "Memory of this process.", [], (memory) =>
    memory.set(process.memoryUsage().rss),
  );
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time of this process.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });

  return {
    token,
    registry,
    requests: counter("parley_http_requests_total", "Requests, by declared route and status.", [
      "process",
      "method",
      "route",
      "status",
    ]),
    requestSeconds: histogram(
      "parley_http_request_duration_seconds",
      "Time until the answer began.",
      ["process", "method", "route"],
      requestSeconds,
    ),
    modelCalls: counter("parley_model_calls_total", "Calls to models, by how they ended.", [
      "kind",
      "outcome",
    ]),
    modelSeconds: histogram(
      "parley_model_call_duration_seconds",
      "Time until a model's answer was whole.",
      ["kind"],
      modelSeconds,
    ),
    modelTokens: counter("parley_model_tokens_total", "Tokens, as the models count them.", ["kind"]),
    documents: counter("parley_indexing_documents_total", "Documents worked on, by how it ended.", [
      "outcome",
    ]),
    chunks: counter("parley_indexing_chunks_total", "Passages that were written to indexes.", []),
    tasks: counter("parley_indexing_tasks_total", "Tasks that ended, by how.", ["outcome"]),
  };
}

/** Who may scrape: holders of the token; without a token, callers on the same machine if that is enabled. */
export type MetricsAccess = {
  METRICS_TOKEN?: string | undefined;
  METRICS_ON_LOCALHOST?: boolean | undefined;
};

/** Starts counting. @param readings of this process, in addition to the metrics that every process has */
export async function startMetrics(
  { METRICS_TOKEN: token, METRICS_ON_LOCALHOST: onLocalhost }: MetricsAccess,
  readings: Readings = {},
): Promise<void> {
  if (token || onLocalhost) metrics = await createMetrics(token, readings);
}

const passedOn = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** True for a request to a local host name that no proxy forwarded. */
function isLocal({ url, headers }: Request): boolean {
  return (
    ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname) &&
    !passedOn.some((name) => headers.has(name))
  );
}

/** Shares one read between the two gauges of a scrape. */
function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= read().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}

/** GET /metrics for authorized scrapers. 404 where metrics are off. */
export async function metricsAnswer(request: Request): Promise<Response> {
  if (!metrics || (!metrics.token && !isLocal(request))) return new Response("Not found", { status: 404 });
  const { headers } = request;
  const shown = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  if (metrics.token && !isSameText(shown, metrics.token)) {
    return new Response("Show METRICS_TOKEN as a bearer token.", {
      status: 401,
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  return new Response(await metrics.registry.metrics(), {
    headers: { "Content-Type": metrics.registry.contentType, "Cache-Control": "no-store" },
  });
}

export function countRequest({ process, method, route, status, ms }: ObservedRequest): void {
  metrics?.requests.inc({ process, method, route, status });
  metrics?.requestSeconds.observe({ process, method, route }, ms / 1000);
}

/** @param outcome "ok", "stopped", or the kind of the failure */
export function countModelCall(kind: "chat" | "embedding", outcome: string, ms: number): void {
  metrics?.modelCalls.inc({ kind, outcome });
  if (outcome === "ok") metrics?.modelSeconds.observe({ kind }, ms / 1000);
}

export function countModelTokens(
  kind: "prompt" | "completion" | "embedding",
  tokens: number | undefined,
): void {
  if (tokens) metrics?.modelTokens.inc({ kind }, tokens);
}

export function countDocuments(outcome: "done" | "failed", count: number): void {
  metrics?.documents.inc({ outcome }, count);
}

export function countChunks(chunks: number): void {
  metrics?.chunks.inc(chunks);
}

export function countTask(outcome: "succeeded" | "failed" | "stopped"): void {
  metrics?.tasks.inc({ outcome });
}
