// Owns how often one may call: the limits, their keys, and whose address counts. Counted in Postgres, so that every
// instance sees the same. Must not know HTTP frameworks.
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { asService } from "./db.ts";
import { ApiError } from "./errors.ts";

/** At most `perAddress` calls from one address and `perSubject` for one e-mail, visitor or user, in each window. */
export type Limit = { windowSeconds: number; perAddress: number; perSubject: number };

/** Every limit there is. Logins count failures only: whoever knows the password is not guessing. */
export const limits = {
  login: { windowSeconds: 300, perAddress: 100, perSubject: 30 },
  register: { windowSeconds: 600, perAddress: 60, perSubject: 10 },
  refresh: { windowSeconds: 300, perAddress: 600, perSubject: 60 },
  /** Mails that anyone can have sent to an address: confirmation, password, invitation. */
  mail: { windowSeconds: 600, perAddress: 60, perSubject: 15 },
  /** Codes from such mails. */
  code: { windowSeconds: 600, perAddress: 60, perSubject: 15 },
  support: { windowSeconds: 3600, perAddress: 30, perSubject: 10 },
  beta: { windowSeconds: 3600, perAddress: 30, perSubject: 10 },
} as const satisfies Record<string, Limit>;

/** Behind an address of a private network stand a proxy or the machine's own programs: many people, or none. */
const sharedAddressFactor = 20;

export type Hit = { key: string; max: number; windowSeconds: number };

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
  const hits = addresses.map(({ address, shared }) => ({
    key: `${name}:from:${address}`,
    max: shared ? perAddress * sharedAddressFactor : perAddress,
    windowSeconds,
  }));
  if (subject === undefined) return hits;
  const digest = createHash("sha256").update(subject.toLowerCase()).digest("base64url");
  return [...hits, { key: `${name}:for:${digest}`, max: perSubject, windowSeconds }];
}

/** Counts the hits. @throws ApiError RATE_LIMITED with the seconds until the longest full window ends */
export async function take(hits: Hit[]): Promise<void> {
  if (hits.length === 0) return;
  // In one order, so that two calls never wait for each other's rows.
  const ordered = [...hits].sort((a, b) => (a.key < b.key ? -1 : 1));
  const waits = await asService(
    (tx) => tx<{ seconds: number }[]>`
      select private.take_hit(h.key, h.max, h.seconds) as seconds
        from unnest(${ordered.map(({ key }) => key)}::text[], ${ordered.map(({ max }) => max)}::int[],
                    ${ordered.map(({ windowSeconds }) => windowSeconds)}::int[]) as h (key, max, seconds)`,
  );
  const seconds = Math.max(...waits.map((wait) => wait.seconds));
  if (seconds > 0) throw new ApiError("RATE_LIMITED", undefined, { retryAfterSeconds: seconds });
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

export type ClientAddress = { address: string; shared: boolean };

/**
 * Whose addresses a call counts for. The last hop of X-Forwarded-For was written by the gateway, which saw it; the one
 * before is believed only where that last hop is of our own network (the web server), and then both count, since a
 * program on the same machine can write it too.
 * @param forwardedFor the X-Forwarded-For header
 */
export function clientAddresses(forwardedFor: string | undefined): ClientAddress[] {
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim().replace(/^::ffff:/i, ""));
  const last = hops.at(-1);
  if (!last || isIP(last) === 0) return [];
  const peer = { address: last, shared: isShared(last) };
  const before = hops.at(-2);
  if (!peer.shared || !before || isIP(before) === 0 || before === last) return [peer];
  return [peer, { address: before, shared: isShared(before) }];
}

function isShared(address: string): boolean {
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)|^::1$|^f[cd][0-9a-f]{2}:|^fe80:/i.test(
    address,
  );
}
