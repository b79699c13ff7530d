// Owns what may come in a request's body before any schema looks at it: size, type and depth.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ApiError } from "../_shared/errors.ts";
import { isTooDeep } from "../_shared/json-depth.ts";
import { maxUploadBytes } from "../_shared/storage.ts";
import type { AppEnv } from "./router.ts";

const maxJsonBytes = 1024 * 1024;

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
  return await jsonLimit(c, async () => {
    const text = c.req.raw.body ? await c.req.text() : "";
    if (text === "") return await next();
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(type) && !c.req.path.startsWith("/v1/sns/")) {
      throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
    }
    if (isTooDeep(text)) throw new ApiError("VALIDATION_FAILED", "The body is nested too deeply.");
    try {
      JSON.parse(text);
    } catch (cause) {
      throw new ApiError("VALIDATION_FAILED", "The body is not valid JSON.", { cause });
    }
    await next();
  });
};
