// Owns single use of refresh tokens: requests within half a minute share one response, a later request ends the session. The auth server
// alone would give each of two parallel requests a valid token.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeJwt } from "jose";
import { asService } from "../../_shared/database/db.ts";
import { AuthServerRefusal, refreshSession } from "../../_shared/requests/auth-server.ts";
import { ApiError } from "../../_shared/requests/errors.ts";
import { seal, unseal } from "../../_shared/secrets/secrets.ts";

export type Tokens = { accessToken: string; refreshToken: string; expiresIn: number };
type Renewed = Tokens & { userId: string };

type Look = {
  mine: boolean;
  known: boolean;
  finished: boolean;
  /** Finished within the last half minute. */
  justFinished: boolean;
  sessionId: string | null;
  answer: Uint8Array | null;
};

const pollMs = 40;
const patienceMs = 20_000;

/**
 * Exchanges a refresh token for new tokens.
 * @param arrivedAt when the request arrived, as performance.now() counts
 * @throws ApiError NOT_AUTHENTICATED for a token that is unknown, ended or already used; UNAVAILABLE
 */
export async function rotate(token: string, arrivedAt: number): Promise<Renewed> {
  const hash = createHash("sha256").update(token).digest();
  while (performance.now() - arrivedAt < patienceMs) {
    const look = await claim(hash);
    if (look.mine) return await exchange(token, hash);
    if (look.finished) return await reuse(token, look);
    await sleep(pollMs);
  }
  throw new ApiError("UNAVAILABLE");
}

/** Claims the token's row, or reads the current holder's result. A holder that has been silent for 30 s is replaced. */
async function claim(hash: Buffer): Promise<Look> {
  const [look] = await asService(
    (tx) => tx<Look[]>`
      with mine as (
        insert into private.token_rotations as r (token_hash) values (${hash})
        on conflict (token_hash) do update set started_at = clock_timestamp()
          where r.finished_at is null and r.started_at < clock_timestamp() - interval '30 seconds'
        returning 1)
      select exists (select 1 from mine) as mine, r.token_hash is not null as known,
             r.finished_at is not null as finished, r.session_id, r.answer,
             coalesce(r.finished_at > clock_timestamp() - interval '30 seconds', false) as just_finished
        from (select 1) one left join private.token_rotations r on r.token_hash = ${hash}`,
  );
  if (!look) throw new ApiError("UNAVAILABLE");
  return look;
}

async function exchange(token: string, hash: Buffer): Promise<Renewed> {
  try {
    const session = await refreshSession(token);
    const { accessToken, refreshToken, expiresIn } = session;
    const renewed = { accessToken, refreshToken, expiresIn, userId: session.user.id };
    const { session_id: sessionId } = decodeJwt(accessToken);
    await finish(
      hash,
      typeof sessionId === "string" ? sessionId : null,
      seal(JSON.stringify(renewed), contextOf(token)),
    );
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

/** A web server may die before the browser has its new cookie, and a request with the old one may reach another: both get the answer. */
async function reuse(token: string, look: Look): Promise<Renewed> {
  if (look.justFinished && look.answer) {
    // exchange() stored it for the same token.
    return JSON.parse(unseal(look.answer, contextOf(token))) as Renewed;
  }
  const { sessionId } = look;
  if (sessionId && !look.justFinished) {
    await asService((tx) => tx`select private.end_session(${sessionId})`);
  }
  throw new ApiError("NOT_AUTHENTICATED");
}

const contextOf = (token: string) => `refresh:${token}`;
