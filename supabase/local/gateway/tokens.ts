// Owns the check of every credential that reaches auth, REST or storage: signature, expiry, role.
// Must not look into the database: what a token's holder may see is decided there.
import { type JWTPayload, jwtVerify } from "jose";

export const ROLES = ["anon", "authenticated", "service_role"] as const;
export type Role = (typeof ROLES)[number];

export interface Caller {
  /** Role of the credential that PostgREST would act as: the bearer token, or else the API key. */
  role: Role;
  /** Role of the `apikey` alone, which says what kind of program calls. */
  keyRole: Role | null;
  /** The token to act with. */
  token: string;
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
  hint?: string;
}

/**
 * Tells who calls from the `apikey` header or query and the bearer token, as Supabase's gateway does.
 * A validly signed token whose role is not one of the three is refused: lite would switch to any role that it names.
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
    // The early returns above leave a key whenever there is no bearer.
    return keyRole && apikey ? { role: keyRole, keyRole, token: apikey } : unusable;
  }
  const role = await roleOf(bearer, secret);
  return role ? { role, keyRole, token: bearer } : unusable;
}

const unusable: Refusal = { status: 401, code: "PGRST301", message: "JWT expired, malformed or not ours" };

/** Whether a signed storage address carries a token of ours; lite answers 500 to any other. Its scope is lite's to check. */
export async function isSigned(token: string, secret: Uint8Array): Promise<boolean> {
  return jwtVerify(token, secret, { algorithms: ["HS256"], requiredClaims: ["exp", "intent"] }).then(
    () => true,
    () => false,
  );
}

/** null: no header. undefined: a header that carries no bearer token. */
function readBearer(header: string | null): string | null | undefined {
  if (header === null) return null;
  return /^bearer +([^\s]+)$/i.exec(header)?.[1];
}

async function roleOf(token: string, secret: Uint8Array): Promise<Role | null> {
  let claims: JWTPayload;
  try {
    claims = (await jwtVerify(token, secret, { algorithms: ["HS256"], requiredClaims: ["exp"] })).payload;
  } catch {
    return null;
  }
  return ROLES.find((role) => role === claims.role) ?? null;
}
