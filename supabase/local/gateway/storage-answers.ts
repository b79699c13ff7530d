// Owns the responses of /storage/v1 where lite differs from hosted Supabase: signed URLs, how browsers may show an
// object, byte ranges, and the errors of a full disk or a lost file.
import { decodeJwt } from "jose";
import type { ByteRange } from "./byte-ranges.ts";
import { servedFromDisk } from "./file-storage-adapter.ts";
import type { Lite } from "./lite.ts";

const signedUpload = "/storage/v1/object/upload/sign/";
/** Far above any real media type with its parameters. */
const longestType = 255;

/** Serves one /storage/v1 request that the gateway has admitted. */
export async function serveStorage(request: Request, lite: Lite): Promise<Response> {
  if ((request.headers.get("content-type")?.length ?? 0) > longestType)
    return problem(400, "415", "invalid_mime_type", "The content type is too long");
  const { pathname, searchParams } = new URL(request.url);
  const isGet = request.method === "GET";
  const range = { range: request.headers.get("range"), ifRange: request.headers.get("if-range") };
  const asked = isGet ? { range } : { replaces: mayReplace(request, searchParams.get("token")) };
  const served = await servedFromDisk(async () => lite.app.fetch(request), asked);
  const { result: response, code, part } = served;
  if (response.status >= 500 && code) return diskAnswer(code);
  if (!response.ok) return response;
  if (request.method === "POST" && pathname.startsWith(signedUpload)) {
    return rewrite(response, "url");
  }
  if (request.method === "POST" && pathname.startsWith("/storage/v1/object/sign/")) {
    return rewrite(response, "signedURL");
  }
  const isObject = /^\/storage\/v1\/object\/(?!info\/|list\/)/.test(pathname);
  if (!isGet || !isObject) return response;
  const shown = harmless(response, searchParams.get("download"));
  return part ? await partial(shown, part.range, part.size) : shown;
}

/** What lite decides by too: an update, the header of an upload or a copy, the claim of a signed upload, whose signature lite checks. */
function mayReplace({ method, headers, url }: Request, token: string | null): boolean {
  if (new URL(url).pathname.startsWith(signedUpload) && method === "PUT") {
    try {
      return decodeJwt(token ?? "").upsert === true;
    } catch {
      return false;
    }
  }
  return method === "PUT" || headers.get("x-upsert") === "true";
}

/** Hosted Supabase returns URLs relative to /storage/v1; the storage clients add that prefix. */
async function rewrite(response: Response, name: "url" | "signedURL"): Promise<Response> {
  const body: unknown = await response.json();
  const relative = (entry: unknown): unknown => {
    if (!entry || typeof entry !== "object" || !("signedUrl" in entry)) return entry;
    const { signedUrl, ...rest } = entry;
    return {
      ...rest,
      [name]: typeof signedUrl === "string" ? signedUrl.replace(/^\/storage\/v1/, "") : signedUrl,
    };
  };
  return Response.json(Array.isArray(body) ? body.map(relative) : relative(body), {
    status: response.status,
  });
}

/**
 * An uploaded file must not run anything when it is opened: HTML is served as text, as on hosted Supabase, and everything else is
 * sandboxed.
 */
function harmless(response: Response, download: string | null): Response {
  const headers = new Headers(response.headers);
  const type = headers.get("content-type") ?? "";
  if (/html|xml/i.test(type)) headers.set("content-type", "text/plain; charset=utf-8");
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  headers.set("accept-ranges", "bytes");
  // Whoever uploads names another, and a signed URL carries no credential that would keep a shared cache from storing the object.
  headers.set("cache-control", "private, no-cache");
  if (download !== null) {
    const name = download ? `; filename*=UTF-8''${encodeURIComponent(download)}` : "";
    headers.set("content-disposition", `attachment${name}`);
  }
  return new Response(response.body, { status: response.status, headers });
}

async function partial(
  response: Response,
  range: ByteRange | "unsatisfiable",
  size: number,
): Promise<Response> {
  if (range === "unsatisfiable") {
    await response.body?.cancel();
    const refused = problem(416, "416", "InvalidRange", "The object has none of these bytes");
    refused.headers.set("content-range", `bytes */${size}`);
    return refused;
  }
  const { start, end } = range;
  const headers = new Headers(response.headers);
  headers.set("content-length", String(end - start + 1));
  headers.set("content-range", `bytes ${start}-${end}/${size}`);
  return new Response(response.body, { status: 206, headers });
}

function diskAnswer(code: string): Response {
  if (code === "EEXIST") return problem(400, "409", "Duplicate", "The resource already exists");
  if (code === "ENOENT") return problem(400, "404", "not_found", "Object not found");
  if (code === "ENOSPC" || code === "EDQUOT") {
    return problem(507, "507", "InsufficientStorage", "The disk is full: free some room and send it again");
  }
  return problem(503, "503", "SlowDown", `The disk cannot be read or written right now (${code})`);
}

/** Storage puts the specific status in the body and answers 400 for most errors. */
function problem(status: number, statusCode: string, error: string, message: string): Response {
  return Response.json({ statusCode, error, message }, { status });
}
