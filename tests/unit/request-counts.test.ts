// The general request limit: per minute, by address and by caller, reset every minute.
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Caller } from "../../edge-functions/_shared/requests/auth.ts";
import type { ApiError } from "../../edge-functions/_shared/requests/errors.ts";
import type { AppEnv } from "../../edge-functions/v1/router.ts";
import { stubSettings } from "../support/function-settings.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

let counts: typeof import("../../edge-functions/v1/request-counts.ts");
beforeAll(async () => {
  stubSettings({ LIMIT_REQUESTS_PER_ADDRESS: "3", LIMIT_REQUESTS_PER_CALLER: "2" });
  counts = await import("../../edge-functions/v1/request-counts.ts");
});
afterAll(() => vi.unstubAllEnvs());
/** Each test has an hour of its own, since counts are per process. */
let hour = 1_800_000_000_000;
beforeEach(() => {
  hour += 3_600_000;
  vi.useFakeTimers({ toFake: ["Date"], now: hour });
});
afterEach(() => vi.useRealTimers());

/** 0 when the request is allowed, else the seconds to wait. */
async function request(from: string, caller: Caller, count: "limitAddresses" | "limitCallers") {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set("caller", caller);
    await next();
  });
  app.use(counts[count]);
  app.get("/", (c) => c.text("0"));
  app.onError((error, c) => c.text(String((error as ApiError).extra.retryAfterSeconds)));
  const answer = await app.request("/", { headers: { "X-Forwarded-For": from } });
  return Number(await answer.text());
}

const anonymous: Caller = { kind: "anonymous", claims: { role: "anon" } };
const visitor: Caller = { kind: "visitor", id: "v", claims: { role: "anon", visitor_id: "v" } };
const user: Caller = { kind: "user", id: "u", token: "", claims: { role: "authenticated", sub: "u" } };
const key: Caller = {
  kind: "apiKey",
  id: "u",
  teamId: "t",
  claims: { role: "authenticated", api_key_id: "u", team_id: "t" },
};
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const byAddress = (from: string) => request(from, anonymous, "limitAddresses");
const byCaller = (caller: Caller) => request("203.0.113.7", caller, "limitCallers");

test("an address has its requests per minute, and is told when the next minute starts", async () => {
  for (let made = 0; made < 3; made++) expect(await byAddress("203.0.113.7")).toBe(0);
  expect(await byAddress("203.0.113.7")).toBe(60);
  expect(await byAddress("203.0.113.8")).toBe(0);
  later(59.2);
  expect(await byAddress("203.0.113.7")).toBe(1);
  later(0.8);
  for (let made = 0; made < 3; made++) expect(await byAddress("203.0.113.7")).toBe(0);
  later(30);
  expect(await byAddress("203.0.113.7")).toBe(30);
});

test("a clock that is set back starts a new minute", async () => {
  for (let made = 0; made < 3; made++) expect(await byAddress("203.0.113.7")).toBe(0);
  later(-3_600);
  for (let made = 0; made < 3; made++) expect(await byAddress("203.0.113.7")).toBe(0);
  expect(await byAddress("203.0.113.7")).toBe(60);
});

test("a user and an API key have theirs from any address; others are counted by address only", async () => {
  for (const caller of [user, key]) {
    expect([await byCaller(caller), await byCaller(caller)]).toEqual([0, 0]);
    expect(await byCaller(caller)).toBe(60);
  }
  for (const caller of [visitor, anonymous])
    for (let made = 0; made < 4; made++) expect(await byCaller(caller)).toBe(0);
});
