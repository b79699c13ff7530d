// Owns the limit on password guesses. Guesses by others do not lock out an account's owner: see docs/decisions/0010-accounts.md.
// Runs as the service, because its callers are not authenticated yet.
import { setTimeout as sleep } from "node:timers/promises";
import { asService } from "../../_shared/database/db.ts";
import { networkOf } from "../../_shared/requests/client-address.ts";
import {
  type ClientAddress,
  digestOf,
  giveBack,
  type Hit,
  hitsOf,
  limits,
  secondsToWait,
  sharedAddressFactor,
  take,
  tooMany,
} from "../../_shared/requests/limits.ts";

/** Failed guesses of one address for one email before that address must wait for the window to end. */
const perPair = 10;
/** Once an email has used up its failures, addresses that never logged in to it share a queue with one attempt per turn. */
const turnSeconds = 2;
const patienceTurns = 4;
const rememberedFor = "90 days";

/**
 * Counts an attempt as a failure until recordSuccess() reverts it, and waits for its turn if the email is under attack. Behaves the same
 * for emails without an account.
 * @throws ApiError RATE_LIMITED
 */
export async function admitGuess(email: string, addresses: ClientAddress[]): Promise<Hit[]> {
  const from = nearest(addresses);
  const { windowSeconds, perSubject } = limits.login;
  const own = hitsOf("login", addresses);
  if (from) {
    const max = from.shared ? perPair * sharedAddressFactor : perPair;
    own.push({ key: `login:pair:${networkOf(from.address)}:${digestOf(email)}`, max, windowSeconds });
  }
  await take(own);
  const everywhere: Hit = { key: `login:for:${digestOf(email)}`, max: perSubject, windowSeconds };
  const isUnderAttack = (await secondsToWait([everywhere])) > 0;
  if (isUnderAttack && !(await isKnownOrigin(email, from))) await waitForTurn(email);
  return [...own, everywhere];
}

/** Subtracts the attempt from the failures, and remembers the address as one that the account is used from. */
export async function recordSuccess(hits: Hit[], userId: string, addresses: ClientAddress[]): Promise<void> {
  await giveBack(hits);
  const from = nearest(addresses);
  if (!from || from.shared) return;
  await asService(async (tx) => {
    await tx`insert into private.login_origins (user_id, origin) values (${userId}, ${digestOf(networkOf(from.address))})
             on conflict (user_id, origin) do update set seen_at = now()`;
    await tx`delete from private.login_origins
              where user_id = ${userId} and seen_at < now() - ${rememberedFor}::interval`;
  });
}

/** The client's own address if it is known: the first of clientAddresses(). */
const nearest = (addresses: ClientAddress[]) => addresses[0];

/** False for a shared address: it does not show who uses it. */
async function isKnownOrigin(email: string, from: ClientAddress | undefined): Promise<boolean> {
  if (!from || from.shared) return false;
  const rows = await asService(
    (tx) => tx`select 1 from private.login_origins o join public.users u on u.id = o.user_id
                where lower(u.email) = ${email.toLowerCase()} and o.origin = ${digestOf(networkOf(from.address))}
                  and o.seen_at > now() - ${rememberedFor}::interval`,
  );
  return rows.length > 0;
}

async function waitForTurn(email: string): Promise<void> {
  const turn: Hit = { key: `login:turn:${digestOf(email)}`, max: 1, windowSeconds: turnSeconds };
  for (let waited = 0; ; waited++) {
    const seconds = await secondsToWait([turn]);
    if (seconds === 0) return;
    if (waited === patienceTurns) throw tooMany(turn, seconds);
    await sleep(seconds * 1000);
  }
}
