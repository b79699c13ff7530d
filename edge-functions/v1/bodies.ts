// Owns what may come in a request's body before any schema looks at it: size, type, depth and how long it takes.
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ApiError } from "../_shared/errors.ts";
import { isTooDeep } from "../_shared/json-depth.ts";
import { maxUploadBytes } from "../_shared/storage.ts";
import { maxArchiveBytes } from "../importing/parts.ts";
import type { AppEnv } from "./router.ts";

const maxJsonBytes = 1024 * 1024;
/** Its body is an archive, which is counted as it streams (importing/parts.ts). */
export const importPath = "/v1/teams/import";
/** For a whole body of JSON, and for each piece of an upload. */
const bodySeconds = 30;

const tooLarge = () => {
  throw new ApiError("PAYLOAD_TOO_LARGE");
};
const jsonLimit = bodyLimit({ maxSize: maxJsonBytes, onError: tooLarge });

/** Refuses bodies that are too large (413), neither JSON nor an upload (415), or not JSON although they say so (400). */
export const limitBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!["POST", "PUT", "PATCH", "DELETE"].includes(c.req.method)) return await next();
  const type = c.req.header("Content-Type") ?? "";
  if (c.req.path.endsWith("/files/upload")) {
    if (!/^multipart\/form-data\b/i.test(type)) {
      throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the file as multipart/form-data.");
    }
    // Only what is announced: the body itself is counted as it streams (files/upload.ts).
    if (Number(c.req.header("Content-Length")) > maxUploadBytes) return tooLarge();
    return await next();
  }
  if (c.req.path === importPath) {
    if (!/^application\/zip\b/i.test(type)) {
      throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the archive as it is, as application/zip.");
    }
    if (Number(c.req.header("Content-Length")) > maxArchiveBytes) return tooLarge();
    return await next();
  }
  const text = await inTime(() => readText(c));
  if (text !== "") checkJson(text, type, c.req.path);
  await next();
};

/** The body, which is at most a megabyte; handlers read it again from what is kept here. */
async function readText(c: Context<AppEnv>): Promise<string> {
  let text = "";
  await jsonLimit(c, async () => {
    text = c.req.raw.body ? await c.req.text() : "";
  });
  return text;
}

function checkJson(text: string, type: string, path: string): void {
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type) && !path.startsWith("/v1/sns/")) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  }
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
