// Owns Idempotency-Key: a repeated POST gets the response of the first one. Knows of an endpoint only what its route declares: an upload
// is compared by the file that arrived.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { asService } from "../_shared/database/db.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { seal, unseal } from "../_shared/secrets/secrets.ts";
import { admitAgain } from "./repeating.ts";
import { type AppEnv, addressesOf } from "./router.ts";

type Place = { caller: string; route: string; key: string };
type StoredResponse = { bodyHash: string; status: StatusCode | null; body: string | null };

const pollMs = 50;
const patienceMs = 10_000;
/** Failures that a retry may fix. They do not use up the key. */
const isRetryableStatus = (status: number) =>
  status >= 500 || status === 401 || status === 408 || status === 429;

/** An upload is streamed to storage, never held here, so its hash is unknown until it has arrived. */
const pendingHash = "upload";

/** Within 24 hours the same key and body return the first response; the same key with another body is a CONFLICT. */
export const idempotency: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header("Idempotency-Key");
  // A stream is not replayed: its reader resumes with lastMessageId.
  const { streams, answersAnew } = c.var.route;
  const isStream = streams && c.req.header("Accept")?.includes("text/event-stream");
  if (c.req.method !== "POST" || key === undefined || isStream || answersAnew) return await next();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError("VALIDATION_FAILED", undefined, {
      details: [{ path: "Idempotency-Key", message: "1 to 255 visible ASCII characters." }],
    });
  }
  if (c.var.caller.kind === "anonymous" && !c.var.route.strangersMayRepeat) return await next();
  const place = { caller: callerOf(c), route: c.req.path, key };
  const bodyHash = c.var.route.upload ? pendingHash : hashOf(c, await c.req.text());
  const stored = await claim(place, bodyHash);
  if (stored) return await replay(c, place, stored, bodyHash);
  await next();
  await storeResponse(c, place).catch(async (error: unknown) => {
    await releaseKey(place);
    throw error;
  });
};

/** Anonymous callers are distinguished by their address. A response is only replayed to a request with the same body. */
function callerOf(c: Context<AppEnv>): string {
  const { caller } = c.var;
  if ("id" in caller) return `${caller.kind}:${caller.id}`;
  if (caller.kind === "service") return caller.kind;
  return `${caller.kind}:${addressesOf(c)[0]?.address ?? ""}`;
}

function hashOf(c: Context<AppEnv>, body: string): string {
  return createHash("sha256").update(JSON.stringify(c.req.queries())).update(body).digest("base64url");
}

/** Hash of an upload's file only, because two requests with the same file differ in their multipart envelope. */
const hashOfFile = (c: Context<AppEnv>, file: unknown): string => hashOf(c, JSON.stringify(file));

/**
 * Claims the key, or returns the first request's response. Waits while that request is running. Takes over a key that expired or whose
 * request died.
 */
async function claim({ caller, route, key }: Place, bodyHash: string): Promise<StoredResponse | undefined> {
  const started = performance.now();
  while (true) {
    const found = await asService(async (tx) => {
      const taken = await tx`
        insert into private.idempotency_keys as k (caller, route, key, body_hash)
        values (${caller}, ${route}, ${key}, ${bodyHash})
        on conflict (caller, route, key) do update
           set body_hash = excluded.body_hash, status = null, body = null, created_at = now()
         where k.created_at < now() - interval '24 hours'
            or (k.status is null and k.created_at < now() - interval '5 minutes')
        returning 1`;
      if (taken.length > 0) return undefined;
      const [row] = await tx<StoredResponse[]>`
        select body_hash, status, body from private.idempotency_keys
         where caller = ${caller} and route = ${route} and key = ${key}`;
      return row ?? { bodyHash, status: null, body: null };
    });
    if (!found || found.status !== null || found.bodyHash !== bodyHash) return found;
    if (performance.now() - started > patienceMs) {
      throw new ApiError(
        "CONFLICT",
        "The first request with this Idempotency-Key is still running. Retry later.",
      );
    }
    await sleep(pollMs);
  }
}

async function replay(
  c: Context<AppEnv>,
  place: Place,
  stored: StoredResponse,
  bodyHash: string,
): Promise<Response> {
  const { upload } = c.var.route;
  // Whoever has lost access gets nothing, not even a response that they received before.
  await admitAgain(c, upload ? undefined : parseJson(await c.req.text()));
  const sent = upload ? hashOfFile(c, await upload.measure(c.req.raw)) : bodyHash;
  if (stored.bodyHash !== sent) {
    throw new ApiError("CONFLICT", "This Idempotency-Key was used with another body.");
  }
  c.header("Idempotent-Replayed", "true");
  const body = stored.body === null ? null : unseal(Buffer.from(stored.body, "base64"), contextOf(place));
  if (body !== null) c.header("Content-Type", "application/json");
  // Rows without a status never reach this line.
  return c.newResponse(body, stored.status ?? 200);
}

/** Sealed, because responses may contain tokens and keys that are shown once. Of uploads, only successful responses are stored. */
async function storeResponse(c: Context<AppEnv>, place: Place): Promise<void> {
  const { caller, route, key } = place;
  const { status } = c.res;
  const type = c.res.headers.get("Content-Type") ?? "";
  const isKept = !isRetryableStatus(status) && (type === "" || type.startsWith("application/json"));
  const { upload } = c.var.route;
  if (!isKept || (upload && status !== upload.status)) return await releaseKey(place);
  const text = await c.res.clone().text();
  const body = text === "" ? null : Buffer.from(seal(text, contextOf(place))).toString("base64");
  const fileHash = upload ? hashOfFile(c, upload.measured.parse(JSON.parse(text))) : null;
  await asService(
    (tx) => tx`update private.idempotency_keys
                  set status = ${status}, body = ${body}, body_hash = coalesce(${fileHash}, body_hash)
                where caller = ${caller} and route = ${route} and key = ${key}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function releaseKey({ caller, route, key }: Place): Promise<void> {
  await asService(
    (tx) => tx`delete from private.idempotency_keys
                where caller = ${caller} and route = ${route} and key = ${key} and status is null`,
  );
}

const contextOf = ({ caller, route, key }: Place) => `idempotency:${caller}:${route}:${key}`;
