// Owns what a program is told of a handover: the event, its signature, and the one call that carries it. Knows no queue.
import { createHmac } from "node:crypto";
import { OutboundError, send } from "../_shared/outbound/outbound.ts";
import type { ToldHandover } from "./told.ts";

const timeoutMs = 10_000;
/** What the receiver answers is not read. */
const maxAnswerBytes = 64 * 1024;

/**
 * The value of Parley-Signature: HMAC-SHA256 with the secret, over the seconds since 1970, a point, and the body as it is sent. A
 * receiver compares v1 and refuses a t that is minutes old.
 */
function signatureOf(secret: string, body: string, at = Date.now()): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}

/** @param id of the delivery: the same whenever the event comes again */
export function eventOf(id: string, told: ToldHandover): string {
  const { handover, chat, team, agent, transcript } = told;
  return JSON.stringify({
    id,
    type: "handover.created",
    createdAt: handover.createdAt,
    teamId: team.id,
    data: {
      handover: {
        id: handover.id,
        chatId: chat.id,
        status: handover.status,
        reason: handover.reason,
        email: handover.email,
        message: handover.message,
        summary: handover.summary,
        language: handover.language,
        consent: { version: handover.consentVersion, at: handover.consentedAt },
        createdAt: handover.createdAt,
      },
      chat: { id: chat.id, title: chat.title, channel: chat.channel },
      agent: { id: agent.id, name: agent.name },
      transcript,
      url: told.url,
    },
  });
}

/** What became of a call: taken, or why not, and whether trying again may help. */
export type Outcome =
  | { status: "delivered"; httpStatus: number | null }
  | { status: "failed"; error: string; httpStatus: number | null; isFinal: boolean };

/** Never throws. */
export async function callWebhook(url: string, secret: string, id: string, body: string): Promise<Outcome> {
  try {
    const { status } = await send(new URL(url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "parley-signature": signatureOf(secret, body),
        "parley-event": "handover.created",
        "parley-event-id": id,
      },
      body,
      timeoutMs,
      maxBytes: maxAnswerBytes,
    });
    if (status >= 200 && status < 300) return { status: "delivered", httpStatus: status };
    // Gone for good, by the receiver's own word.
    return { status: "failed", error: "refused", httpStatus: status, isFinal: status === 410 };
  } catch (error) {
    const problem = error instanceof OutboundError ? error.problem : "unreachable";
    // It was taken: only what came back was too long.
    if (problem === "too_large") return { status: "delivered", httpStatus: null };
    const names = { forbidden: "forbidden", unreachable: "unreachable", timed_out: "timedOut" } as const;
    return { status: "failed", error: names[problem], httpStatus: null, isFinal: problem === "forbidden" };
  }
}
