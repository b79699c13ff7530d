// Owns a stand-in project's keys, legacy or newer, and their tokens. The servers behind the gateway only know HS256, so a newer project's
// user tokens are re-signed on the way out.
import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from "jose";

export interface ProjectKeys {
  kind: "legacy" | "new";
  /** The servers' signing secret; a legacy project shows it to its owner. */
  jwtSecret: string;
  anonJwt: string;
  serviceJwt: string;
  jwks: JSONWebKeySet;
  /** The functions' environment. */
  environment: Record<string, string>;
  /** The service key, as the project's owner copies it. */
  secret: string;
  /** As the Management API lists them. */
  list: Record<string, unknown>[];
  /** The token of a key's role; undefined for another project's key. */
  tokenOf(key: string): string | undefined;
  /** A caller's token for the servers. @throws Error for a key in its place, and for another project's token */
  translate(bearer: string): Promise<string>;
  /** An answer of the auth server with the callers' form of the token. */
  sign(response: Response): Promise<Response>;
}

const year = 365 * 24 * 3600;

export async function makeKeys(kind: "legacy" | "new", ref: string): Promise<ProjectKeys> {
  const jwtSecret = randomBytes(48).toString("base64url");
  const symmetric = new TextEncoder().encode(jwtSecret);
  const inner = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(symmetric);
  const ofRole = (role: string) => {
    const now = Math.floor(Date.now() / 1000);
    return inner({ iss: "supabase", ref, role, iat: now, exp: now + 10 * year });
  };
  const [anonJwt, serviceJwt] = await Promise.all([ofRole("anon"), ofRole("service_role")]);
  const shared = { kind, jwtSecret, anonJwt, serviceJwt };
  if (kind === "legacy") {
    return {
      ...shared,
      jwks: { keys: [] },
      environment: { SUPABASE_ANON_KEY: anonJwt, SUPABASE_SERVICE_ROLE_KEY: serviceJwt },
      secret: serviceJwt,
      list: [describeKey("anon", "legacy", anonJwt), describeKey("service_role", "legacy", serviceJwt)],
      tokenOf: (key) => (key === anonJwt || key === serviceJwt ? key : undefined),
      translate: async (bearer) => {
        await jwtVerify(bearer, symmetric, { algorithms: ["HS256"] });
        return bearer;
      },
      sign: async (response) => response,
    };
  }
  const pair = await generateKeyPair("ES256");
  const kid = randomBytes(8).toString("hex");
  const publishable = `sb_publishable_${randomBytes(16).toString("base64url")}`;
  const secret = `sb_secret_${randomBytes(16).toString("base64url")}`;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: "ES256", use: "sig" };
  return {
    ...shared,
    jwks: { keys: [jwk] },
    environment: {
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publishable }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: secret }),
      SUPABASE_JWKS: JSON.stringify({ keys: [jwk] }),
    },
    secret,
    list: [describeKey("default", "publishable", publishable), describeKey("default", "secret", secret)],
    tokenOf: (key) => ({ [publishable]: anonJwt, [secret]: serviceJwt })[key],
    translate: async (bearer) => {
      if (bearer.startsWith("sb_")) throw new Error("A key is no token");
      return await inner((await jwtVerify(bearer, pair.publicKey, { algorithms: ["ES256"] })).payload);
    },
    sign: async (response) => {
      const body = await response.json();
      if (typeof body?.access_token === "string") {
        const { payload } = await jwtVerify(body.access_token, symmetric);
        body.access_token = await new SignJWT(payload)
          .setProtectedHeader({ alg: "ES256", typ: "JWT", kid })
          .sign(pair.privateKey);
      }
      return Response.json(body, { status: response.status });
    },
  };
}

function describeKey(name: string, type: string, key: string): Record<string, unknown> {
  return {
    id: `${name}-${type}`,
    name,
    type,
    api_key: key,
    hash: "hash",
    prefix: key.slice(0, 5),
    description: null,
  };
}
