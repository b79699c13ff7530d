// Owns which requests may reach lite: an allow-list; everything else is refused. Does not decide about rows: row-level
// security does.
import type { Caller } from "./tokens.ts";

export type Verdict = "open" | "forbidden" | "missing";

const PUBLIC_AUTH = new Set(["/auth/v1/health", "/auth/v1/settings", "/auth/v1/.well-known/jwks.json"]);

/** A table or a function. lite describes the schema at the other paths, or fails. */
const REST_ROWS = /^\/rest\/v1\/(?:rpc\/)?\w+$/;

/** Requests that need no credential: those that hosted Supabase serves openly, and signed storage URLs. */
export function needsNoCredential(method: string, path: string, query: URLSearchParams): boolean {
  if (PUBLIC_AUTH.has(path)) return method === "GET";
  if (!query.get("token")) return false;
  if (/^\/storage\/v1\/object\/sign\/[^/]+\/.+/.test(path)) return method === "GET" || method === "HEAD";
  return method === "PUT" && /^\/storage\/v1\/object\/upload\/sign\/[^/]+\/.+/.test(path);
}

/**
 * Only /v1/auth may call sign-up, passwords, codes and tokens. It limits guesses, checks bans and answers in constant time, and lite does
 * none of this. So a browser may not bypass /v1/auth.
 */
export function verdict(method: string, path: string, caller: Caller): Verdict {
  if (path.startsWith("/auth/v1/")) {
    if (caller.keyRole === "service_role" || caller.role === "service_role") return "open";
    return method === "GET" && path === "/auth/v1/user" ? "open" : "forbidden";
  }
  if (REST_ROWS.test(path)) return "open";
  if (/^\/rest\/v1(?:\/|$)/.test(path)) return caller.role === "service_role" ? "open" : "forbidden";
  if (path.startsWith("/storage/v1/")) return caller.role === "service_role" ? "open" : "forbidden";
  return "missing";
}
