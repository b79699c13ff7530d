// Owns Idempotency-Key: a POST that is sent again gets its first answer again. Must not know what a call does.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { asService } from "../_shared/db.ts";
import { ApiError } from "../_shared/errors.ts";
import { clientAddresses } from "../_shared/limits.ts";
import { seal, unseal } from "../_shared/secrets.ts";
import type { AppEnv } from "./router.ts";

type Place = { caller: string; route: string; key: string };
type Kept = { bodyHash: string; status: StatusCode | null; body: string | null };

const pollMs = 50;
const patienceMs = 10_000;
/** Failures that trying again may mend: their key stays free. */
const notKept = (status: number) => status >= 500 || status === 401 || status === 408 || status === 429;

/** The same key and body within 24 hours give the first answer again; the same key with another body is a CONFLICT. */
export const idempotency: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header("Idempotency-Key");
  // A stream is not repeated: its reader goes on with lastMessageId.
  const streamed = c.req.header("Accept")?.includes("text/event-stream");
  if (c.req.method !== "POST" || key === undefined || streamed) return await next();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError("VALIDATION_FAILED", undefined, {
      details: [{ path: "Idempotency-Key", message: "1 to 255 visible ASCII characters." }],
    });
  }
  const place = { caller: callerOf(c), route: c.req.path, key };
  const bodyHash = await hashOf(c);
  const kept = await claim(place, bodyHash);
  if (kept) return replay(c, place, kept, bodyHash);
  await next();
  await keep(c, place).catch(async (error: unknown) => {
    await forget(place);
    throw error;
  });
};

/** Strangers are told apart by their address; nobody gets an answer without having sent the same body. */
function callerOf(c: Context<AppEnv>): string {
  const { caller } = c.var;
  if ("id" in caller) return `${caller.kind}:${caller.id}`;
  const addresses = clientAddresses(c.req.header("X-Forwarded-For"));
  return `${caller.kind}:${addresses.map(({ address }) => address).join(",")}`;
}

/** An upload is streamed to storage, never held here: its size stands for it. */
async function hashOf(c: Context<AppEnv>): Promise<string> {
  const upload = c.req.path.endsWith("/files/upload");
  const body = upload ? `upload of ${c.req.header("Content-Length") ?? "unknown size"}` : await c.req.text();
  return createHash("sha256").update(JSON.stringify(c.req.queries())).update(body).digest("base64url");
}

/** Takes the key, or returns what the first request with it has left. Waits while that is still at work. */
async function claim({ caller, route, key }: Place, bodyHash: string): Promise<Kept | undefined> {
  const started = performance.now();
  while (true) {
    const found = await asService(async (tx) => {
      await tx`delete from private.idempotency_keys where created_at < now() - interval '24 hours'
                  or (status is null and created_at < now() - interval '5 minutes')`;
      const taken = await tx`
        insert into private.idempotency_keys (caller, route, key, body_hash)
        values (${caller}, ${route}, ${key}, ${bodyHash}) on conflict do nothing returning 1`;
      if (taken.length > 0) return undefined;
      const [row] = await tx<Kept[]>`
        select body_hash, status, body from private.idempotency_keys
         where caller = ${caller} and route = ${route} and key = ${key}`;
      return row ?? { bodyHash, status: null, body: null };
    });
    if (!found || found.status !== null || found.bodyHash !== bodyHash) return found;
    if (performance.now() - started > patienceMs) {
      throw new ApiError("CONFLICT", "The first request with this Idempotency-Key is still at work.");
    }
    await sleep(pollMs);
  }
}

function replay(c: Context<AppEnv>, place: Place, kept: Kept, bodyHash: string): Response {
  if (kept.bodyHash !== bodyHash) {
    throw new ApiError("CONFLICT", "This Idempotency-Key was used with another body.");
  }
  c.header("Idempotent-Replayed", "true");
  const body = kept.body === null ? null : unseal(Buffer.from(kept.body, "base64"), contextOf(place));
  if (body !== null) c.header("Content-Type", "application/json");
  // Rows without a status never come here.
  return c.newResponse(body, kept.status ?? 200);
}

/** Sealed: answers may hold tokens and keys that are shown once. */
async function keep(c: Context<AppEnv>, place: Place): Promise<void> {
  const { caller, route, key } = place;
  const type = c.res.headers.get("Content-Type") ?? "";
  if (notKept(c.res.status) || (type !== "" && !type.startsWith("application/json")))
    return await forget(place);
  const text = await c.res.clone().text();
  const body = text === "" ? null : Buffer.from(seal(text, contextOf(place))).toString("base64");
  await asService(
    (tx) => tx`update private.idempotency_keys set status = ${c.res.status}, body = ${body}
                where caller = ${caller} and route = ${route} and key = ${key}`,
  );
}

async function forget({ caller, route, key }: Place): Promise<void> {
  await asService(
    (tx) => tx`delete from private.idempotency_keys
                where caller = ${caller} and route = ${route} and key = ${key} and status is null`,
  );
}

const contextOf = ({ caller, route, key }: Place) => `idempotency:${caller}:${route}:${key}`;
