// Owns Atlassian cloud's authentication: a classic API token works at the site only, a scoped one at the gateway only, which is at the same
// address below /ex/PRODUCT/CLOUDID and refuses calls outside the token's scopes.
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";

export interface AtlassianLogins {
  email: string;
  /** The classic token. */
  apiToken: string;
  scopedToken: string;
  scopes: Set<string>;
  cloudId: string;
  /** The site's tenant info with its cloudId, when it is not the default. */
  tenantInfo?: unknown;
  /** Unknown callers are answered as anonymous instead of with 401. */
  isOpen: boolean;
  /** Every caller, accepted or refused: "site", "gateway", "tenant" and the token used. */
  callers: string[];
}

export const atlassianLogins = (email: string, apiToken: string): AtlassianLogins => ({
  email,
  apiToken,
  scopedToken: `${apiToken}-with-scopes`,
  scopes: new Set(),
  cloudId: "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
  isOpen: false,
  callers: [],
});

type Entry =
  /** The path as at the site. */
  | { path: string; isAtGateway: boolean; isNobody: boolean }
  | { status: number; body: unknown; headers?: Record<string, string> };

/** The header of answers to anonymous callers. */
export const asNobody = { "x-seraph-loginreason": "AUTHENTICATED_FAILED" };

/** @param scopeOf the scope that a path of the site needs */
export function enterAtlassian(
  product: "jira" | "confluence",
  logins: AtlassianLogins,
  request: Pick<IncomingMessage, "url" | "headers">,
  scopeOf: (path: string) => string,
): Entry {
  const path = request.url ?? "";
  const token = tokenOf(logins, request.headers.authorization);
  if (path === "/_edge/tenant_info") {
    logins.callers.push(`tenant ${token}`);
    return { status: 200, body: logins.tenantInfo ?? { cloudId: logins.cloudId } };
  }
  const gateway = `/ex/${product}/${logins.cloudId}`;
  if (!path.startsWith("/ex/")) {
    logins.callers.push(`site ${token}`);
    if (token === "classic") return { path, isAtGateway: false, isNobody: false };
    if (logins.isOpen) return { path, isAtGateway: false, isNobody: true };
    return { status: 401, body: { message: "Client must be authenticated to access this resource." } };
  }
  logins.callers.push(`gateway ${token}`);
  if (!path.startsWith(`${gateway}/`))
    return { status: 404, body: { code: 404, message: "No message available" } };
  if (token !== "scoped") return { status: 401, body: { code: 401, message: "Unauthorized" } };
  const below = path.slice(gateway.length);
  if (logins.scopes.has(scopeOf(below))) return { path: below, isAtGateway: true, isNobody: false };
  return {
    status: 401,
    body: { code: 401, message: "Unauthorized; scope does not match" },
    headers: { "x-failure-category": "FAILURE_CLIENT_SCOPE_CHECK" },
  };
}

function tokenOf({ email, apiToken, scopedToken }: AtlassianLogins, header: string | undefined): string {
  if (header === undefined) return "none";
  const given = Buffer.from(header.replace("Basic ", ""), "base64").toString();
  if (given === `${email}:${apiToken}`) return "classic";
  return given === `${email}:${scopedToken}` ? "scoped" : "unknown";
}
