// Owns Idempotency-Key: a repeated POST gets the response of the first one. Knows of an endpoint only what its route declares: an upload
// is compared by the file that arrived.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { asService, type Transaction } from "../_shared/database/db.ts";
import { env } from "../_shared/env.ts";
import { log } from "../_shared/operation/log.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { setClaim } from "../_shared/requests/request-context.ts";
import { seal, unseal } from "../_shared/secrets/secrets.ts";
import { inBackground } from "./background.ts";
import { admitAgain } from "./repeating.ts";
import { type AppEnv, addressesOf } from "./router.ts";

/** keeper: whose allowance the response counts against. */
type Place = { caller: string; route: string; key: string; keeper: string };
/** status: null, and isLost, when the request took effect and its process is gone. */
type StoredResponse = { bodyHash: string; status: StatusCode | null; body: string | null; isLost: boolean };
type Row = Omit<StoredResponse, "isLost"> & {
  claim: string;
  tookEffect: boolean;
  isAbandoned: boolean;
  isExpired: boolean;
};

const startedAt = new Date();
const pollMs = 50;
const patienceMs = 10_000;
/** Failures that a retry may fix. They do not use up the key. */
const isRetryableStatus = (status: number) =>
  status >= 500 || status === 401 || status === 408 || status === 429;

/**
 * What is stored for one keeper in a day, in KiB. A response repeats what was sent, up to 1 MB, and stays when the resource is deleted at
 * once: without a limit it would fill the disk past every limit of a team.
 */
const mostKeptKib = 256 * 1024;

/** An upload is streamed to storage, never held here, so its hash is unknown until it has arrived. */
const pendingHash = "upload";

/** Whether a caller's responses are stored for repetitions. Strangers are told apart by an address alone, so few routes store theirs. */
export const mayRepeat = ({ var: { caller, route } }: Context<AppEnv>): boolean =>
  caller.kind !== "anonymous" || route.strangersMayRepeat === true;

/** Within 24 hours the same key and body return the first response; the same key with another body is a CONFLICT. */
export const idempotency: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header("Idempotency-Key");
  if (c.req.method !== "POST" || key === undefined || c.var.route.answersAnew) return await next();
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError("VALIDATION_FAILED", undefined, {
      details: [{ path: "Idempotency-Key", message: "1 to 255 visible ASCII characters." }],
    });
  }
  if (!mayRepeat(c)) return await next();
  const place = { caller: callerOf(c), route: c.req.path, key, keeper: keeperOf(c) };
  const bodyHash = c.var.route.upload ? pendingHash : hashOf(c, await c.req.text());
  const claimed = await claimKey(place, bodyHash);
  if (typeof claimed !== "string") return await replay(c, place, claimed, bodyHash);
  setClaim(claimed);
  await next();
  // What goes on in the background is no part of the response.
  setClaim(undefined);
  if (isStream(c.res)) return keepStream(c, place, claimed);
  await storeResponse(c, place, claimed).catch(async (error: unknown) => {
    await releaseKey(claimed);
    throw error;
  });
};

const isStream = ({ headers }: Response): boolean =>
  !!headers.get("Content-Type")?.startsWith("text/event-stream");

/** An error at the end of a stream, in our events and in OpenAI's. */
const failed = /^(?:event: error$|data: \{"error":)/m;

/** Stores a stream once it has ended, also for a reader who left it, and not one that failed. */
function keepStream(c: Context<AppEnv>, place: Place, claim: string): void {
  const [sent, kept] = c.res.body?.tee() ?? [];
  c.res = new Response(sent, c.res);
  const store = async () => {
    try {
      const text = await new Response(kept).text();
      if (!failed.test(text)) return await storeBody(place, claim, { status: 200, text });
    } catch (error) {
      log("warn", "a stream was not kept for its Idempotency-Key", { error: String(error) });
    }
    await releaseKey(claim);
  };
  inBackground(store(), "keep a stream");
}

/** Anonymous callers are distinguished by their address. A response is only replayed to a request with the same body. */
function callerOf(c: Context<AppEnv>): string {
  const { caller } = c.var;
  if ("id" in caller) return `${caller.kind}:${caller.id}`;
  if (caller.kind === "service") return caller.kind;
  return `${caller.kind}:${addressesOf(c)[0]?.address ?? ""}`;
}

/** A visitor can change their id and a team has many keys, so those count together. */
function keeperOf(c: Context<AppEnv>): string {
  const { caller } = c.var;
  if (caller.kind === "apiKey") return `team:${caller.teamId}`;
  return caller.kind === "user" ? callerOf(c) : `from:${addressesOf(c)[0]?.address ?? ""}`;
}

function hashOf(c: Context<AppEnv>, body: string): string {
  return createHash("sha256").update(JSON.stringify(c.req.queries())).update(body).digest("base64url");
}

/** Hash of an upload's file only, because two requests with the same file differ in their multipart envelope. */
const hashOfFile = (c: Context<AppEnv>, file: unknown): string => hashOf(c, JSON.stringify(file));

/**
 * Claims the key, or returns the first request's response. Waits while that request is running. Takes over a key that expired, or whose
 * request's process is gone and had no effect.
 * @returns the claim, or the response
 */
async function claimKey(place: Place, bodyHash: string): Promise<string | StoredResponse> {
  const started = performance.now();
  while (true) {
    const found = await asService((tx) => tryKey(tx, place, bodyHash));
    if (typeof found === "string") return found;
    if (found && (found.status !== null || found.isLost || found.bodyHash !== bodyHash)) return found;
    if (performance.now() - started > patienceMs) {
      throw new ApiError(
        "CONFLICT",
        "The first request with this Idempotency-Key is still running. Retry later.",
      );
    }
    await sleep(pollMs);
  }
}

/** @returns the claim, the response as it is, or undefined when another request was faster */
async function tryKey(
  tx: Transaction,
  { caller, route, key }: Place,
  bodyHash: string,
): Promise<string | StoredResponse | undefined> {
  const [made] = await tx<{ claim: string }[]>`
    insert into private.idempotency_keys (caller, route, key, body_hash) values (${caller}, ${route}, ${key}, ${bodyHash})
    on conflict do nothing returning claim`;
  if (made) return made.claim;
  // Read without a lock, which would wait for the first request's transaction.
  const [row] = await tx<Row[]>`
    select claim, body_hash, status, body, took_effect, created_at < now() - interval '24 hours' as is_expired,
           status is null and (is_abandoned or created_at < now() - interval '5 minutes') as is_abandoned
      from private.idempotency_keys where caller = ${caller} and route = ${route} and key = ${key}`;
  if (!row) return undefined;
  if (!row.isExpired && (!row.isAbandoned || row.tookEffect)) return { ...row, isLost: row.isAbandoned };
  // It may take effect, or be claimed, at this moment.
  const [taken] = await tx<{ claim: string }[]>`
    update private.idempotency_keys
       set claim = gen_random_uuid(), body_hash = ${bodyHash}, status = null, body = null, took_effect = false,
           is_abandoned = false, created_at = now()
     where claim = ${row.claim} and (${row.isExpired} or status is null and not took_effect)
    returning claim`;
  return taken?.claim;
}

/**
 * Gives up the keys of requests that were running in a process before this one, so that a repeated one need not wait for five minutes. Does
 * nothing where other processes may be serving them. Never rejects.
 */
export async function abandonEarlierKeys(): Promise<void> {
  if (!env().ONLY_API_PROCESS) return;
  try {
    await asService(
      (tx) =>
        tx`update private.idempotency_keys set is_abandoned = true where status is null and created_at < ${startedAt}`,
    );
  } catch (error) {
    // They are given up by their age.
    log("warn", "keys of an earlier process were not given up", { error: String(error) });
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
  if (stored.isLost) {
    throw new ApiError(
      "CONFLICT",
      "The first request with this Idempotency-Key took effect, but its response was lost. Look for its result before you send it with another key.",
    );
  }
  c.header("Idempotent-Replayed", "true");
  const body = stored.body === null ? null : unseal(Buffer.from(stored.body, "base64"), contextOf(place));
  if (body !== null)
    c.header("Content-Type", isJson(body) ? "application/json" : "text/event-stream; charset=utf-8");
  // Rows without a status never reach this line.
  return c.newResponse(body, stored.status ?? 200);
}

/** Sealed, because responses may contain tokens and keys that are shown once. Of uploads, only successful responses are stored. */
async function storeResponse(c: Context<AppEnv>, place: Place, claim: string): Promise<void> {
  const { status } = c.res;
  const type = c.res.headers.get("Content-Type") ?? "";
  const isKept = !isRetryableStatus(status) && (type === "" || type.startsWith("application/json"));
  const { upload } = c.var.route;
  if (!isKept || (upload && status !== upload.status)) return await releaseKey(claim);
  const text = await c.res.clone().text();
  const fileHash = upload ? hashOfFile(c, upload.measured.parse(JSON.parse(text))) : null;
  await storeBody(place, claim, { status, text, fileHash });
}

type Kept = { status: number; text: string; fileHash?: string | null };

async function storeBody(
  place: Place,
  claim: string,
  { status, text, fileHash = null }: Kept,
): Promise<void> {
  const body = text === "" ? null : Buffer.from(seal(text, contextOf(place))).toString("base64");
  const kib = Math.floor((body?.length ?? 0) / 1024);
  await asService(
    (tx) => tx`
      with counted as (
        insert into private.rate_limits as r (key, window_start, hits)
        select ${`kept:${place.keeper}`}, date_trunc('day', now(), 'UTC'), ${kib}::int where ${kib} > 0
        on conflict (key, window_start) do update set hits = r.hits + excluded.hits
        returning r.hits
      ), kept as (
        select coalesce((select hits from counted), 0) <= ${mostKeptKib} as fits
      )
      update private.idempotency_keys k
         set status = case when fits then ${status}::int end, body = case when fits then ${body} end,
             -- As if the process were gone: a call that took effect is not repeated, and its response is lost.
             is_abandoned = not fits, body_hash = coalesce(${fileHash}, k.body_hash)
        from kept where k.claim = ${claim}`,
  );
}

/** False for the text of a stream, which begins with a field or a comment. */
const isJson = (text: string): boolean => !/^(?:event|data|id|retry)?:/.test(text);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function releaseKey(claim: string): Promise<void> {
  await asService((tx) => tx`delete from private.idempotency_keys where claim = ${claim} and status is null`);
}

const contextOf = ({ caller, route, key }: Place) => `idempotency:${caller}:${route}:${key}`;
