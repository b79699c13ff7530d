// Owns which requests may pass to lite at all: a list of open doors, everything else is closed.
// Must not answer for rows: row-level security does that.
import type { Caller } from "./tokens.ts";

export type Verdict = "open" | "forbidden" | "missing";

const PUBLIC_AUTH = new Set(["/auth/v1/health", "/auth/v1/settings", "/auth/v1/.well-known/jwks.json"]);

/** Paths that answer without any credential: what hosted Supabase serves openly, and signed storage URLs. */
export function needsNoCredential(method: string, path: string, query: URLSearchParams): boolean {
  if (PUBLIC_AUTH.has(path)) return method === "GET";
  if (!query.get("token")) return false;
  if (/^\/storage\/v1\/object\/sign\/[^/]+\/.+/.test(path)) return method === "GET" || method === "HEAD";
  return method === "PUT" && /^\/storage\/v1\/object\/upload\/sign\/[^/]+\/.+/.test(path);
}

/**
 * Sign-up, passwords, codes and tokens are for /v1/auth alone, which limits guesses, checks bans and answers in
 * constant time; lite does none of it, so a browser may not go around.
 */
export function verdict(method: string, path: string, caller: Caller): Verdict {
  if (path.startsWith("/auth/v1/")) {
    if (caller.keyRole === "service_role" || caller.role === "service_role") return "open";
    return method === "GET" && path === "/auth/v1/user" ? "open" : "forbidden";
  }
  if (path === "/rest/v1" || path === "/rest/v1/")
    return caller.role === "service_role" ? "open" : "forbidden";
  if (path.startsWith("/rest/v1/")) return "open";
  if (path.startsWith("/storage/v1/")) return caller.role === "service_role" ? "open" : "forbidden";
  return "missing";
}
