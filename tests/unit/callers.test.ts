// Identifying callers without an auth server: platform keys, API keys, visitors, and tokens signed with JWT_SECRET.
import { createHash, createHmac } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../edge-functions/_shared/requests/auth.ts";
import { stubSettings } from "../support/function-settings.ts";
import { answer, reset, statements } from "../support/scripted-database.ts";

vi.mock("../../edge-functions/_shared/database/db.ts", () => import("../support/scripted-database.ts"));

const id = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";
const other = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b43";
const [current, earlier] = ["n".repeat(32), "o".repeat(32)];
const secret = "jwt-secret-of-these-tests-32-bytes";
let auth: typeof import("../../edge-functions/_shared/requests/auth.ts");
let keys: typeof import("../../edge-functions/_shared/requests/platform-keys.ts");

beforeAll(async () => {
  stubSettings({
    SECRETS_KEY: `${current},${earlier}`,
    JWT_SECRET: secret,
    SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_1"}',
    SUPABASE_SECRET_KEYS: '{"default":"sb_secret_1"}',
  });
  auth = await import("../../edge-functions/_shared/requests/auth.ts");
  keys = await import("../../edge-functions/_shared/requests/platform-keys.ts");
});
beforeEach(reset);
afterEach(() => vi.useRealTimers());

const call = (headers: Record<string, string>) => auth.authenticate(new Headers(headers));
const bearer = (token: string, more: Record<string, string> = {}) =>
  call({ authorization: `Bearer ${token}`, ...more });
const expectRefusal = (made: Promise<Caller>) =>
  expect(made).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
const anonymous = { kind: "anonymous", claims: { role: "anon" } };
const service = { kind: "service", claims: { role: "service_role" } };

describe("a platform key", () => {
  test("identifies nobody when public, and the service when secret", async () => {
    expect(await call({})).toEqual(anonymous);
    expect(await bearer("anon")).toEqual(anonymous);
    expect(await bearer("sb_publishable_1")).toEqual(anonymous);
    expect(await bearer("service")).toEqual(service);
    expect(await call({ apikey: "sb_secret_1" })).toEqual(service);
    expect(await call({ apikey: "sb_publishable_1" })).toEqual(anonymous);
  });

  test("does not override a bearer token", async () => {
    expect(await bearer("anon", { apikey: "service" })).toEqual(anonymous);
    await expectRefusal(bearer("nonsense", { apikey: "service" }));
  });

  test.each([
    "Basic service",
    "Digest service",
    "Bearer",
    "Bearer  service",
    "Bearer ser vice",
    "x Bearer service",
  ])("is not read from %j", async (authorization) => await expectRefusal(call({ authorization })));

  test("is recognised in either header, and never as part of another", () => {
    const from = (headers: Record<string, string>) => keys.isFromService(new Headers(headers));
    expect(from({ authorization: "bearer service" })).toBe(true);
    expect(from({ apikey: "sb_secret_1" })).toBe(true);
    expect(from({ authorization: "Bearer anon", apikey: "service" })).toBe(true);
    for (const headers of [
      {},
      { apikey: "servic" },
      { apikey: "anon" },
      { authorization: "Bearer service2" },
    ])
      expect(from(headers as Record<string, string>)).toBe(false);
    expect([keys.isServiceKey(""), keys.isServiceKey(null), keys.isPublicKey(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("of the newer kind is sent without a bearer token", () => {
    expect(keys.platformHeaders()).toEqual({ apikey: "sb_secret_1" });
    expect(keys.platformHeaders("token")).toEqual({ apikey: "sb_secret_1", Authorization: "Bearer token" });
  });
});

describe("a visitor's token", () => {
  const callAsVisitor = (token: string) => call({ "x-visitor-token": token });
  const keyOf = (text: string) => createHmac("sha256", text).update("visitor-token").digest();
  const sign = (claims: Record<string, unknown>, key: Uint8Array, audience = "visitor", ends = "1h") =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .setAudience(audience)
      .setExpirationTime(ends)
      .sign(key);
  const visitor = { kind: "visitor", id, claims: { role: "anon", visitor_id: id } };

  test("identifies its visitor for a year, beside the public key too", async () => {
    const token = await auth.signVisitorToken(id);
    expect(await callAsVisitor(token)).toEqual(visitor);
    expect(await bearer("anon", { "x-visitor-token": token })).toEqual(visitor);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 364 * 86_400_000 });
    expect(await callAsVisitor(token)).toEqual(visitor);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 86_400_000 });
    await expectRefusal(callAsVisitor(token));
  });

  test("is signed with the current key, and accepted with an earlier one", async () => {
    const token = await auth.signVisitorToken(id);
    await expect(jwtVerify(token, keyOf(current))).resolves.toBeTruthy();
    expect(await callAsVisitor(await sign({ visitor_id: id }, keyOf(earlier)))).toEqual(visitor);
  });

  test("is rejected with another key, for another audience, and without a visitor", async () => {
    await expectRefusal(callAsVisitor(await sign({ visitor_id: id }, keyOf("z".repeat(32)))));
    await expectRefusal(callAsVisitor(await sign({ visitor_id: id }, new TextEncoder().encode(current))));
    await expectRefusal(callAsVisitor(await sign({ visitor_id: id }, keyOf(current), "authenticated")));
    await expectRefusal(callAsVisitor(await sign({ visitor_id: 7 }, keyOf(current))));
    await expectRefusal(callAsVisitor(await sign({ visitor_id: `x${id}` }, keyOf(current))));
    await expectRefusal(callAsVisitor(await sign({}, keyOf(current))));
    await expectRefusal(callAsVisitor("nonsense"));
  });

  test("is no access token", async () => {
    await expectRefusal(bearer(await auth.signVisitorToken(id)));
  });
});

describe("an access token of JWT_SECRET", () => {
  const sign = (claims: Record<string, unknown> = {}, key = secret, seconds = 3600) =>
    new SignJWT({ role: "authenticated", sub: id, aud: "authenticated", ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(new TextEncoder().encode(key));

  test("identifies its user and session", async () => {
    const token = await sign({ session_id: other });
    const claims = { role: "authenticated", sub: id, session_id: other };
    expect(await bearer(token)).toEqual({ kind: "user", id, token, claims });
  });

  test("has no session when that is no id", async () => {
    for (const session_id of ["x", 7, `${other}x`, [other]]) {
      const caller = await bearer(await sign({ session_id }));
      expect(caller.claims).toEqual({ role: "authenticated", sub: id });
    }
  });

  test("is rejected with another secret, audience, role or subject", async () => {
    await expectRefusal(bearer(await sign({}, "another-secret-that-nobody-knows")));
    await expectRefusal(bearer(await sign({ aud: "visitor" })));
    await expectRefusal(bearer(await sign({ role: "service_role" })));
    await expectRefusal(bearer(await sign({ sub: `${id}0` })));
    await expectRefusal(bearer(await sign({ sub: 7 })));
  });

  test("is cached until it expires", async () => {
    const token = await sign({}, secret, 30);
    const first = await bearer(token);
    expect(await bearer(token)).toBe(first);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20_000 });
    expect(await bearer(token)).toBe(first);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    await expectRefusal(bearer(token));
  });

  test("is checked again after a minute, and expires on time", async () => {
    const token = await sign({});
    const first = await bearer(token);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    const again = await bearer(token);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});

describe("unreadable published keys", () => {
  test("decide nothing about a token", async () => {
    const token = [{ alg: "ES256", kid: "k" }, { sub: id }, ""]
      .map((part) => (part === "" ? "c2ln" : Buffer.from(JSON.stringify(part)).toString("base64url")))
      .join(".");
    const failures: [unknown, string][] = [
      [new TypeError("fetch failed"), "UNAVAILABLE"],
      [new TypeError("Invalid key"), "NOT_AUTHENTICATED"],
      [new errors.JWKSTimeout(), "UNAVAILABLE"],
      [new errors.JWKSInvalid(), "UNAVAILABLE"],
      [new errors.JOSEError("Expected 200 OK"), "UNAVAILABLE"],
      [new Error("fetch"), "NOT_AUTHENTICATED"],
    ];
    for (const [failure, code] of failures) {
      vi.stubGlobal("fetch", () => Promise.reject(failure));
      await expect(bearer(token)).rejects.toMatchObject({ code });
    }
    vi.unstubAllGlobals();
  });
});

describe("an API key", () => {
  const half = "A".repeat(43);
  const row = (teamId = "team") => ({ id, teamId, secretHash: createHash("sha256").update(half).digest() });
  const key = (prefix: string, rest = half) => `prl_${prefix}_${rest}`;
  const caller = {
    kind: "apiKey",
    id,
    teamId: "team",
    claims: { role: "authenticated", api_key_id: id, team_id: "team" },
  };

  test("identifies itself and its team, and is looked up once by its prefix", async () => {
    answer([row()]);
    expect(await bearer(key("abcdefg1"))).toEqual(caller);
    expect(await bearer(key("abcdefg1"))).toEqual(caller);
    expect(statements.map(({ values }) => values)).toEqual([["abcdefg1"]]);
    expect(auth.hashApiKeySecret(half)).toEqual(row().secretHash);
  });

  test("is rejected with another secret, and when unknown, with a lookup each time", async () => {
    answer([row()], [], []);
    await expectRefusal(bearer(key("abcdefg2", "B".repeat(43))));
    await expectRefusal(bearer(key("abcdefg3")));
    await expectRefusal(bearer(key("abcdefg3")));
    expect(statements).toHaveLength(3);
  });

  test.each([
    "prl_",
    "prl_short_x",
    key("abcdefg"),
    key("abcdefg12"),
    key("abcdefg4", "A".repeat(42)),
    `x${key("abcdefg4")}`,
  ])("is rejected as %s, without a lookup", async (token) => {
    await expectRefusal(bearer(token));
    expect(statements).toEqual([]);
  });

  test("yields a token for PostgREST, valid for a quarter of an hour, which the API rejects", async () => {
    const direct = await auth.signDirectToken({
      kind: "apiKey",
      id,
      teamId: "team",
      claims: { role: "authenticated", api_key_id: id, team_id: "team" },
    });
    expect(direct.expiresIn).toBe(900);
    const { payload } = await jwtVerify(direct.accessToken, new TextEncoder().encode(secret));
    expect(payload).toMatchObject({
      ...caller.claims,
      aud: "authenticated",
      iss: "http://127.0.0.1:1/functions/v1/v1",
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    await expectRefusal(bearer(direct.accessToken));
  });
});
