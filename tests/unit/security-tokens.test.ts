// Forged, foreign and retired tokens, checked with the auth server's published keys, as when hosted: a real key server, rotated and
// stopped.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
type Auth = typeof import("../../edge-functions/_shared/requests/auth.ts");

const person = "0193a5e0-7b1a-7cc0-8f3e-2f6d0c1a9b42";
const published: { kid: string; pair: KeyPair; alg: string }[] = [];
let asked = 0;
let broken = false;
let server: Server;
let authenticate: Auth["authenticate"];
let signDirectToken: Auth["signDirectToken"];
let own: KeyPair;
let foreign: KeyPair;

beforeAll(async () => {
  server = createServer(async (_request, response) => {
    asked += 1;
    if (broken) return void response.writeHead(503).end();
    const keys = await Promise.all(
      published.map(async ({ kid, pair, alg }) => ({
        ...(await exportJWK(pair.publicKey)),
        kid,
        alg,
        use: "sig",
      })),
    );
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  for (const [name, value] of Object.entries({
    DATABASE_URL: "postgres://none",
    SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SUPABASE_ANON_KEY: "anon",
    SUPABASE_SERVICE_ROLE_KEY: "service",
    JWT_SECRET: "",
    WEB_URL: "http://127.0.0.1:2",
    SECRETS_KEY: "x".repeat(32),
  }))
    vi.stubEnv(name, value);
  ({ authenticate, signDirectToken } = await import("../../edge-functions/_shared/requests/auth.ts"));
  [own, foreign] = await Promise.all([
    generateKeyPair("ES256", { extractable: true }),
    generateKeyPair("ES256"),
  ]);
  published.push({ kid: "first", pair: own, alg: "ES256" });
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  broken = false;
  vi.useRealTimers();
});

const claims = { role: "authenticated", sub: person, aud: "authenticated" };

function sign(
  more: Record<string, unknown> = {},
  { key = own.privateKey as Parameters<SignJWT["sign"]>[0], header = {}, seconds = 3600 } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims, iat: now, exp: now + seconds, ...more })
    .setProtectedHeader({ alg: "ES256", kid: "first", ...header })
    .sign(key);
}

const outcome = (token: string, scheme = "Bearer") =>
  authenticate(new Headers({ authorization: `${scheme} ${token}` })).then(
    ({ kind }) => kind as string,
    (error: { code: string }) => error.code,
  );

/** Advances the clock, which decides when published keys are read again. */
function later(minutes: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
}

describe("an access token", () => {
  test("of the auth server's key is accepted", async () => {
    expect(await outcome(await sign())).toBe("user");
    expect(await outcome(await sign(), "bearer")).toBe("user");
  });

  test("that was cached is rejected when it has expired, or has another's signature", async () => {
    const token = await sign({}, { seconds: 30 });
    expect(await outcome(token)).toBe("user");
    expect(await outcome(`${token.slice(0, -8)}AAAAAAAA`)).toBe("NOT_AUTHENTICATED");
    later(0.4);
    expect(await outcome(token)).toBe("user");
    later(0.4);
    expect(await outcome(token)).toBe("NOT_AUTHENTICATED");
  });

  test("that is forged, foreign or for another audience is rejected", async () => {
    const now = Math.floor(Date.now() / 1000);
    const publicText = JSON.stringify(await exportJWK(own.publicKey));
    const hmac = (secret: string) =>
      sign({}, { key: new TextEncoder().encode(secret), header: { alg: "HS256" } });
    const [head = "", body = "", signature = ""] = (await sign()).split(".");
    const changed = Buffer.from(
      JSON.stringify({ ...claims, exp: now + 3600, sub: person.replace("0193", "0194") }),
    );
    const tokens: Record<string, string> = {
      unsigned: new UnsecuredJWT(claims).setExpirationTime("1h").encode(),
      "none in capitals": `${Buffer.from('{"alg":"NONE"}').toString("base64url")}.${body}.`,
      "signed with the public key as a secret": await hmac(publicText),
      "signed with nothing as a secret": await hmac("\0"),
      "another project's key": await sign({}, { key: foreign.privateKey }),
      "another project's key by its own name": await sign(
        {},
        { key: foreign.privateKey, header: { kid: "other" } },
      ),
      "a key of its own in the header": await sign(
        {},
        { key: foreign.privateKey, header: { jwk: await exportJWK(foreign.publicKey) } },
      ),
      "a key server of its own": await sign(
        {},
        { key: foreign.privateKey, header: { jku: "https://evil.test/jwks.json" } },
      ),
      "a key by a path": await sign({}, { key: foreign.privateKey, header: { kid: "../../../../dev/null" } }),
      "a key by SQL": await sign({}, { key: foreign.privateKey, header: { kid: "' union select 'x" } }),
      "critical extensions": `${Buffer.from('{"alg":"ES256","kid":"first","crit":["x"],"x":1}').toString("base64url")}.${body}.${signature}`,
      "another body": `${head}.${changed.toString("base64url")}.${signature}`,
      "no signature": `${head}.${body}.`,
      expired: await sign({}, { seconds: -60 }),
      "not yet valid": await sign({ nbf: now + 600 }),
      "another audience": await sign({ aud: "visitor" }),
      "no audience": await sign({ aud: undefined }),
      "no person": await sign({ sub: undefined }),
      "a person that is no id": await sign({ sub: "' or 1=1" }),
      ...Object.fromEntries(
        await Promise.all(
          [
            "postgres",
            "service_role",
            "supabase_admin",
            "authenticator",
            "anon",
            "Authenticated",
            ["authenticated"],
          ].map(async (role) => [`role ${role}`, await sign({ role })] as const),
        ),
      ),
      nonsense: "a.b.c",
      empty: "..",
      "five parts": "a.b.c.d.e",
      huge: `${"a".repeat(100_000)}.b.c`,
    };
    const taken: string[] = [];
    for (const [what, token] of Object.entries(tokens)) {
      const how = await outcome(token);
      if (how !== "NOT_AUTHENTICATED") taken.push(`${what}: ${how}`);
    }
    expect(taken).toEqual([]);
  });

  test("keeps its user, and no other claim", async () => {
    const token = await sign({
      admin: true,
      api_key_id: person,
      team_id: person,
      agent_id: person,
      is_admin: true,
    });
    expect((await authenticate(new Headers({ authorization: `Bearer ${token}` }))).claims).toEqual({
      role: "authenticated",
      sub: person,
    });
  });

  test("of a new key is accepted without a restart, and of a retired one rejected", async () => {
    const old = await sign({}, { seconds: 24 * 3600 });
    expect(await outcome(old)).toBe("user");
    const next = await generateKeyPair("ES256", { extractable: true });
    published.push({ kid: "second", pair: next, alg: "ES256" });
    later(1);
    const fresh = await sign({}, { key: next.privateKey, header: { kid: "second" } });
    expect(await outcome(fresh)).toBe("user");
    expect(await outcome(old)).toBe("user");
    published.shift();
    later(11);
    expect(await outcome(old)).toBe("NOT_AUTHENTICATED");
    expect(await outcome(fresh)).toBe("user");
    own = next;
    published[0] = { kid: "first", pair: next, alg: "ES256" };
    later(22);
    expect(await outcome(await sign())).toBe("user");
  });

  test("of an unknown key triggers one request to the key server, not one each time", async () => {
    later(40);
    await outcome(await sign());
    const before = asked;
    for (let round = 0; round < 20; round++)
      await outcome(await sign({}, { key: foreign.privateKey, header: { kid: `unknown-${round}` } }));
    expect(asked - before).toBe(1);
  });

  test("is accepted while the key server is down, and nobody is logged out when its keys are stale", async () => {
    later(80);
    expect(await outcome(await sign())).toBe("user");
    broken = true;
    expect(await outcome(await sign())).toBe("user");
    later(100);
    // Not 401: the web app would end the session.
    expect(await outcome(await sign())).toBe("UNAVAILABLE");
    broken = false;
    expect(await outcome(await sign())).toBe("user");
  });
});

test("an API key gets no token for PostgREST where only the auth server can sign", async () => {
  const signing = signDirectToken({
    kind: "apiKey",
    id: person,
    teamId: person,
    claims: { role: "authenticated", api_key_id: person, team_id: person },
  });
  await expect(signing).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
