// Owns access to Supabase Storage: the objects in the private bucket "files", over plain fetch with the service key.
// Must not know who may read or write an object: callers ask Postgres first.
import { env } from "../env.ts";
import { log } from "../operation/log.ts";
import { ApiError } from "../requests/errors.ts";
import { platformHeaders } from "../requests/platform-keys.ts";
import { refusal } from "../requests/refusals.ts";

const bucket = "files";
/** Maximum size of a file, in bytes. */
export const maxFileBytes = 50 * 1024 * 1024;
/** Maximum size of a file with its multipart envelope. */
export const maxUploadBytes = maxFileBytes + 64 * 1024;

export type StoredObject = { body: ReadableStream<Uint8Array>; contentType: string };
export type SignedUpload = { url: string; method: "PUT"; headers: Record<string, string>; expiresAt: string };

/** Storage's signed uploads are valid for two hours; the time cannot be set. */
const uploadSeconds = 7200;
const downloadSeconds = 300;

/** The key of a stored object, `teams/{team}/{uuid}`. No other text becomes part of a storage URL. */
export type ObjectKey = string & { readonly brand: unique symbol };

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const objectKey = new RegExp(`^teams/${uuid}/${uuid}$`);

/**
 * Parses a path from a row or a client as an object key.
 * @param teamId the team that the object must belong to; only the platform's clean-up omits it
 * @throws ApiError NOT_FOUND for any other text, because it becomes part of a URL that is called with the service key
 */
export function parseObjectKey(path: string, teamId?: string): ObjectKey {
  if (objectKey.test(path) && (teamId === undefined || path.startsWith(`teams/${teamId}/`)))
    return path as ObjectKey;
  throw new ApiError("NOT_FOUND", undefined, { cause: new Error("not the key of a stored object") });
}

export const newObjectKey = (teamId: string, fileId: string): ObjectKey =>
  parseObjectKey(`teams/${teamId}/${fileId}`);

/**
 * Stores an object from a stream. Nothing is stored if the stream fails.
 * @throws ApiError UNAVAILABLE when storage cannot take it; any error of the stream
 */
export async function putObject(
  key: ObjectKey,
  body: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<void> {
  await ensureBucket();
  const silence = new Silence();
  // duplex is required for a streamed body and missing from the DOM's type of a request.
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body: silence.watch(body),
    duplex: "half",
    headers: { "Content-Type": contentType, "Cache-Control": "private, no-cache" },
  };
  await text(await call(`/object/${bucket}/${key}`, init, silence), silence);
}

/**
 * Streams an object's bytes. The body fails with UNAVAILABLE when storage falls silent.
 * @throws ApiError NOT_FOUND when there is no such object
 */
export async function getObject(key: ObjectKey): Promise<StoredObject> {
  const silence = new Silence();
  const response = await call(`/object/${bucket}/${key}`, {}, silence);
  if (!response.body) throw new ApiError("UNAVAILABLE");
  return {
    body: silence.watch(response.body),
    contentType: response.headers.get("Content-Type") ?? "application/octet-stream",
  };
}

/**
 * Copies an object within storage. An object already at the new key is kept.
 * @throws ApiError NOT_FOUND when there is no such object
 */
export async function copyObject(from: ObjectKey, to: ObjectKey): Promise<void> {
  await ask("/object/copy", "POST", { bucketId: bucket, sourceKey: from, destinationKey: to });
}

/** Deletes objects. Missing objects are not an error. */
export async function removeObjects(keys: ObjectKey[]): Promise<void> {
  if (keys.length === 0) return;
  await ask(`/object/${bucket}`, "DELETE", { prefixes: keys });
}

/** Deletes what a failing call has stored. A failure to delete is only logged, because the caller throws the first failure. */
export async function discardObjects(keys: ObjectKey[]): Promise<void> {
  await removeObjects(keys).catch((cause: unknown) =>
    log("warn", "the bytes of a failed call were not removed", { keys: keys.join(), error: String(cause) }),
  );
}

/** Signs a URL that uploads this one object, once, for anyone who has it. */
export async function signUpload(key: ObjectKey, contentType: string): Promise<SignedUpload> {
  await ensureBucket();
  const signed = await ask(`/object/upload/sign/${bucket}/${key}`, "POST");
  return {
    url: publicUrl(field(signed, "url")),
    method: "PUT",
    headers: { "Content-Type": contentType },
    expiresAt: new Date(Date.now() + uploadSeconds * 1000).toISOString(),
  };
}

/**
 * Signs a URL that shows one object for five minutes.
 * @param downloadAs file name; a browser then downloads the file instead of showing it
 */
export async function signDownload(key: ObjectKey, downloadAs?: string): Promise<string> {
  const signed = await ask(`/object/sign/${bucket}/${key}`, "POST", { expiresIn: downloadSeconds });
  const url = new URL(publicUrl(field(signed, "signedURL")));
  if (downloadAs !== undefined) url.searchParams.set("download", downloadAs);
  return url.href;
}

let bucketIsThere: Promise<void> | undefined;

function ensureBucket(): Promise<void> {
  bucketIsThere ??= createBucket().catch((error: unknown) => {
    bucketIsThere = undefined;
    throw error;
  });
  return bucketIsThere;
}

async function createBucket(): Promise<void> {
  const found = await send(`/bucket/${bucket}`, {});
  await found.body?.cancel();
  if (found.ok) return;
  const wanted = { id: bucket, name: bucket, public: false, file_size_limit: maxFileBytes };
  const made = await send("/bucket", jsonRequest("POST", wanted));
  // Another process may have created it meanwhile: storage then answers with a conflict.
  const words = await text(made);
  if (!made.ok && !/already exists|Duplicate/i.test(words)) throw failure(made.status, words);
}

const jsonRequest = (method: string, body?: unknown): RequestInit => ({
  method,
  body: body === undefined ? undefined : JSON.stringify(body),
  headers: body === undefined ? {} : { "Content-Type": "application/json" },
});

/** One request with JSON in and out. */
async function ask(path: string, method: string, body?: unknown): Promise<unknown> {
  const silence = new Silence();
  const words = await text(await call(path, jsonRequest(method, body), silence), silence);
  try {
    return JSON.parse(words);
  } catch (cause) {
    throw new ApiError("UNAVAILABLE", undefined, { cause });
  }
}

async function call(path: string, init: RequestInit, silence = new Silence()): Promise<Response> {
  const response = await send(path, init, silence);
  if (!response.ok) throw failure(response.status, await text(response, silence));
  return response;
}

async function send(path: string, init: RequestInit, silence = new Silence()): Promise<Response> {
  const headers = { ...init.headers, ...platformHeaders() };
  const url = `${env().SUPABASE_INTERNAL_URL}/storage/v1${path}`;
  return await silence.end(fetch(url, { ...init, signal: silence.signal, headers }));
}

/** Larger than any answer of storage that is not an object. */
const maxAnswerBytes = 64 * 1024;

/** @throws ApiError UNAVAILABLE for an answer that is too long or is cut off */
async function text(response: Response, silence = new Silence()): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let words = "";
  let size = 0;
  for await (const part of silence.watch(response.body)) {
    size += part.byteLength;
    if (size > maxAnswerBytes)
      throw new ApiError("UNAVAILABLE", undefined, {
        cause: new Error("storage answered with too many bytes"),
      });
    words += decoder.decode(part, { stream: true });
  }
  return words;
}

/**
 * Aborts an exchange when no byte was sent or received for STORAGE_TIMEOUT_SECONDS. There is no limit for the whole exchange, because
 * files are large.
 */
class Silence {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #awaited = 0;
  readonly signal = this.#controller.signal;
  readonly #over = new Promise<never>((_resolve, reject) => {
    this.signal.addEventListener("abort", () => reject(this.signal.reason), { once: true });
  });

  constructor() {
    this.#over.catch(() => {});
  }

  /** Awaits one step. Progress in any step resets the timer of the others. @throws ApiError UNAVAILABLE when nothing happens */
  async end<T>(step: Promise<T>): Promise<T> {
    this.#awaited += 1;
    this.#listen();
    try {
      return await Promise.race([step, this.#over]);
    } finally {
      this.#awaited -= 1;
      this.#listen();
    }
  }

  /** Passes the bytes through, each part as a step. The reader's own time does not count. */
  watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await this.end(reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  #listen(): void {
    clearTimeout(this.#timer);
    if (this.#awaited === 0) return;
    const cause = new Error("storage sent nothing within its timeout");
    const giveUp = () => this.#controller.abort(new ApiError("UNAVAILABLE", undefined, { cause }));
    this.#timer = setTimeout(giveUp, env().STORAGE_TIMEOUT_SECONDS * 1000);
  }
}

function field(answer: unknown, name: string): string {
  const value = typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
  if (typeof value === "string") return value;
  throw new ApiError("UNAVAILABLE", undefined, { cause: new Error(`storage sent no ${name}`) });
}

/** Storage answers 400 with a statusCode "404" in its body when an object is missing, and 507 when its disk is full. */
function failure(status: number, words: string): ApiError {
  const cause = new Error(`storage answered ${status}: ${words.slice(0, 300)}`);
  const missing = status === 404 || /"statusCode":\s*"?404|not_?found/i.test(words);
  if (status === 507) return new ApiError("UNAVAILABLE", refusal("diskFull"), { cause });
  return new ApiError(missing ? "NOT_FOUND" : "UNAVAILABLE", undefined, { cause });
}

const publicUrl = (relative: string) => `${env().SUPABASE_URL}/storage/v1${relative}`;
