// Owns the verification that a request comes from Slack: HMAC-SHA256 over the raw body, no older than five minutes
// (docs.slack.dev/authentication/verifying-requests-from-slack). Pure.
import { createHmac, timingSafeEqual } from "node:crypto";

const windowSeconds = 300;

/** Slack's signature of a body. @param timestamp in seconds, as in X-Slack-Request-Timestamp */
function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
}

/** True when a request is signed by Slack and recent. */
export function isFromSlack(
  secret: string,
  headers: { get(name: string): string | null },
  body: string,
  nowMs = Date.now(),
): boolean {
  const timestamp = headers.get("X-Slack-Request-Timestamp") ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > windowSeconds) return false;
  const wanted = new TextEncoder().encode(signatureOf(secret, timestamp, body));
  const sent = new TextEncoder().encode(headers.get("X-Slack-Signature") ?? "");
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
