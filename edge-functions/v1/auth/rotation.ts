// Owns single use of refresh tokens: concurrent requests share one response, and so do repeated ones for half a minute. Any other use ends the
// session. The auth server alone would give each of two parallel requests a valid token.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { asCaller, asService, type Claims } from "../../_shared/database/db.ts";
import { AuthServerRefusal, refreshSession } from "../../_shared/requests/auth-server.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { seal, unseal } from "../../_shared/secrets/secrets.ts";
import { sessionOfToken } from "./accounts.ts";

export type Tokens = { accessToken: string; refreshToken: string; expiresIn: number };
type Renewed = Tokens & { userId: string };

type Look = {
  mine: boolean;
  known: boolean;
  finished: boolean;
  /** Finished after this request arrived, or just before for one that may repeat another. */
  isShared: boolean;
  /** Milliseconds since it finished. */
  finishedMsAgo: number | null;
  sessionId: string | null;
  answer: Uint8Array | null;
};

const pollMs = 40;
const patienceMs = 20_000;
const repeatableMs = 30_000;

/**
 * arrivedAt: when the request arrived, as performance.now() counts. isRepeatable: whether it may repeat one whose answer was lost, as when a
 * web server died before the browser had its new cookie.
 */
export type Use = { arrivedAt: number; isRepeatable: boolean };

/**
 * Exchanges a refresh token for new tokens.
 * @throws ApiError NOT_AUTHENTICATED for a token that is unknown, ended or already used; UNAVAILABLE
 */
export async function rotate(token: string, use: Use): Promise<Renewed> {
  const hash = createHash("sha256").update(token).digest();
  while (performance.now() - use.arrivedAt < patienceMs) {
    const look = await claim(hash, use);
    if (look.mine) return await exchange(token, hash);
    if (look.finished) return await reuse(token, look);
    await sleep(pollMs);
  }
  throw new ApiError("UNAVAILABLE");
}

/** Claims the token's row, or reads the current holder's result. A holder that has been silent for 30 s is replaced. */
async function claim(hash: Buffer, { arrivedAt, isRepeatable }: Use): Promise<Look> {
  const [look] = await asService(
    (tx) => tx<Omit<Look, "isShared">[]>`
      with mine as (
        insert into private.token_rotations as r (token_hash) values (${hash})
        on conflict (token_hash) do update set started_at = clock_timestamp()
          where r.finished_at is null and r.started_at < clock_timestamp() - interval '30 seconds'
        returning 1)
      select exists (select 1 from mine) as mine, r.token_hash is not null as known,
             r.finished_at is not null as finished, r.session_id, r.answer,
             (extract(epoch from clock_timestamp() - r.finished_at) * 1000)::float8 as finished_ms_ago
        from (select 1) one left join private.token_rotations r on r.token_hash = ${hash}`,
  );
  if (!look) throw new ApiError("UNAVAILABLE");
  // Measured after the answer, so that every wait counts. If the arrival came out too late, concurrent requests would end the user's session.
  const sharedMs = Math.max(performance.now() - arrivedAt, isRepeatable ? repeatableMs : 0);
  return { ...look, isShared: look.finishedMsAgo !== null && look.finishedMsAgo < sharedMs };
}

async function exchange(token: string, hash: Buffer): Promise<Renewed> {
  try {
    const session = await refreshSession(token);
    const { accessToken, refreshToken, expiresIn } = session;
    const renewed = { accessToken, refreshToken, expiresIn, userId: session.user.id };
    await finish(hash, sessionOfToken(accessToken), seal(JSON.stringify(renewed), contextOf(token)));
    return renewed;
  } catch (error) {
    if (!(error instanceof AuthServerRefusal)) {
      // The auth server did not use up the token, so the next request may try.
      await asService((tx) => tx`delete from private.token_rotations where token_hash = ${hash}`);
      throw error;
    }
    await finish(hash, null, null);
    throw new ApiError("NOT_AUTHENTICATED", undefined, { cause: error });
  }
}

/** Responses are deleted after a minute; the record that a token was used, after 90 days. */
async function finish(hash: Buffer, sessionId: string | null, answer: Uint8Array | null): Promise<void> {
  await asService(async (tx) => {
    await tx`update private.token_rotations
                set finished_at = clock_timestamp(), session_id = ${sessionId}, answer = ${answer}
              where token_hash = ${hash}`;
    await tx`update private.token_rotations set answer = null
              where answer is not null and finished_at < now() - interval '1 minute'`;
    await tx`delete from private.token_rotations where started_at < now() - interval '90 days'`;
  });
}

async function reuse(token: string, look: Look): Promise<Renewed> {
  const { sessionId } = look;
  if (look.isShared && look.answer) {
    // exchange() stored it for the same token.
    const renewed = JSON.parse(unseal(look.answer, contextOf(token))) as Renewed;
    // Refuses a session that has ended since, whose tokens are of no use.
    if (sessionId) await asCaller(claimsOf(renewed, sessionId), (tx) => tx`select 1`);
    return renewed;
  }
  if (sessionId && !look.isShared) {
    await asService((tx) => tx`select private.end_session(${sessionId})`);
  }
  throw new ApiError("NOT_AUTHENTICATED");
}

const claimsOf = ({ userId }: Renewed, sessionId: string): Claims => ({
  role: "authenticated",
  sub: userId,
  session_id: sessionId,
});

const contextOf = (token: string) => `refresh:${token}`;
