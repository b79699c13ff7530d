// Owns the way to Supabase Storage: the bytes in the private bucket "files", over plain fetch with the service key.
// Must not know who may read or write an object: callers ask Postgres first.
import { env } from "./env.ts";
import { ApiError } from "./errors.ts";

const bucket = "files";
/** What a file may weigh, in bytes. */
export const maxFileBytes = 50 * 1024 * 1024;
/** What a file may weigh together with the multipart envelope around it. */
export const maxUploadBytes = maxFileBytes + 64 * 1024;

export type StoredObject = { body: ReadableStream<Uint8Array>; contentType: string };
export type SignedUpload = { url: string; method: "PUT"; headers: Record<string, string>; expiresAt: string };

/** Storage signs uploads for two hours, and gives no say in it. */
const uploadSeconds = 7200;
const downloadSeconds = 300;

/** The key of a stored object, `teams/{team}/{uuid}`: nothing else ever becomes part of an address of storage. */
export type ObjectKey = string & { readonly brand: unique symbol };

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const objectKey = new RegExp(`^teams/${uuid}/${uuid}$`);

/**
 * A path that a row or a client names, as the key of an object.
 * @param teamId the team that the object must be of; left out only by the platform's own clean-up
 * @throws ApiError NOT_FOUND for any other text: storage joins its addresses from it, with the service key
 */
export function parseObjectKey(path: string, teamId?: string): ObjectKey {
  if (objectKey.test(path) && (teamId === undefined || path.startsWith(`teams/${teamId}/`)))
    return path as ObjectKey;
  throw new ApiError("NOT_FOUND", undefined, { cause: new Error("not the key of a stored object") });
}

export const newObjectKey = (teamId: string, fileId: string): ObjectKey =>
  parseObjectKey(`teams/${teamId}/${fileId}`);

/**
 * Stores an object as its bytes come; nothing is there when the stream fails.
 * @throws ApiError UNAVAILABLE when storage cannot take it; whatever the stream raised
 */
export async function putObject(
  key: ObjectKey,
  body: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<void> {
  await ensureBucket();
  // duplex is required for a streamed body and missing from the DOM's type of a request.
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "Content-Type": contentType, "Cache-Control": "no-cache" },
  };
  const response = await call(`/object/${bucket}/${key}`, init);
  await response.body?.cancel();
}

/** @throws ApiError NOT_FOUND when there is no such object */
export async function getObject(key: ObjectKey): Promise<StoredObject> {
  const response = await call(`/object/${bucket}/${key}`, {});
  if (!response.body) throw new ApiError("UNAVAILABLE");
  return {
    body: response.body,
    contentType: response.headers.get("Content-Type") ?? "application/octet-stream",
  };
}

/** Removes objects; those that are not there are no error. */
export async function removeObjects(keys: ObjectKey[]): Promise<void> {
  if (keys.length === 0) return;
  const response = await call(`/object/${bucket}`, {
    method: "DELETE",
    body: JSON.stringify({ prefixes: keys }),
    headers: { "Content-Type": "application/json" },
  });
  await response.body?.cancel();
}

/** An address to which anyone who has it may send this one object, once. */
export async function signUpload(key: ObjectKey, contentType: string): Promise<SignedUpload> {
  await ensureBucket();
  const response = await call(`/object/upload/sign/${bucket}/${key}`, { method: "POST" });
  return {
    url: absolute(await field(response, "url")),
    method: "PUT",
    headers: { "Content-Type": contentType },
    expiresAt: new Date(Date.now() + uploadSeconds * 1000).toISOString(),
  };
}

/**
 * An address that shows one object for five minutes.
 * @param downloadAs a file name, for a browser to save it under instead of showing it
 */
export async function signDownload(key: ObjectKey, downloadAs?: string): Promise<string> {
  const response = await call(`/object/sign/${bucket}/${key}`, {
    method: "POST",
    body: JSON.stringify({ expiresIn: downloadSeconds }),
    headers: { "Content-Type": "application/json" },
  });
  const url = new URL(absolute(await field(response, "signedURL")));
  if (downloadAs !== undefined) url.searchParams.set("download", downloadAs);
  return url.href;
}

let bucketIsThere: Promise<void> | undefined;

function ensureBucket(): Promise<void> {
  bucketIsThere ??= makeBucket().catch((error: unknown) => {
    bucketIsThere = undefined;
    throw error;
  });
  return bucketIsThere;
}

async function makeBucket(): Promise<void> {
  const found = await send(`/bucket/${bucket}`, {});
  await found.body?.cancel();
  if (found.ok) return;
  const made = await send("/bucket", {
    method: "POST",
    body: JSON.stringify({ id: bucket, name: bucket, public: false, file_size_limit: maxFileBytes }),
    headers: { "Content-Type": "application/json" },
  });
  // Another process may have made it in between: storage then answers with a conflict.
  const words = await made.text();
  if (!made.ok && !/already exists|Duplicate/i.test(words)) throw failure(made.status, words);
}

async function call(path: string, init: RequestInit): Promise<Response> {
  const response = await send(path, init);
  if (!response.ok) throw failure(response.status, await response.text());
  return response;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const { SUPABASE_URL, SUPABASE_SERVICE_ROLE_KEY: serviceKey } = env();
  return await fetch(`${SUPABASE_URL}/storage/v1${path}`, {
    ...init,
    headers: { ...init.headers, apikey: serviceKey, Authorization: `Bearer ${serviceKey}` },
  });
}

/** Storage answers 400 with a statusCode "404" in its body where an object is missing. */
function failure(status: number, words: string): ApiError {
  const cause = new Error(`storage answered ${status}: ${words.slice(0, 300)}`);
  const missing = status === 404 || /"statusCode":\s*"?404|not_?found/i.test(words);
  return new ApiError(missing ? "NOT_FOUND" : "UNAVAILABLE", undefined, { cause });
}

async function field(response: Response, name: string): Promise<string> {
  const body: unknown = await response.json();
  const value = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value === "string") return value;
  throw new ApiError("UNAVAILABLE", undefined, { cause: new Error(`storage sent no ${name}`) });
}

const absolute = (relative: string) => `${env().SUPABASE_URL}/storage/v1${relative}`;
