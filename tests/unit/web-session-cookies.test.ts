// The session's cookies, cookies in general, and detection of requests from our own pages.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import fc from "../support/property-cases.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let upstream: Upstream;
let session: typeof import("../../web/request/session.ts");
let jar: typeof import("../../web/request/cookies.ts").cookieJar;
let origin: typeof import("../../web/request/origin.ts");
let next: typeof import("../../web/request/safe-next.ts");

beforeAll(async () => {
  upstream = await startUpstream();
  vi.stubEnv("SUPABASE_URL", upstream.url);
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  session = await import("../../web/request/session.ts");
  ({ cookieJar: jar } = await import("../../web/request/cookies.ts"));
  origin = await import("../../web/request/origin.ts");
  next = await import("../../web/request/safe-next.ts");
});
afterAll(async () => {
  await upstream.close();
  vi.unstubAllEnvs();
});
afterEach(() => vi.useRealTimers());

const NAME = "sb-parley-auth-token";
const header = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
const encode = (value: unknown) => `base64-${Buffer.from(JSON.stringify(value)).toString("base64url")}`;

describe("a cookie jar", () => {
  test("reads the received cookies, and sends changes once", () => {
    const cookies = jar("a=1; b=2");
    expect([cookies.get("a"), cookies.get("c"), cookies.names()]).toEqual(["1", undefined, ["a", "b"]]);
    expect(cookies.headers()).toEqual([]);
    cookies.set("a", "3", 1);
    cookies.set("a", "4", 2);
    cookies.delete("b");
    expect([cookies.get("a"), cookies.get("b"), cookies.names()]).toEqual(["4", undefined, ["a"]]);
    expect(cookies.headers()).toEqual([
      "a=4; Max-Age=172800; Path=/; HttpOnly; Secure; SameSite=Lax",
      "b=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    ]);
    expect(jar(null).names()).toEqual([]);
  });

  test("keeps a cookie of 0 days until the browser closes", () => {
    const cookies = jar(null);
    cookies.set("a", "1", 0);
    expect(cookies.headers()).toEqual(["a=1; Path=/; HttpOnly; Secure; SameSite=Lax"]);
  });

  test("is Secure in every browser, but in Safari on a machine's own http", async () => {
    const safari =
      "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15";
    const chrome =
      "Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36";
    const firefox = "Mozilla/5.0 (Macintosh; rv:153.0) Gecko/20100101 Firefox/153.0";
    for (const [address, kept] of [
      ["http://127.0.0.1:3000", false],
      ["http://localhost:3000", false],
      ["https://localhost:3000", true],
      ["http://app.example.com", true],
      ["https://app.example.com", true],
    ] as const) {
      vi.resetModules();
      vi.stubEnv("WEB_URL", address);
      const { keepsSecureCookies } = await import("../../web/request/secure-cookies.ts");
      expect([address, keepsSecureCookies(safari)]).toEqual([address, kept]);
      for (const agent of [chrome, firefox, "curl/8.5.0", "", null])
        expect(keepsSecureCookies(agent)).toBe(true);
    }
    const cookies = jar(null, false);
    cookies.set("a", "1", 0);
    expect(cookies.headers()).toEqual(["a=1; Path=/; HttpOnly; SameSite=Lax"]);
  });
});

describe("a session", () => {
  const tokens = fc.record({ accessToken: fc.string(), refreshToken: fc.string({ maxLength: 9_000 }) });

  test("is read as written, in as many cookies as needed, replacing an older one", async () => {
    const law = fc.asyncProperty(tokens, tokens, async (before, after) => {
      const cookies = jar(null);
      session.writeSession(cookies, before);
      session.writeSession(cookies, after);
      expect(await session.readSession(cookies)).toEqual(after);
      expect(session.hasSession(cookies)).toBe(true);
      session.writeSession(cookies, null);
      expect(await session.readSession(cookies)).toBeNull();
      expect([session.hasSession(cookies), cookies.names()]).toEqual([false, []]);
    });
    await fc.assert(law, { numRuns: 30 });
  });

  test("is stored for 30 days, and leaves other cookies unchanged", () => {
    const cookies = jar("other=1");
    session.writeSession(cookies, { accessToken: "a", refreshToken: "r" });
    expect(cookies.headers().join()).toMatch(new RegExp(`^${NAME}=.*Max-Age=2592000`));
    session.writeSession(cookies, null);
    expect(cookies.names()).toEqual(["other"]);
    expect(cookies.headers().join()).toMatch(new RegExp(`^${NAME}=; Max-Age=0`));
  });

  test.each([
    ["nothing", {}],
    ["another cookie", { "sb-other-auth-token": encode({ access_token: "a", refresh_token: "r" }) }],
    ["no prefix", { [NAME]: encode({ access_token: "a", refresh_token: "r" }).slice(7) }],
    ["no JSON", { [NAME]: `base64-${Buffer.from("{").toString("base64url")}` }],
    ["no object", { [NAME]: encode(null) }],
    ["no access token", { [NAME]: encode({ refresh_token: "r" }) }],
    ["no refresh token", { [NAME]: encode({ access_token: "a" }) }],
    ["a number for a token", { [NAME]: encode({ access_token: "a", refresh_token: 1 }) }],
  ])("is absent in %s", async (_what, values) => {
    expect(await session.readSession(jar(header(values)))).toBeNull();
  });

  test("exists, valid or not, when a cookie has its name or a part's", () => {
    expect(session.hasSession(jar(`${NAME}=x`))).toBe(true);
    expect(session.hasSession(jar(`${NAME}.1=x`))).toBe(true);
    expect(session.hasSession(jar(`${NAME}-else=x`))).toBe(false);
  });

  test("has its expiry and its id, or nothing", () => {
    const jwt = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
    expect(session.expiryOf(jwt({ exp: 12 }))).toBe(12);
    expect(session.sessionOf(jwt({ session_id: "s" }))).toBe("s");
    for (const unread of ["", "h", "h.!.s", jwt({})])
      expect([session.expiryOf(unread), session.sessionOf(unread)]).toEqual([0, undefined]);
  });
});

describe("a refresh", () => {
  let asked: { method: string | undefined; agent: string | undefined; body: unknown }[];
  let status: number;
  const fresh = { accessToken: "new", refreshToken: "next" };
  beforeEach(() => {
    asked = [];
    status = 200;
    upstream.handle(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString());
      asked.push({ method: request.method, agent: request.headers["user-agent"], body });
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(fresh));
    });
  });

  test("runs once for concurrent requests, and is reused for half a minute", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [one, other] = await Promise.all([session.refresh("t1", "Firefox"), session.refresh("t1", "x")]);
    expect([one, other]).toEqual([fresh, fresh]);
    vi.advanceTimersByTime(29_999);
    expect(await session.refresh("t1", "x")).toEqual(fresh);
    expect(asked).toEqual([{ method: "POST", agent: "Firefox", body: { token: "t1" } }]);
    vi.advanceTimersByTime(1);
    await session.refresh("t1", "x");
    await session.refresh("t2", "x");
    expect(asked).toHaveLength(3);
  });

  test.each([
    [400, null],
    [401, null],
    [404, null],
  ])("of a token rejected with %i ends the session", async (code, answer) => {
    status = code;
    expect(await session.refresh(`refused-${code}`, "x")).toBe(answer);
  });

  test.each([429, 500, 503])("that fails with %i ends nothing, and is retried", async (code) => {
    status = code;
    await expect(session.refresh(`failed-${code}`, "x")).rejects.toThrow(String(code));
    status = 200;
    expect(await session.refresh(`failed-${code}`, "x")).toEqual(fresh);
  });
});

describe("a changing request", () => {
  const own = new URL("https://parley.example");
  const local = new URL("http://127.0.0.1:3000");
  const ours = (headers: Record<string, string>, site = own, method = "POST") =>
    origin.isFromOwnOrigin(new Request("http://x.test", { method, headers }), site);

  test("is accepted from our own origin only", () => {
    expect(ours({ origin: "https://parley.example" })).toBe(true);
    const foreign = [
      "https://evil.example",
      "http://parley.example",
      "https://parley.example:8443",
      "null",
      "",
      "not an address",
    ];
    for (const one of foreign) expect(ours({ origin: one, "sec-fetch-site": "same-origin" })).toBe(false);
  });

  test("is accepted by any name of this machine when we run there, with our port and protocol", () => {
    for (const name of ["http://127.0.0.1:3000", "http://localhost:3000", "http://[::1]:3000"])
      expect(ours({ origin: name }, local)).toBe(true);
    for (const name of [
      "http://localhost:3001",
      "https://localhost:3000",
      "http://evil.example:3000",
      "null",
    ])
      expect(ours({ origin: name }, local)).toBe(false);
    expect(ours({ origin: "https://localhost" }, own)).toBe(false);
  });

  test("without an origin is judged by Sec-Fetch-Site, and accepted from a client that is no browser", () => {
    expect(["same-origin", "none"].map((site) => ours({ "sec-fetch-site": site }))).toEqual([true, true]);
    expect(["same-site", "cross-site"].map((site) => ours({ "sec-fetch-site": site }))).toEqual([
      false,
      false,
    ]);
    expect(ours({})).toBe(true);
  });

  test("is not one that only reads", () => {
    for (const method of ["GET", "HEAD", "OPTIONS"])
      expect(ours({ origin: "https://evil.example" }, own, method)).toBe(true);
    for (const method of ["PUT", "DELETE", "PATCH"])
      expect(ours({ origin: "https://evil.example" }, own, method)).toBe(false);
  });
});

test("the login redirects back to a page, unless its URL is too long for a header", () => {
  expect(next.loginAddress("/teams?a=b")).toBe("/login?next=%2Fteams%3Fa%3Db");
  expect(next.loginAddress(`/${"x".repeat(1_999)}`)).toMatch(/^\/login\?next=%2Fx+$/);
  expect(next.loginAddress(`/${"x".repeat(2_000)}`)).toBe("/login");
});
