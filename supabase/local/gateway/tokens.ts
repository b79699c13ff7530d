// Owns the check of every credential for auth, REST or storage: signature, expiry, role. Must not query the database,
// which decides what the holder may see.
import { type JWTPayload, jwtVerify } from "jose";

export const ROLES = ["anon", "authenticated", "service_role"] as const;
export type Role = (typeof ROLES)[number];

export interface Caller {
  /** Role that PostgREST would use: of the bearer token, else of the API key. */
  role: Role;
  /** Role of the `apikey` alone, which identifies the kind of program. */
  keyRole: Role | null;
  /** The token to act with. */
  token: string;
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
  hint?: string;
  /** Seconds. */
  retryAfter?: number;
}

/**
 * Identifies the caller from the `apikey` header or query and the bearer token, as Supabase's gateway does. Rejects a
 * validly signed token with any other role than the three: lite would switch to any role that a token names.
 */
export async function identify(request: Request, secret: Uint8Array): Promise<Caller | Refusal> {
  const url = new URL(request.url);
  const apikey = request.headers.get("apikey") ?? url.searchParams.get("apikey");
  const bearer = readBearer(request.headers.get("authorization"));
  if (bearer === undefined)
    return { status: 401, code: "PGRST301", message: "The Authorization header is not a bearer token" };
  if (!apikey && !bearer) {
    return {
      status: 401,
      code: "no_api_key",
      message: "No API key found in request",
      hint: "No `apikey` request header or url param was found.",
    };
  }
  const keyRole = apikey ? await roleOf(apikey, secret) : null;
  if (apikey && !keyRole) return { status: 401, code: "invalid_api_key", message: "Invalid API key" };
  if (!bearer || bearer === apikey) {
    // Without a bearer token there is a key: the returns above cover the other cases.
    return keyRole && apikey ? { role: keyRole, keyRole, token: apikey } : unusable;
  }
  const role = await roleOf(bearer, secret);
  return role ? { role, keyRole, token: bearer } : unusable;
}

const unusable: Refusal = { status: 401, code: "PGRST301", message: "JWT expired, malformed or not ours" };

/** True when a signed storage URL has a token signed by us. Checked here because lite answers 500 to any other; lite checks its scope. */
export async function isSigned(token: string, secret: Uint8Array): Promise<boolean> {
  return jwtVerify(token, secret, { algorithms: ["HS256"], requiredClaims: ["exp", "intent"] }).then(
    () => true,
    () => false,
  );
}

/** null: no header. undefined: a header without a bearer token. */
function readBearer(header: string | null): string | null | undefined {
  if (header === null) return null;
  return /^bearer +([^\s]+)$/i.exec(header)?.[1];
}

/** Roles of the latest tokens, by the whole token, so that each signature is checked once. */
const known = new Map<string, { role: Role; expires: number; secret: Uint8Array }>();
const mostKnown = 1000;

async function roleOf(token: string, secret: Uint8Array): Promise<Role | null> {
  const seen = known.get(token);
  if (seen?.secret === secret && seen.expires * 1000 > Date.now()) return seen.role;
  known.delete(token);
  let claims: JWTPayload;
  try {
    claims = (await jwtVerify(token, secret, { algorithms: ["HS256"], requiredClaims: ["exp"] })).payload;
  } catch {
    return null;
  }
  const role = ROLES.find((one) => one === claims.role);
  if (!role) return null;
  known.set(token, { role, expires: claims.exp ?? 0, secret });
  const [oldest = token] = known.keys();
  if (known.size > mostKnown) known.delete(oldest);
  return role;
}
