// Owns the built files that browsers load: dist/client and the widget's script. Hashed names are cached for ever, the
// rest for an hour. No path from a request reaches the disk. Does not compress: the build writes compressed copies next
// to the files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import {
  type CachedResponse,
  cacheResponse,
  replyWith,
} from "../../edge-functions/_shared/requests/compression.ts";
import { clientDirectory, widgetFile } from "./client-files.ts";
import { commonHeaders } from "./security-headers.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".woff2": "font/woff2",
};
const AN_HOUR = "public, max-age=3600";

function read(path: string, headers: Record<string, string>): CachedResponse {
  const copy = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : undefined);
  const [br, gzip] = [copy(".br"), copy(".gz")];
  return cacheResponse(readFileSync(path), headers, { ...(br && { br }), ...(gzip && { gzip }) });
}

function readClientFile(path: string): CachedResponse {
  const isHashed = path.includes(`${sep}assets${sep}`);
  return read(path, {
    ...commonHeaders,
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : AN_HOUR,
  });
}

/** Files for the server alone, and the compressed copies, which have no address of their own. */
const PRIVATE = /^(\.|(assets|islands|scripts)\.json$)|\.(br|gz)$/;

/**
 * Every file of dist/client by its address, except the manifests. All are read at start (about 4 MB): a build that
 * replaces them must not break the pages of the running server.
 */
function readFiles(): Map<string, CachedResponse> {
  const files = new Map<string, CachedResponse>();
  for (const entry of readdirSync(clientDirectory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const address = relative(clientDirectory, path).split(sep).join("/");
    if (entry.isFile() && !PRIVATE.test(address)) files.set(`/${address}`, readClientFile(path));
  }
  return files;
}

const files = readFiles();

/** Customers' pages load it, from any site. */
const widget = read(widgetFile, {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": AN_HOUR,
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
});

function answer(file: CachedResponse, request: Request): Response {
  const { body, ...init } = replyWith(file, request.headers);
  return new Response(body, init);
}

/** The file at a request's path; undefined when dist/client has none there. */
export function staticFile(path: string, request: Request): Response | undefined {
  const file = files.get(path);
  return file && answer(file, request);
}

export const widgetScript = (request: Request): Response => answer(widget, request);
