// Owns the webhook of a handover: the event, its signature and the call. Does not know the queue.
import { createHmac } from "node:crypto";
import { send } from "../_shared/outbound/outbound.ts";
import { OutboundError } from "../_shared/outbound/outbound-error.ts";
import type { HandoverNotice } from "./notice.ts";

const timeoutMs = 10_000;
/** The receiver's response body is ignored. */
const maxAnswerBytes = 64 * 1024;

/**
 * The value of Parley-Signature: HMAC-SHA256 with the secret over the Unix time in seconds, a dot, and the raw body. A receiver compares
 * v1 and rejects a t that is minutes old.
 */
function signatureOf(secret: string, body: string, at = Date.now()): string {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}

/** @param id of the delivery: stays the same on every retry */
export function eventOf(id: string, notice: HandoverNotice): string {
  const { handover, chat, team, agent, transcript } = notice;
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
      url: notice.url,
    },
  });
}

/** Result of a call: delivered, or the reason of the failure and whether it is final. */
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
    // 410 Gone: the receiver refuses all further calls.
    return { status: "failed", error: "refused", httpStatus: status, isFinal: status === 410 };
  } catch (error) {
    const problem = error instanceof OutboundError ? error.problem : "unreachable";
    // The receiver accepted the event; only its response was too long.
    if (problem === "too_large") return { status: "delivered", httpStatus: null };
    const names = { forbidden: "forbidden", unreachable: "unreachable", timed_out: "timedOut" } as const;
    return { status: "failed", error: names[problem], httpStatus: null, isFinal: problem === "forbidden" };
  }
}
