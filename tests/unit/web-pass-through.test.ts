// The same-origin /v1: what it adds, what it leaves unchanged, and that it streams both ways.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { withinRequest } from "../../edge-functions/_shared/requests/request-context.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let upstream: Upstream;
let web: string;
let close: () => void;
let sessionCookie: (accessToken: string, refreshToken: string) => string;

/** Receives the status of a form's answer, which a browser that has left does not get. */
const answered = vi.fn<(status: number) => void>();

/** A JWT with an expiry; no signature is checked here. */
const jwt = (secondsLeft: number, name = "", sub = "") =>
  ["{}", JSON.stringify({ exp: Math.floor(Date.now() / 1000) + secondsLeft, name, sub }), ""]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");

beforeAll(async () => {
  upstream = await startUpstream();
  vi.stubEnv("SUPABASE_URL", upstream.url);
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { answerUnexpected, passThrough } = await import("../../web/request/pass-through.ts");
  const { serveApiReference } = await import("../../web/request/api-reference.ts");
  const { cookieJar } = await import("../../web/request/cookies.ts");
  const { writeSession } = await import("../../web/request/session.ts");
  sessionCookie = (accessToken, refreshToken) => {
    const cookies = cookieJar(null);
    writeSession(cookies, { accessToken, refreshToken });
    return cookies
      .headers()
      .map((line) => line.split(";")[0])
      .join("; ");
  };
  const app = new Hono<import("../../web/request/web-env.ts").WebEnv>();
  app.use(async (c, next) => {
    c.set("requestId", "request-of-the-web");
    c.set("clientAddress", "203.0.113.7");
    await withinRequest({ requestId: "request-of-the-web" }, next);
  });
  app.get("/v1/docs", serveApiReference);
  app.all("/v1/*", passThrough);
  app.use("/form", async (c, next) => {
    await next();
    answered(c.res.status);
  });
  app.post("/form", async (c) => c.json(await c.req.parseBody()));
  app.onError(answerUnexpected);
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  web = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});

afterAll(async () => {
  close();
  await upstream.close();
  vi.unstubAllEnvs();
});

test("a browser that leaves amid a form is no error of the web server", async () => {
  const logged = vi.spyOn(console, "error");
  const { hostname, port } = new URL(web);
  const socket = connect(Number(port), hostname);
  const head = "content-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nname=half";
  socket.write(`POST /form HTTP/1.1\r\nhost: ${hostname}\r\n${head}`, () => socket.destroy());
  await vi.waitFor(() => expect(answered).toHaveBeenCalled());
  expect(answered).toHaveBeenCalledWith(499);
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

test("the proxy adds the session's token, and forwards no cookie and no origin", async () => {
  const token = jwt(600);
  upstream.handle((request, response) => {
    response.writeHead(200, { "content-type": "application/json", "x-request-id": "request-of-the-api" });
    response.end(JSON.stringify({ url: request.url, headers: request.headers }));
  });
  const answer = await fetch(`${web}/v1/teams?search=a%26b`, {
    headers: { cookie: `${sessionCookie(token, "r")}; other=1`, origin: web, "idempotency-key": "k" },
  });
  const seen = (await answer.json()) as { url: string; headers: Record<string, string> };
  expect(seen.url).toBe("/functions/v1/v1/teams?search=a%26b");
  expect(seen.headers).toMatchObject({ authorization: `Bearer ${token}`, "idempotency-key": "k" });
  expect(seen.headers).toMatchObject({ "x-forwarded-for": "203.0.113.7", "accept-encoding": "identity" });
  expect(seen.headers).not.toHaveProperty("cookie");
  expect(seen.headers).not.toHaveProperty("origin");
  expect(answer.headers.get("x-request-id")).toBe("request-of-the-api");
});

test("the proxy leaves a caller's own bearer token unchanged", async () => {
  upstream.handle((request, response) => void response.end(request.headers.authorization));
  const headers = { cookie: sessionCookie(jwt(600), "r"), authorization: "Bearer prl_own" };
  expect(await (await fetch(`${web}/v1/teams`, { headers })).text()).toBe("Bearer prl_own");
});

test("the proxy forwards events one by one", async () => {
  let sendSecond: (() => void) | undefined;
  upstream.handle((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: delta\ndata: 1\n\n");
    sendSecond = () => response.end("event: delta\ndata: 2\n\n");
  });
  const answer = await fetch(`${web}/v1/chats/c/messages`, { method: "POST", body: "{}" });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  // The second event is not written before the first has arrived.
  expect((await reader?.read())?.value).toContain("data: 1");
  sendSecond?.();
  expect((await reader?.read())?.value).toContain("data: 2");
});

test("the proxy disconnects upstream when the reader does", async () => {
  const hungUp = new Promise<void>((resolve) => {
    upstream.handle((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      response.on("close", resolve);
    });
  });
  const controller = new AbortController();
  const answer = await fetch(`${web}/v1/streams`, { method: "POST", body: "{}", signal: controller.signal });
  await answer.body?.getReader().read();
  controller.abort();
  await hungUp;
});

test("the proxy forwards an upload while it still arrives", async () => {
  let continueUpload: (() => void) | undefined;
  const firstArrived = new Promise<void>((resolve) => {
    upstream.handle(async (request, response) => {
      let size = 0;
      for await (const chunk of request) {
        size += (chunk as Buffer).length;
        resolve();
      }
      response.end(JSON.stringify({ size, type: request.headers["content-type"] }));
    });
  });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(70_000));
      continueUpload = () => {
        controller.enqueue(new Uint8Array(30_000));
        controller.close();
      };
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const answer = fetch(`${web}/v1/teams/t/files/upload`, {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
  await firstArrived;
  continueUpload?.();
  expect(await (await answer).json()).toEqual({ size: 100_000, type: "multipart/form-data; boundary=x" });
});

test("the proxy refreshes an expired token once for all concurrent requests", async () => {
  const fresh = jwt(600, "fresh");
  let refreshes = 0;
  upstream.handle(async (request, response) => {
    if (request.url?.endsWith("/v1/auth/refresh")) {
      refreshes++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.end(JSON.stringify({ accessToken: fresh, refreshToken: "next", expiresIn: 600 }));
    } else response.end(request.headers.authorization);
  });
  const headers = { cookie: sessionCookie(jwt(-10), "worn-out") };
  const answers = await Promise.all([1, 2, 3].map(() => fetch(`${web}/v1/teams`, { headers })));
  for (const answer of answers) {
    expect(await answer.text()).toBe(`Bearer ${fresh}`);
    expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly; Secure; SameSite=Lax/);
  }
  expect(refreshes).toBe(1);
});

test("the proxy refreshes when the API answers 401, and retries", async () => {
  const fresh = jwt(600, "after 401");
  upstream.handle((request, response) => {
    if (request.url?.endsWith("/v1/auth/refresh")) {
      response.end(JSON.stringify({ accessToken: fresh, refreshToken: "n", expiresIn: 600 }));
    } else response.writeHead(request.headers.authorization === `Bearer ${fresh}` ? 200 : 401).end("{}");
  });
  const headers = { cookie: sessionCookie(jwt(600, "revoked"), "of-revoked") };
  expect((await fetch(`${web}/v1/teams`, { headers })).status).toBe(200);
});

test("the proxy ends the session when the refresh is refused", async () => {
  upstream.handle((request, response) => {
    response.writeHead(request.url?.endsWith("/v1/auth/refresh") ? 401 : 200).end("{}");
  });
  const answer = await fetch(`${web}/v1/teams`, { headers: { cookie: sessionCookie(jwt(-10), "refused") } });
  expect(answer.headers.getSetCookie().join()).toMatch(/sb-parley-auth-token=; Max-Age=0/);
});

test("the proxy reports an unreachable API in the contract's form, and logs why", async () => {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  upstream.handle((request) => void request.destroy());
  const answer = await fetch(`${web}/v1/teams`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "UNAVAILABLE", requestId: "request-of-the-web" });
  const lines = written.mock.calls.map(([text]) => String(text));
  written.mockRestore();
  const line = lines.find((text) => text.includes("the API did not answer")) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({ process: "web", requestId: "request-of-the-web" });
});

test("the proxy serves the API reference as a page, although hosted functions send it as plain text", async () => {
  const page = "<!doctype html><style>p { color: red }</style><p>Calls</p>";
  upstream.handle((_request, response) => {
    response.writeHead(200, {
      "content-type": "text/plain",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    response.end(page);
  });
  const answer = await fetch(`${web}/v1/docs`);
  expect(await answer.text()).toBe(page);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const hash = createHash("sha256").update("p { color: red }").digest("base64");
  const policy = answer.headers.get("content-security-policy");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).not.toContain("sandbox");
});

test("a call from a person's page is refused once the session has ended or is another person's", async () => {
  let asked = 0;
  upstream.handle((_request, response) => {
    asked += 1;
    response.end("{}");
  });
  const ask = (headers: Record<string, string>) =>
    fetch(`${web}/v1/agents/1/chats`, { method: "POST", body: "{}", headers });
  const refused = await ask({ "x-person": "ada" });
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: "NOT_AUTHENTICATED", requestId: "request-of-the-web" });
  const cookie = sessionCookie(jwt(600, "", "bob"), "r");
  expect((await ask({ "x-person": "ada", cookie })).status).toBe(401);
  expect(asked).toBe(0);
  expect((await ask({ "x-person": "bob", cookie })).status).toBe(200);
  expect((await ask({})).status).toBe(200);
});

test("a visitor's token that is no longer valid is dropped where anybody may call, and only there", async () => {
  let isOpen = true;
  upstream.handle((request, response) => {
    response.writeHead(request.headers["x-visitor-token"] || !isOpen ? 401 : 200).end("{}");
  });
  const call = () => fetch(`${web}/v1/agents/a`, { headers: { cookie: "parley-visitor=old" } });
  const answer = await call();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toMatch(/^parley-visitor=; Max-Age=0/);
  isOpen = false;
  const refused = await call();
  expect(refused.status).toBe(401);
  expect(refused.headers.has("set-cookie")).toBe(false);
});
