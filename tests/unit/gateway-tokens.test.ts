// The keys and tokens that the gateway accepts, and the role that each gives.
import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, it, vi } from "vitest";
import { identify, isSigned, ROLES } from "../../supabase/local/gateway/tokens.ts";
import { jwtSecret, signToken } from "../support/gateway.ts";
import fc from "../support/property-cases.ts";

const secret = new TextEncoder().encode(jwtSecret);

function call(headers: Record<string, string>, query = "") {
  return identify(new Request(`http://gateway/rest/v1/teams${query}`, { headers }), secret);
}

function makeUnsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}

const sign = (claims: JWTPayload, alg = "HS256") =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(secret);

describe("identify", () => {
  it.each(ROLES)("recognises %s by its key and by its bearer token", async (role) => {
    const token = await signToken({ role });
    expect(await call({ apikey: token })).toMatchObject({ role, keyRole: role, token });
    expect(await call({ authorization: `Bearer ${token}` })).toMatchObject({ role, keyRole: null, token });
    expect(await call({}, `?apikey=${token}`)).toMatchObject({ role });
  });

  it("acts as the bearer and keeps the key's role apart", async () => {
    const [apikey, token] = await Promise.all([
      signToken({ role: "service_role" }),
      signToken({ role: "authenticated", sub: "x" }),
    ]);
    expect(await call({ apikey, authorization: `Bearer ${token}` })).toMatchObject({
      role: "authenticated",
      keyRole: "service_role",
      token,
    });
  });

  it("rejects every other role, whatever its name and signature", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (role) => {
        fc.pre(!ROLES.some((known) => known === role));
        const claims = role === undefined ? {} : { role: JSON.parse(JSON.stringify(role) ?? "null") };
        fc.pre(!ROLES.some((known) => known === claims.role));
        expect(await call({ authorization: `Bearer ${await signToken(claims)}` })).toMatchObject({
          status: 401,
        });
      }),
      { numRuns: 50 },
    );
    for (const role of ["postgres", "supabase_admin", "authenticator", "Service_Role", "service_role "]) {
      expect(await call({ apikey: await signToken({ role }) })).toMatchObject({ status: 401 });
    }
  });

  const far = Math.floor(Date.now() / 1000) + 3600;
  it.each([
    ["no signature", () => makeUnsigned({ role: "service_role", exp: far })],
    ["another key", () => signToken({ role: "service_role" }, "1h", "another-key-that-is-long-enough-too")],
    ["an expired token", () => signToken({ role: "service_role" }, "-1m")],
    ["no end", () => sign({ role: "anon" })],
    ["another algorithm", () => sign({ role: "anon", exp: far }, "HS512")],
    ["nonsense", () => "a.b.c"],
  ])("rejects %s, as a key and as a bearer", async (_name, make) => {
    const token = await make();
    expect(await call({ authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
    expect(await call({ apikey: token })).toMatchObject({ status: 401, message: "Invalid API key" });
  });

  it("rejects a valid key beside an invalid bearer, and the reverse", async () => {
    const good = await signToken({ role: "anon" });
    expect(await call({ apikey: good, authorization: "Bearer a.b.c" })).toMatchObject({ status: 401 });
    expect(await call({ apikey: "a.b.c", authorization: `Bearer ${good}` })).toMatchObject({ status: 401 });
    expect(await call({ apikey: good, authorization: `Basic ${good}` })).toMatchObject({ status: 401 });
  });

  it("rejects a token that it accepted, once it has expired and under another secret", async () => {
    const token = await signToken({ role: "anon" }, "2m");
    expect(await call({ apikey: token })).toMatchObject({ role: "anon" });
    const elsewhere = new Request("http://gateway/rest/v1/teams", { headers: { apikey: token } });
    expect(await identify(elsewhere, new TextEncoder().encode("a".repeat(40)))).toMatchObject({
      status: 401,
    });
    expect(await call({ apikey: token })).toMatchObject({ role: "anon" });
    vi.useFakeTimers({ now: Date.now() + 121_000, toFake: ["Date"] });
    expect(await call({ apikey: token })).toMatchObject({ status: 401 });
    vi.useRealTimers();
  });

  it("requires a key", async () => {
    expect(await call({})).toMatchObject({ status: 401, message: "No API key found in request" });
  });
});

describe("isSigned", () => {
  it("accepts storage tokens only: a session's token opens no object", async () => {
    expect(await isSigned(await signToken({ sub: "a", bucket: "files", intent: "download" }), secret)).toBe(
      true,
    );
    expect(await isSigned(await signToken({ role: "service_role" }), secret)).toBe(false);
    expect(await isSigned("junk", secret)).toBe(false);
  });
});
