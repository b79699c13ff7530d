// Owns what may come in a request's body before any schema looks at it: size, type, depth and how long it takes.
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { StatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import { isTooDeep } from "../_shared/outbound/json-depth.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import type { AppEnv } from "./router.ts";

const maxJsonBytes = 1024 * 1024;
/** For a whole body of JSON, and for each piece of an upload. */
const bodySeconds = 30;

const tooLarge = () => {
  throw new ApiError("PAYLOAD_TOO_LARGE");
};
const jsonLimit = bodyLimit({ maxSize: maxJsonBytes, onError: tooLarge });

/** A body that streams to storage, where it is counted; a route declares it. */
export interface Upload {
  /** The content type that it must have. */
  type: string;
  /** What a body of another type is told. */
  otherwise: string;
  maxBytes: number;
  /** The status of the answer to one that is stored; no other answer is kept. */
  status: StatusCode;
  /** What identifies what arrives. */
  measure(request: Request): Promise<unknown>;
  /** The same in the answer. */
  told: z.ZodType;
}

/** Refuses bodies that are too large (413), of another type than the route declares (415), or not JSON although they say so (400). */
export const limitBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!["POST", "PUT", "PATCH", "DELETE"].includes(c.req.method)) return await next();
  const { upload, bodyType } = c.var.route;
  const type = c.req.header("Content-Type") ?? "";
  if (upload) {
    if (mediaTypeOf(type) !== upload.type) throw new ApiError("UNSUPPORTED_MEDIA_TYPE", upload.otherwise);
    // Only what is announced: the body itself is counted as it streams.
    if (Number(c.req.header("Content-Length")) > upload.maxBytes) return tooLarge();
    return await next();
  }
  const text = await inTime(() => readText(c));
  if (text !== "") checkJson(text, bodyType === "text/plain" || isJson(type));
  await next();
};

const mediaTypeOf = (type: string) => (type.split(";")[0] ?? "").trim().toLowerCase();
const isJson = (type: string) => /^application\/([\w.+-]+\+)?json$/.test(mediaTypeOf(type));

/** The body, which is at most a megabyte; handlers read it again from what is kept here. */
async function readText(c: Context<AppEnv>): Promise<string> {
  let text = "";
  await jsonLimit(c, async () => {
    text = c.req.raw.body ? await c.req.text() : "";
  });
  return text;
}

function checkJson(text: string, saysSo: boolean): void {
  if (!saysSo) throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  if (isTooDeep(text)) throw new ApiError("VALIDATION_FAILED", "The body is nested too deeply.");
  try {
    JSON.parse(text);
  } catch (cause) {
    throw new ApiError("VALIDATION_FAILED", "The body is not valid JSON.", { cause });
  }
}

/**
 * Waits for what a client sends, not for ever.
 * @param read a whole body, or the next piece of one that streams
 * @throws ApiError VALIDATION_FAILED when nothing more comes
 */
export async function inTime<T>(read: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError("VALIDATION_FAILED", `The body did not arrive within ${bodySeconds} seconds.`));
    }, bodySeconds * 1000);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
