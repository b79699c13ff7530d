// Requests to a website, made for real against a test server: what is retried, and what a failure asks the task to do.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { stubSettings } from "../support/function-settings.ts";

let answers: { status: number; retryAfter?: string }[] = [];
let calls = 0;
const server = createServer((_request, response) => {
  const { status, retryAfter } = answers[Math.min(calls, answers.length - 1)] ?? { status: 200 };
  calls += 1;
  response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end("<p>Hi</p>");
});
let visit: typeof import("../../edge-functions/indexing/connectors/website/visit.ts").visit;
let hasFailed: typeof import("../../edge-functions/indexing/connectors/connector.ts").hasFailed;
let url: URL;
const noOne = createServer();

beforeAll(async () => {
  for (const one of [server, noOne])
    await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  const hosts = [server, noOne].map((one) => `127.0.0.1:${(one.address() as AddressInfo).port}`);
  await new Promise((resolve) => noOne.close(resolve));
  url = new URL(`http://${hosts[0]}/a`);
  stubSettings({ PARLEY_OUTBOUND_ALLOW: hosts.join() });
  unreachable = new URL(`http://${hosts[1]}/a`);
  ({ visit } = await import("../../edge-functions/indexing/connectors/website/visit.ts"));
  ({ hasFailed } = await import("../../edge-functions/indexing/connectors/connector.ts"));
});
let unreachable: URL;
afterAll(() => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  calls = 0;
});

const ask = (to = url) =>
  visit(
    {
      name: "The site",
      renew: "",
      field: "config.startUrl",
      addresses: [],
      headers: {},
      signal: AbortSignal.timeout(60_000),
    },
    to,
    0,
  );

test("a failure that passes is retried", async () => {
  answers = [{ status: 503 }, { status: 429 }, { status: 200 }];
  expect((await ask()).status).toBe(200);
  expect(calls).toBe(3);
});

test("a page that always fails says so without a wait, so that it fails alone and not with its task", async () => {
  answers = [{ status: 500 }];
  const failure = await ask().catch((error: unknown) => error);
  expect(hasFailed(failure)).toBe(true);
  expect(failure).toMatchObject({ message: "The site reports an internal error (500)." });
  expect(calls).toBe(3);
});

test("a wait that is too long for one request is left to the task", async () => {
  answers = [{ status: 429, retryAfter: "120" }];
  expect(await ask().catch((error: unknown) => error)).toMatchObject({
    message: "The site asks to be called less often.",
    retryAfterMs: 120_000,
  });
  expect(calls).toBe(1);
});

test("a site that cannot be reached is not tried again", async () => {
  expect(await ask(unreachable).catch((error: unknown) => error)).toMatchObject({
    message: "The site cannot be reached at 127.0.0.1.",
    retryAfterMs: undefined,
  });
});
