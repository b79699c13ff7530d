// Serves dist/client from memory: hashed names forever, the rest for an hour. No path from outside reaches the disk.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { clientDirectory } from "./client-files.ts";
import { commonHeaders } from "./security-headers.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".woff2": "font/woff2",
};
const COMPRESSED = /\.(css|js|json|map|svg|txt|webmanifest)$/;

interface StaticFile {
  headers: Record<string, string>;
  plain: Buffer<ArrayBuffer>;
  br?: Buffer<ArrayBuffer>;
  gzip?: Buffer<ArrayBuffer>;
}

function read(path: string): StaticFile {
  const compressed = COMPRESSED.test(path);
  const hashed = path.includes(`${sep}assets${sep}`);
  const headers = {
    ...commonHeaders,
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    ...(compressed ? { vary: "Accept-Encoding" } : {}),
  };
  return { headers, plain: readFileSync(path) };
}

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** For the server's eyes only. */
const PRIVATE = /^(\.|assets\.json$|islands\.json$|scripts\.json$)/;

/**
 * Every file of dist/client by its address, manifests left out. All are held from the start (1 MB or so): a build that
 * replaces them must not break the pages of the server that still runs.
 */
function readFiles(): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(clientDirectory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const address = relative(clientDirectory, path).split(sep).join("/");
    if (entry.isFile() && !PRIVATE.test(address)) files.set(`/${address}`, read(path));
  }
  return files;
}

const files = readFiles();

/** The file at an address, or undefined when dist/client has none there. Compressed once, when first asked for. */
export function staticFile(pathname: string, acceptEncoding: string): Response | undefined {
  const file = files.get(pathname);
  if (!file) return undefined;
  const { headers, plain } = file;
  if (COMPRESSED.test(pathname) && /\bbr\b/.test(acceptEncoding)) {
    file.br ??= brotliCompressSync(plain, QUALITY);
    return new Response(file.br, { headers: { ...headers, "content-encoding": "br" } });
  }
  if (COMPRESSED.test(pathname) && /\bgzip\b/.test(acceptEncoding)) {
    file.gzip ??= gzipSync(plain);
    return new Response(file.gzip, { headers: { ...headers, "content-encoding": "gzip" } });
  }
  return new Response(plain, { headers });
}
