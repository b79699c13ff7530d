// What a page's request asks the API for, and how often: what was asked ahead is taken once.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startUpstream, type Upstream } from "../support/upstream.ts";

let upstream: Upstream;
let open: (accessToken: string) => import("../../web/server/api.ts").Api;
let asked: string[];

const jwt = (name: string) =>
  ["{}", JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 600, name }), ""]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");

beforeAll(async () => {
  upstream = await startUpstream();
  vi.stubEnv("SUPABASE_URL", upstream.url);
  vi.stubEnv("COOKIE_SECRET", "only-for-this-test");
  const { createApi } = await import("../../web/server/api.ts");
  const { cookieJar } = await import("../../web/server/cookies.ts");
  const { writeSession } = await import("../../web/server/session.ts");
  open = (accessToken) => {
    const cookies = cookieJar(null);
    writeSession(cookies, { accessToken, refreshToken: `refresh-${accessToken}` });
    return createApi({
      cookies,
      requestId: "request-of-the-web",
      clientAddress: "",
      locale: "en",
      userAgent: "",
      signal: new AbortController().signal,
      pagePath: "/dashboard",
    });
  };
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await upstream.close();
  vi.unstubAllEnvs();
});

test("what was asked ahead is handed over once; later it is asked anew", async () => {
  upstream.handle((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ count: asked.length }));
  });
  const api = open(jwt("ahead"));
  const agents = { teamId: "t", perPage: 100 };
  await api.getAhead("/v1/teams/{teamId}/agents", agents);
  expect(await api.get("/v1/teams/{teamId}/agents", agents)).toEqual({ count: 1 });
  expect(await api.get("/v1/teams/{teamId}/agents", agents)).toEqual({ count: 2 });
  // Another page of it is another question.
  await api.getAhead("/v1/teams/{teamId}/agents", agents);
  expect(await api.get("/v1/teams/{teamId}/agents", { ...agents, page: 2 })).toEqual({ count: 4 });
  expect(asked).toHaveLength(4);
});

test("a failure ahead meets whoever takes it, and nobody else", async () => {
  upstream.handle((_request, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ code: "NOT_FOUND", message: "None", requestId: "r" }));
  });
  const api = open(jwt("fails"));
  const agent = { teamId: "t", id: "a" };
  await expect(api.getAhead("/v1/teams/{teamId}/agents/{id}", agent)).rejects.toThrow("None");
  await expect(api.get("/v1/teams/{teamId}/agents/{id}", agent)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
