// Owns the checks of a request body before any schema: size, type, depth and time to arrive.
import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { StatusCode } from "hono/utils/http-status";
import { isTooDeep } from "../_shared/outbound/json-depth.ts";
import { ApiError, tooLarge } from "../_shared/requests/errors.ts";
import { invalidFields } from "../_shared/requests/invalid-fields.ts";
import { refusal } from "../_shared/requests/refusals.ts";
import type { AppEnv } from "./router.ts";

const maxJsonBytes = 1024 * 1024;
/** Refuses what it cannot read: replaced characters would be stored as if the client had sent them. */
const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Seconds that a whole JSON body, or one chunk of an upload, may take to arrive. */
const bodySeconds = 30;

const jsonLimit = bodyLimit({
  maxSize: maxJsonBytes,
  onError: () => {
    throw tooLarge(maxJsonBytes);
  },
});

/** Declares a body that is streamed to storage and counted there. */
export interface Upload {
  /** The required content type. */
  type: string;
  /** Error message for a body of another type. */
  otherwise: string;
  maxBytes: number;
  /** Status of a successful upload. Only such a response is stored for Idempotency-Key. */
  status: StatusCode;
  /** Identifies the content of the request. */
  measure(request: Request): Promise<unknown>;
  /** Identifies the same content in the response. */
  measured: z.ZodType;
}

/** Rejects bodies that are too large (413), of a type that the route does not declare (415), or no JSON or not taken by the call (400). */
export const limitBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!["POST", "PUT", "PATCH", "DELETE"].includes(c.req.method)) return await next();
  if (!/^(?:identity)?$/i.test(c.req.header("Content-Encoding") ?? ""))
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the body without a Content-Encoding.");
  const { upload, bodyType, takesNothing } = c.var.route;
  const type = c.req.header("Content-Type") ?? "";
  if (upload) {
    if (mediaTypeOf(type) !== upload.type) throw new ApiError("UNSUPPORTED_MEDIA_TYPE", upload.otherwise);
    // Checks only the declared length: the bytes are counted as they stream.
    if (Number(c.req.header("Content-Length")) > upload.maxBytes) throw tooLarge(upload.maxBytes);
    return await next();
  }
  const text = await inTime(() => readText(c));
  if (text !== "") {
    const value = parseJson(text, bodyType === "text/plain" || isJson(type));
    if (takesNothing) refuseFields(value);
  }
  await next();
};

/** Refuses what a call without a body would ignore. */
function refuseFields(value: unknown): void {
  const { error } = z.strictObject({}).safeParse(value);
  if (error)
    throw new ApiError("VALIDATION_FAILED", undefined, { details: invalidFields(error.issues, value) });
}

const mediaTypeOf = (type: string) => (type.split(";")[0] ?? "").trim().toLowerCase();
const isJson = (type: string) => /^application\/([\w.+-]+\+)?json$/.test(mediaTypeOf(type));

/** Reads the body, at most a megabyte, and caches it for the handlers. */
async function readText(c: Context<AppEnv>): Promise<string> {
  let bytes = new ArrayBuffer(0);
  await jsonLimit(c, async () => {
    if (c.req.raw.body) bytes = await c.req.arrayBuffer();
  });
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ApiError("VALIDATION_FAILED", "The body is not valid UTF-8.", { cause });
  }
}

function parseJson(text: string, saysSo: boolean): unknown {
  if (!saysSo) throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  if (isTooDeep(text)) throw new ApiError("VALIDATION_FAILED", "The body is nested too deeply.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError("VALIDATION_FAILED", "The body is not valid JSON.", { cause });
  }
  const path = /\\ud[89a-f]/i.test(text) ? pathOfHalf(value) : undefined;
  if (path) {
    const details = [{ path: path.join("."), ...refusal("characters") }];
    throw new ApiError("VALIDATION_FAILED", undefined, { details });
  }
  return value;
}

/** The path to a text or a name with half of a surrogate pair. It would be stored as U+FFFD, which the client did not send. */
function pathOfHalf(value: unknown, path: string[] = []): string[] | undefined {
  const half = /[\ud800-\udfff]/u;
  if (typeof value === "string") return half.test(value) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const found = half.test(name) ? path : pathOfHalf(one, [...path, name]);
    if (found) return found;
  }
  return undefined;
}

/**
 * Waits for a client's data, with a timeout.
 * @param read a whole body, or the next chunk of a stream
 * @throws ApiError VALIDATION_FAILED when the data stops arriving or breaks off
 */
export async function inTime<T>(read: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError("VALIDATION_FAILED", refusal("tooSlow", { seconds: String(bodySeconds) })));
    }, bodySeconds * 1000);
  });
  try {
    return await Promise.race([read(), late]);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    // The connection broke: no failure of ours, though nobody receives this answer.
    throw new ApiError("VALIDATION_FAILED", refusal("uploadCut"), { cause });
  } finally {
    clearTimeout(timer);
  }
}
