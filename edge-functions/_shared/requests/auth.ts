// Owns authentication: turns an access token, API key or visitor token into claims for Postgres.
// Must not decide what a caller may do: row-level security does.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { asService, type Claims } from "../database/db.ts";
import { env } from "../env.ts";
import { ApiError } from "./errors.ts";
import { isPublicKey, isServiceKey } from "./platform-keys.ts";

export type Caller =
  | { kind: "user"; id: string; claims: Extract<Claims, { sub: string }>; token: string }
  | { kind: "apiKey"; id: string; teamId: string; claims: Claims }
  | { kind: "visitor"; id: string; claims: Claims }
  | { kind: "anonymous"; claims: Claims }
  | { kind: "service"; claims: Claims };

/** A caller without credentials. */
export const anonymous: Caller = { kind: "anonymous", claims: { role: "anon" } };
const service: Caller = { kind: "service", claims: { role: "service_role" } };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const apiKeyPattern = /^prl_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/;

/**
 * Identifies the caller.
 * @param headers Authorization; apikey, for the service only, whose newer keys are not bearer tokens; X-Visitor-Token, read when there is
 *   no bearer token
 * @throws ApiError NOT_AUTHENTICATED for a malformed, expired, forged or revoked token
 */
export async function authenticate(headers: Headers): Promise<Caller> {
  const authorization = headers.get("Authorization");
  const visitorToken = headers.get("X-Visitor-Token");
  if (!authorization) {
    if (isServiceKey(headers.get("apikey"))) return service;
    return visitorToken ? await authenticateVisitor(visitorToken) : anonymous;
  }
  const token = authorization.slice("Bearer ".length);
  if (!/^Bearer [\x21-\x7e]/i.test(authorization) || /[^\x21-\x7e]/.test(token)) {
    throw new ApiError("NOT_AUTHENTICATED");
  }
  if (token.startsWith("prl_")) return await authenticateKey(token);
  const known = verifiedUsers.get(token);
  if (known) return known;
  // supabase-js sends the public key when it has no session.
  if (isPublicKey(token)) return visitorToken ? await authenticateVisitor(visitorToken) : anonymous;
  if (isServiceKey(token)) return service;
  return await authenticateUser(token);
}

/** Signs a token for a visitor without an account. Valid for a year; it opens only the visitor's own chats. */
export async function signVisitorToken(visitorId: string): Promise<string> {
  return await new SignJWT({ visitor_id: visitorId })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience("visitor")
    .setIssuedAt()
    .setExpirationTime("365d")
    .sign(visitorKeys()[0]);
}

/** Lifetime of an API key's token. A deleted key ends it earlier: policies look the key up. */
const directTokenSeconds = 15 * 60;

/**
 * An access token with the claims of an API key, for PostgREST, which does not know API keys. It names no user, so it opens neither /v1
 * nor the auth server, and cannot be exchanged for another token.
 * @throws ApiError UNAVAILABLE if access tokens are signed with keys that only Supabase holds
 */
export async function signDirectToken({ claims }: Extract<Caller, { kind: "apiKey" }>) {
  const { JWT_SECRET, SUPABASE_URL } = env();
  if (!JWT_SECRET) {
    throw new ApiError("UNAVAILABLE", "This installation cannot sign tokens: JWT_SECRET is not set.");
  }
  const accessToken = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(`${SUPABASE_URL}/functions/v1/v1`)
    .setAudience("authenticated")
    .setIssuedAt()
    .setExpirationTime(`${directTokenSeconds}s`)
    .sign(new TextEncoder().encode(JWT_SECRET));
  return { accessToken, expiresIn: directTokenSeconds };
}

/** SHA-256 of an API key's secret. Slow hashes protect passwords that people choose; this is 256 random bits. */
export function hashApiKeySecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

async function authenticateVisitor(token: string): Promise<Caller> {
  const payload = await requireValid(() => verifyVisitorToken(token));
  const id = payload.visitor_id;
  if (typeof id !== "string" || !uuid.test(id)) throw new ApiError("NOT_AUTHENTICATED");
  return { kind: "visitor", id, claims: { role: "anon", visitor_id: id } };
}

type Verified = Extract<Caller, { kind: "user" }>;

/**
 * Cache of verified users by token: verifying a signature costs more than the rest of a short call, and a client sends the same token for
 * an hour. The cache covers only the signature and the times, which are times of day; Postgres checks the session on each call.
 */
const verifiedUsers = new LRUCache<string, Verified>({
  max: 2000,
  perf: { now: () => Date.now() },
  ttlResolution: 0,
});
/** A revoked signing key is accepted for at most this long. */
const longestVerifiedMs = 60_000;

async function authenticateUser(token: string): Promise<Caller> {
  const { caller, expiresAt } = await verifyUser(token);
  const ttl = Math.min(expiresAt - Date.now(), longestVerifiedMs);
  if (ttl > 0) verifiedUsers.set(token, caller, { ttl });
  return caller;
}

async function verifyUser(token: string): Promise<{ caller: Verified; expiresAt: number }> {
  const payload = await requireValid(() => verifyAccessToken(token));
  if (payload.role !== "authenticated" || typeof payload.sub !== "string" || !uuid.test(payload.sub)) {
    throw new ApiError("NOT_AUTHENTICATED");
  }
  const { sub: id, session_id } = payload;
  const session = typeof session_id === "string" && uuid.test(session_id) ? { session_id } : {};
  const caller = { kind: "user", id, token, claims: { role: "authenticated", sub: id, ...session } } as const;
  return { caller, expiresAt: (payload.exp ?? Number.POSITIVE_INFINITY) * 1000 };
}

let publishedKeys: ReturnType<typeof createRemoteJWKSet> | undefined;

async function verifyAccessToken(token: string) {
  const { JWT_SECRET, SUPABASE_INTERNAL_URL } = env();
  const audience = "authenticated";
  // The header only selects one of two fixed algorithms; neither path trusts the header's own.
  if (JWT_SECRET && decodeProtectedHeader(token).alg === "HS256") {
    return await jwtVerify(token, new TextEncoder().encode(JWT_SECRET), { algorithms: ["HS256"], audience });
  }
  publishedKeys ??= createRemoteJWKSet(new URL(`${SUPABASE_INTERNAL_URL}/auth/v1/.well-known/jwks.json`));
  return await jwtVerify(token, publishedKeys, { algorithms: ["ES256", "RS256", "EdDSA"], audience });
}

async function requireValid(verify: () => Promise<{ payload: JWTPayload }>): Promise<JWTPayload> {
  try {
    return (await verify()).payload;
  } catch (cause) {
    // If the published keys cannot be fetched, the token may be valid: a 401 would log everybody out.
    throw new ApiError(isOfToken(cause) ? "NOT_AUTHENTICATED" : "UNAVAILABLE", undefined, { cause });
  }
}

/** True when the token failed verification, which all jose errors mean, except those about fetching keys. */
function isOfToken(cause: unknown): boolean {
  if (cause instanceof errors.JWKSTimeout || cause instanceof errors.JWKSInvalid) return false;
  return cause instanceof errors.JOSEError ? cause.constructor !== errors.JOSEError : !isFetchFailure(cause);
}

const isFetchFailure = (cause: unknown) =>
  cause instanceof TypeError && /fetch|network|connect/i.test(cause.message);

type KnownKey = { id: string; teamId: string; secretHash: Uint8Array };

/** Cache of API keys by prefix. A key never changes, and asCaller() checks on each call that it still exists. */
const knownKeys = new LRUCache<string, KnownKey>({ max: 1000 });

async function authenticateKey(token: string): Promise<Caller> {
  const parts = apiKeyPattern.exec(token);
  const [, prefix = "", secret = ""] = parts ?? [];
  if (!parts) throw new ApiError("NOT_AUTHENTICATED");
  const found = knownKeys.get(prefix) ?? (await lookUpKey(prefix));
  if (!found || !timingSafeEqual(found.secretHash, hashApiKeySecret(secret))) {
    throw new ApiError("NOT_AUTHENTICATED");
  }
  const { id, teamId } = found;
  return { kind: "apiKey", id, teamId, claims: { role: "authenticated", api_key_id: id, team_id: teamId } };
}

/** Runs as the service: the caller is not known yet. */
async function lookUpKey(prefix: string): Promise<KnownKey | undefined> {
  const [found] = await asService(
    (tx) => tx<KnownKey[]>`select id, team_id, secret_hash from public.api_keys where prefix = ${prefix}`,
  );
  if (found) knownKeys.set(prefix, found);
  return found;
}

/** Tries every key, so that a token stays valid after a key rotation. */
async function verifyVisitorToken(token: string) {
  const [current, ...earlier] = visitorKeys();
  const verify = (key: Uint8Array) => jwtVerify(token, key, { algorithms: ["HS256"], audience: "visitor" });
  let answer = verify(current);
  for (const key of earlier) answer = answer.catch(() => verify(key));
  return await answer;
}

/** Keys derived for visitor tokens only, so that no visitor token is valid elsewhere. The first one signs. */
function visitorKeys(): [Uint8Array, ...Uint8Array[]] {
  const derive = (secret: string) => createHmac("sha256", secret).update("visitor-token").digest();
  const [current, ...earlier] = env().SECRETS_KEY;
  return [derive(current), ...earlier.map(derive)];
}
