// Reports to Sentry: an envelope without any body, header or token of the request.
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";

type Received = { url: string; headers: IncomingHttpHeaders; body: string };
let server: Server | undefined;
afterEach(() => {
  server?.close();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** A fake Sentry. */
async function sentry(status: number): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url ?? "", headers: request.headers, body });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, received };
}

async function load(dsn: string) {
  const settings = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    WEB_URL: "http://127.0.0.1:1",
    SECRETS_KEY: "x".repeat(32),
    SENTRY_DSN: dsn,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return await import("../../edge-functions/_shared/operation/sentry.ts");
}

const about = { requestId: "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42", method: "GET", route: "/v1/teams" };

test("an error is sent as an envelope, with the request's id and no other part of the request", async () => {
  const { port, received } = await sentry(200);
  const { report } = await load(`http://public-key@127.0.0.1:${port}/42`);
  expect(await report(new TypeError("broken"), about)).toBe(true);
  expect(received).toHaveLength(1);
  const [{ url, headers, body }] = received as [Received];
  expect(url).toBe("/api/42/envelope/");
  expect(headers["x-sentry-auth"]).toContain("sentry_key=public-key");
  const [envelope, item, event] = body.split("\n").map((line) => JSON.parse(line));
  expect(envelope.event_id).toMatch(/^[0-9a-f]{32}$/);
  expect(item).toEqual({ type: "event" });
  expect(event).toMatchObject({
    event_id: envelope.event_id,
    level: "error",
    transaction: "GET /v1/teams",
    tags: { request_id: about.requestId },
    exception: { values: [{ type: "TypeError", value: "broken" }] },
  });
});

test("without a DSN nothing is sent", async () => {
  const { report } = await load("");
  expect(await report(new Error("broken"), about)).toBe(false);
});

test("a refusal is an error that is logged", async () => {
  const { port } = await sentry(429);
  const { report } = await load(`http://public-key@127.0.0.1:${port}/42`);
  await expect(report(new Error("broken"), about)).rejects.toThrow("Sentry answered 429");
});
