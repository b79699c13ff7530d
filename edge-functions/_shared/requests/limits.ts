// Owns rate limits: the limits, their keys, and which addresses count. Counted in Postgres, so that all instances share the count. Must
// not know HTTP frameworks.
import { createHash } from "node:crypto";
import { asService, type Transaction } from "../database/db.ts";
import { env } from "../env.ts";
import { type ProblemCode, sentenceOf } from "../text/sentences.ts";
import { clientAddress, hopsOf, isPrivate, networkOf, type Range } from "./client-address.ts";
import { type ApiError, rateLimited, waitIn } from "./errors.ts";

/** In each window at most `perAddress` calls from one address, and `perSubject` for one email, visitor or user. */
export type Limit = { windowSeconds: number; perAddress: number; perSubject: number };

/** All limits. Logins count only failures, because a caller who knows the password does not guess. */
export const limits = {
  login: { windowSeconds: 300, perAddress: 100, perSubject: 30 },
  register: { windowSeconds: 600, perAddress: 60, perSubject: 10 },
  refresh: { windowSeconds: 300, perAddress: 600, perSubject: 60 },
  /** Mails that anyone can trigger. mailsTo limits each mailbox; sql/12_members.sql limits invitations. */
  mail: { windowSeconds: 600, perAddress: 60, perSubject: 15 },
  /** Attempts to redeem a code from such a mail. */
  code: { windowSeconds: 600, perAddress: 60, perSubject: 15 },
  /** Requests to change an account's address, and to resend their mails. */
  emailChange: { windowSeconds: 600, perAddress: 60, perSubject: 3 },
  support: { windowSeconds: 3600, perAddress: 30, perSubject: 10 },
  beta: { windowSeconds: 3600, perAddress: 30, perSubject: 10 },
} as const satisfies Record<string, Limit>;

/** Factor for a private address, which is a proxy or the machine's own programs: many people, or none. */
export const sharedAddressFactor = 20;

/** `words` is the code of the error message; its sentence has the gaps {{max}} and {{seconds}}. */
export type Hit = { key: string; max: number; windowSeconds: number; words?: ProblemCode };

/**
 * The hits of one call.
 * @param addresses from clientAddresses()
 * @param subject the email, visitor or user that the limit protects; stored only as a digest
 */
export function hitsOf(name: keyof typeof limits, addresses: ClientAddress[], subject?: string): Hit[] {
  return hitsOfLimit(name, limits[name], addresses, subject);
}

/** As hitsOf, for a limit that is declared with its resource. */
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

/** Digest of an email for a limit's key; ignores case. */
export const digestOf = (text: string) => createHash("sha256").update(text.toLowerCase()).digest("base64url");

/** A mailbox receives at most 3 mails of a kind in ten minutes and 6 in an hour, whoever requests them. */
export function mailsTo(email: string, kind: "confirmation" | "recovery" | "emailChange"): Hit[] {
  const key = `mail:${kind}:${digestOf(email)}`;
  return [
    { key: `${key}:burst`, max: 3, windowSeconds: 600 },
    { key: `${key}:hour`, max: 6, windowSeconds: 3600 },
  ];
}

/** One hit per address. */
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

/** As take(), within a service transaction. A refused hit is not counted, because the transaction is rolled back. */
export async function takeWithin(tx: Transaction, hits: Hit[]): Promise<void> {
  const full = hits.length > 0 && (await count(tx, hits));
  if (full) throw tooMany(full.hit, full.seconds);
}

/** As takeWithin(), for work that is skipped rather than refused. */
export const isWithin = async (tx: Transaction, hits: Hit[]): Promise<boolean> =>
  (await count(tx, hits)) === undefined;

/** As take(), for work that is skipped rather than refused: returns the seconds to wait, or 0. */
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

/** Hits as the arguments of private.take_hits(), for a statement that also does other work. */
export const hitArguments = (tx: Transaction, hits: Hit[]) => tx`
  ${hits.map(({ key }) => key)}::text[], ${hits.map(({ max }) => max)}::int[],
  ${hits.map(({ windowSeconds }) => windowSeconds)}::int[]`;

/** Stands for the paying team's id in the keys of hits that Postgres completes (private.take_hits_of_payer in sql/63_questions.sql). */
const payingTeam = "{team}";

/** The hits of a call whose paying team only Postgres knows: those of its members, `own` in number, then those of others. */
export type HitsOfPayer = { hits: Hit[]; own: number };

/** @param hitsFor the hits for a team, and for its member or somebody else */
export function hitsOfPayer(hitsFor: (payer: { teamId: string; isOwn: boolean }) => Hit[]): HitsOfPayer {
  const own = hitsFor({ teamId: payingTeam, isOwn: true });
  const others = hitsFor({ teamId: payingTeam, isOwn: false });
  return { hits: [...own, ...others], own: own.length };
}

/** As the arguments of private.take_hits_of_payer(). */
export const payerArguments = (tx: Transaction, { hits, own }: HitsOfPayer) => tx`
  ${hitArguments(tx, hits)}, ${own}`;

/** The error of a full limit that such a statement raised, with the limit's own words; undefined for any other error. */
export function fullLimitOf({ hits }: HitsOfPayer, error: unknown): ApiError | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "PT429" && "hint" in error))
    return undefined;
  const hit = hits.find(({ key }) => key === error.hint);
  return hit && tooMany(hit, waitIn(error));
}

/** The error of a full limit: which one it is, and when it ends. */
export function tooMany({ max, words }: Hit, seconds: number): ApiError {
  return rateLimited(seconds, words && sentenceOf(words, { max: String(max), seconds: String(seconds) }));
}

/** Subtracts hits again, for calls that were not an attempt. */
export async function giveBack(hits: Hit[]): Promise<void> {
  await asService(
    (tx) => tx`update private.rate_limits r set hits = greatest(r.hits - 1, 0)
                 from unnest(${hits.map(({ key }) => key)}::text[], ${hits.map(({ windowSeconds }) => windowSeconds)}::int[])
                      as h (key, seconds)
                where r.key = h.key
                  and r.window_start = to_timestamp(floor(extract(epoch from now()) / h.seconds) * h.seconds)`,
  );
}

/** Maximum rows that one transaction of the sweep deletes. */
const perSweep = 5_000;

/** Deletes expired windows and idempotency records, once an hour across all processes. */
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
 * The addresses that a call counts for: the client's. If no proxies are configured, calls from this machine also share one count, at a
 * multiple of the limit, because any program on it can write the header.
 * @param forwardedFor the X-Forwarded-For header; the gateway, which sees the peer, writes its last hop
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
