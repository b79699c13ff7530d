// Owns how often one may call: the limits, their keys, and whose address counts. Counted in Postgres, so that every
// instance sees the same. Must not know HTTP frameworks.
import { createHash } from "node:crypto";
import { asService, type Transaction } from "../database/db.ts";
import { env } from "../env.ts";
import { type ProblemCode, sentenceOf } from "../text/problems.ts";
import { clientAddress, hopsOf, isPrivate, networkOf, type Range } from "./client-address.ts";
import { ApiError } from "./errors.ts";

/** At most `perAddress` calls from one address and `perSubject` for one e-mail, visitor or user, in each window. */
export type Limit = { windowSeconds: number; perAddress: number; perSubject: number };

/** Every limit there is. Logins count failures only: whoever knows the password is not guessing. */
export const limits = {
  login: { windowSeconds: 300, perAddress: 100, perSubject: 30 },
  register: { windowSeconds: 600, perAddress: 60, perSubject: 10 },
  refresh: { windowSeconds: 300, perAddress: 600, perSubject: 60 },
  /** Mails that anyone can have sent; how many one mailbox gets is counted by mailsTo, and of invitations in sql/12_members.sql. */
  mail: { windowSeconds: 600, perAddress: 60, perSubject: 15 },
  /** Codes from such mails. */
  code: { windowSeconds: 600, perAddress: 60, perSubject: 15 },
  /** Changes of an account's address that are asked for, and their mails sent again. */
  emailChange: { windowSeconds: 600, perAddress: 60, perSubject: 3 },
  support: { windowSeconds: 3600, perAddress: 30, perSubject: 10 },
  beta: { windowSeconds: 3600, perAddress: 30, perSubject: 10 },
} as const satisfies Record<string, Limit>;

/** Behind an address of a private network stand a proxy or the machine's own programs: many people, or none. */
export const sharedAddressFactor = 20;

/** `words` is how a full limit is told; its sentence has the gaps {{max}} and {{seconds}}. */
export type Hit = { key: string; max: number; windowSeconds: number; words?: ProblemCode };

/**
 * The hits that one call takes.
 * @param addresses from clientAddresses()
 * @param subject whom the limit protects, such as an e-mail; stored as a digest only
 */
export function hitsOf(name: keyof typeof limits, addresses: ClientAddress[], subject?: string): Hit[] {
  return hitsOfLimit(name, limits[name], addresses, subject);
}

/** As hitsOf, for a limit that a resource keeps beside its own rules. */
export function hitsOfLimit(
  name: string,
  { windowSeconds, perAddress, perSubject }: Limit,
  addresses: ClientAddress[],
  subject?: string,
): Hit[] {
  const hits = addressHits(`${name}:from`, perAddress, windowSeconds, addresses);
  if (subject === undefined) return hits;
  return [...hits, { key: `${name}:for:${digestOf(subject)}`, max: perSubject, windowSeconds }];
}

/** An e-mail in the key of a limit, in any case. */
export const digestOf = (text: string) => createHash("sha256").update(text.toLowerCase()).digest("base64url");

/** A mailbox gets 3 mails of one kind in ten minutes and 6 in an hour, whoever asks for them. */
export function mailsTo(email: string, kind: "confirmation" | "recovery" | "emailChange"): Hit[] {
  const key = `mail:${kind}:${digestOf(email)}`;
  return [
    { key: `${key}:burst`, max: 3, windowSeconds: 600 },
    { key: `${key}:hour`, max: 6, windowSeconds: 3600 },
  ];
}

/** A hit for each address. */
export function addressHits(
  name: string,
  max: number,
  windowSeconds: number,
  addresses: ClientAddress[],
  words?: ProblemCode,
): Hit[] {
  return addresses.map(({ address, shared }) => ({
    key: `${name}:${networkOf(address)}`,
    max: shared ? max * sharedAddressFactor : max,
    windowSeconds,
    words,
  }));
}

/** Counts the hits. @throws ApiError RATE_LIMITED with the seconds until the longest full window ends */
export async function take(hits: Hit[]): Promise<void> {
  if (hits.length === 0) return;
  const full = await asService((tx) => count(tx, hits));
  if (full) throw tooMany(full.hit, full.seconds);
}

/** As take(), within a transaction of the service's: what is refused is not counted, since it is rolled back. */
export async function takeWithin(tx: Transaction, hits: Hit[]): Promise<void> {
  const full = hits.length > 0 && (await count(tx, hits));
  if (full) throw tooMany(full.hit, full.seconds);
}

/** As take(), for what is left out rather than refused: the seconds to wait, or 0. */
export async function secondsToWait(hits: Hit[]): Promise<number> {
  const full = hits.length > 0 && (await asService((tx) => count(tx, hits)));
  return full ? full.seconds : 0;
}

async function count(tx: Transaction, hits: Hit[]): Promise<{ hit: Hit; seconds: number } | undefined> {
  const waits = await tx<{ key: string; seconds: number }[]>`
    select key, seconds from private.take_hits(${hitArguments(tx, hits)}) order by seconds desc limit 1`;
  const [longest] = waits;
  const hit = longest && hits.find(({ key }) => key === longest.key);
  return hit && { hit, seconds: longest.seconds };
}

/** Hits as the arguments of private.take_hits(), for a statement that counts them beside what else it does. */
export const hitArguments = (tx: Transaction, hits: Hit[]) => tx`
  ${hits.map(({ key }) => key)}::text[], ${hits.map(({ max }) => max)}::int[],
  ${hits.map(({ windowSeconds }) => windowSeconds)}::int[]`;

/** Refuses what such a statement found full. @param key the key of the full limit; null where there was room */
export function requireRoom(hits: Hit[], key: string | null, seconds: number | null): void {
  const hit = hits.find((one) => one.key === key);
  if (hit) throw tooMany(hit, seconds ?? hit.windowSeconds);
}

/** What a full limit says: which one it is, and when it is over. */
export function tooMany({ max, words = "limitAttempts" }: Hit, seconds: number): ApiError {
  const message = sentenceOf(words, { max: String(max), seconds: String(seconds) });
  return new ApiError("RATE_LIMITED", message, {
    retryAfterSeconds: seconds,
    details: [{ path: "", message }],
  });
}

/** Takes hits back, for calls that turned out to be no attempt on anything. */
export async function giveBack(hits: Hit[]): Promise<void> {
  await asService(
    (tx) => tx`update private.rate_limits r set hits = greatest(r.hits - 1, 0)
                 from unnest(${hits.map(({ key }) => key)}::text[], ${hits.map(({ windowSeconds }) => windowSeconds)}::int[])
                      as h (key, seconds)
                where r.key = h.key
                  and r.window_start = to_timestamp(floor(extract(epoch from now()) / h.seconds) * h.seconds)`,
  );
}

/** Rows that one transaction of the sweep removes at most. */
const perSweep = 5_000;

/** Forgets windows and first answers that count no more: once an hour, whoever comes first. */
export async function sweepCounts(): Promise<void> {
  const [turn] = await asService(
    (tx) => tx<{ wait: number }[]>`select private.take_hit('sweep:counts', 1, 3600) as wait`,
  );
  if (turn?.wait !== 0) return;
  await sweep(
    (tx) => tx`
      delete from private.rate_limits where (key, window_start) in (
        select key, window_start from private.rate_limits
         where window_start < now() - interval '2 days' order by window_start limit ${perSweep})`,
  );
  await sweep(
    (tx) => tx`
      delete from private.idempotency_keys where (caller, route, key) in (
        select caller, route, key from private.idempotency_keys
         where created_at < now() - interval '24 hours' order by created_at limit ${perSweep})`,
  );
}

async function sweep(remove: (tx: Transaction) => Promise<{ count: number }>): Promise<void> {
  let removed = perSweep;
  while (removed === perSweep) ({ count: removed } = await asService(remove));
}

export type ClientAddress = { address: string; shared: boolean };

/**
 * Whose addresses a call counts for: the client's. While no proxies are named, whatever comes from this machine counts
 * together as well, at a multiple of the limit, since every program on it can write the header.
 * @param forwardedFor the X-Forwarded-For header; its last hop was written by the gateway, which saw it
 */
export function clientAddresses(
  forwardedFor: string | undefined,
  proxies: Range[] = env().TRUSTED_PROXIES,
): ClientAddress[] {
  const hops = hopsOf(forwardedFor);
  const client = clientAddress(hops, proxies);
  const peer = clientAddress(hops.slice(-1));
  const counted = proxies.length === 0 && peer && isPrivate(peer) ? [client, peer] : [client];
  return [...new Set(counted)].flatMap((address) =>
    address ? [{ address, shared: isPrivate(address) }] : [],
  );
}
