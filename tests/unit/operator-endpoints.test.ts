// A process's operator endpoints: liveness, readiness, and metrics with their token.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { countRequest, metricsAnswer, startMetrics } from "../../edge-functions/_shared/operation/metrics.ts";
import { answerOperator } from "../../edge-functions/_shared/operation/operator-endpoints.ts";
import { readiness } from "../../edge-functions/_shared/operation/readiness.ts";

const token = "a-token-for-scrapers";
const show = (bearer: string, url = "http://127.0.0.1:3000/metrics", headers: Record<string, string> = {}) =>
  new Request(url, { headers: { ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}), ...headers } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("readiness names the failing part, and no reason", async () => {
  const warned = vi.spyOn(console, "error").mockImplementation(() => {});
  const ready = readiness({
    database: async () => {
      throw new Error("password authentication failed for parley at 10.0.0.7");
    },
    storage: async () => {},
  });
  const answer = await ready();
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: "unready", checks: { database: "failed", storage: "ok" } },
  ]);
  expect(warned.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([{ failed: "database" }]);
});

test("dependencies are checked once a second for any number of callers, and a changed result shows", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let isThere = true;
  const database = vi.fn(async () => {
    if (!isThere) throw new Error("gone");
  });
  const ready = readiness({ database });
  const statuses = async () => (await Promise.all([ready(), ready(), ready()])).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 200, 200]);
  isThere = false;
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(database).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(await statuses()).toEqual([503, 503, 503]);
  expect(database).toHaveBeenCalledTimes(2);
});

test("a dependency that never answers does not delay the result", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const answer = readiness({ storage: () => new Promise(() => {}) })();
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await answer).status).toBe(503);
});

test.each([
  "http://127.0.0.1:54331/health",
  "http://127.0.0.1:54331/health/live",
  "https://project.supabase.co/functions/v1/v1/health/live",
  "https://project.supabase.co/indexing/health/live?probe=1",
])("%s is live", async (url) => {
  expect((await answerOperator(new Request(url)))?.status).toBe(200);
});

test.each([
  "http://127.0.0.1:54331/v1/health",
  "http://127.0.0.1:54331/v1/health/public",
  "http://127.0.0.1:54331/v1/teams/health/live",
  "http://127.0.0.1:54331/v1/teams/metrics",
  "http://127.0.0.1:54331/v1/teams?next=/metrics",
])("%s belongs to the API", (url) => {
  expect(answerOperator(new Request(url))).toBeUndefined();
});

test("without permitted callers the path does not exist, and nothing is counted", async () => {
  await startMetrics({});
  countRequest({ process: "v1", method: "GET", route: "/v1/teams", status: 200, ms: 1 });
  for (const request of [show(token), show("")]) expect((await metricsAnswer(request)).status).toBe(404);
});

test("without a token, metrics are readable on this machine, but not through a proxy or another host name", async () => {
  await startMetrics({ METRICS_ON_LOCALHOST: true });
  for (const url of ["http://127.0.0.1:3000/metrics", "http://localhost/metrics", "http://[::1]:1/metrics"]) {
    expect((await metricsAnswer(show("", url))).status).toBe(200);
  }
  const others = [
    show("", "http://parley.example/metrics"),
    show("", "http://127.0.0.1.parley.example/metrics"),
    show("", undefined, { "X-Forwarded-For": "203.0.113.7" }),
    show("", undefined, { Forwarded: "for=203.0.113.7" }),
    show("", undefined, { Via: "1.1 caddy" }),
  ];
  for (const request of others) expect((await metricsAnswer(request)).status).toBe(404);
});

test("with a token, metrics are readable by its holder only", async () => {
  let fails = false;
  const tasks = vi.fn(async () => {
    if (fails) throw new Error("gone");
    return { depth: 3, ageSeconds: 12.5 };
  });
  await startMetrics({ METRICS_TOKEN: token, METRICS_ON_LOCALHOST: true }, { queues: { tasks } });
  countRequest({ process: "v1", method: "GET", route: "/v1/teams", status: 200, ms: 30 });
  for (const request of [show("another"), show(""), show("", undefined, { Authorization: token })]) {
    const refused = await metricsAnswer(request);
    expect([refused.status, await refused.text()]).toEqual([401, "Show METRICS_TOKEN as a bearer token."]);
  }
  const answer = await metricsAnswer(show(token));
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text).toContain(
    'parley_http_requests_total{process="v1",method="GET",route="/v1/teams",status="200"} 1',
  );
  expect(text).toContain('_duration_seconds_bucket{le="0.05",process="v1",method="GET",route="/v1/teams"} 1');
  expect(text).toContain(
    '_duration_seconds_bucket{le="0.025",process="v1",method="GET",route="/v1/teams"} 0',
  );
  expect(text).toContain('parley_queue_depth{queue="tasks"} 3');
  expect(text).toContain('parley_queue_oldest_seconds{queue="tasks"} 12.5');
  // Both figures come from one query.
  expect(tasks).toHaveBeenCalledTimes(1);
  fails = true;
  expect(await (await metricsAnswer(show(token))).text()).toContain('parley_queue_depth{queue="tasks"} Nan');
});
