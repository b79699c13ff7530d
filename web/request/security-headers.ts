// The response headers of every page, and its Content-Security-Policy.
import { FRAME_SCRIPT_SOURCES, PAGE_SCRIPT_SOURCES } from "../render/inline-scripts.ts";
import { env } from "./env.ts";

const supabase = new URL(env.SUPABASE_URL).origin;
const https = env.WEB_URL.startsWith("https:");

/**
 * Allows scripts by nonce only, and what they import from our origin. Allows style attributes, since server-rendered
 * charts and progress bars set their sizes there, and style elements by nonce only. Uploads and file links go to the storage
 * origin.
 */
function contentSecurityPolicy(nonce: string, framedBy: string, inlineScripts: string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", `'nonce-${nonce}'`, ...inlineScripts].join(" "),
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "font-src 'self'",
    `img-src 'self' data: blob: ${supabase}`,
    `connect-src 'self' ${supabase}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`,
    "manifest-src 'self'",
  ].join("; ");
}

export const commonHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
};

/** Headers of an HTML page or a payload. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    ...commonHeaders,
    "x-frame-options": "DENY",
    "content-security-policy": contentSecurityPolicy(nonce, "'none'", PAGE_SCRIPT_SOURCES),
  };
}

/**
 * Headers of the widget's frame, which browsers show only on the agent's sites and our own.
 * @param allowed the agent's origins; empty allows every site
 */
export function frameHeaders(nonce: string, allowed: string[] = []): Record<string, string> {
  const { "cross-origin-opener-policy": _notOfFrames, ...headers } = commonHeaders;
  const sites = allowed.length > 0 ? ["'self'", new URL(env.WEB_URL).origin, ...allowed] : ["*"];
  return {
    ...headers,
    "content-security-policy": contentSecurityPolicy(nonce, sites.join(" "), FRAME_SCRIPT_SOURCES),
  };
}
