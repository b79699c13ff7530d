// Decides whether a request that changes something comes from our own pages. Stops cross-site posts (CSRF).
import { env } from "./env.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
export const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const web = new URL(env.WEB_URL);

function isOwn(origin: string, own: URL): boolean {
  if (origin === own.origin) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  // On a developer's machine the loopback address has several names.
  return (
    LOOPBACK.has(own.hostname) && LOOPBACK.has(hostname) && protocol === own.protocol && port === own.port
  );
}

/**
 * True for safe methods, and for unsafe ones from our own origin. Browsers send Origin with every unsafe method; when
 * it is missing, Sec-Fetch-Site decides. A client that sends neither is not a browser and carries nobody's cookies.
 */
export function isFromOwnOrigin(request: Request, own: URL = web): boolean {
  if (SAFE.has(request.method)) return true;
  const origin = request.headers.get("origin");
  if (origin !== null) return isOwn(origin, own);
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}
