// Slack's signature: over the raw body, with the app's secret, within five minutes.
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isFromSlack } from "../../edge-functions/slack/signature.ts";

const now = 1_800_000_000;
const body = '{"type":"event_callback"}';
const sign = (timestamp: number | string, secret = "secret", text = body) =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${text}`).digest("hex")}`;

const isAccepted = (headers: Record<string, string>, sent = body) =>
  isFromSlack("secret", new Headers(headers), sent, now * 1000);
const headersOf = (timestamp: number | string, signature = sign(timestamp)) => ({
  "X-Slack-Request-Timestamp": String(timestamp),
  "X-Slack-Signature": signature,
});

test("a current signed request is Slack's", () => {
  expect(isAccepted(headersOf(now))).toBe(true);
  expect(isFromSlack("secret", new Headers(headersOf(Math.floor(Date.now() / 1000))), body)).toBe(true);
});

test("it is accepted for five minutes, in either direction", () => {
  expect([-301, -300, 300, 301].map((seconds) => isAccepted(headersOf(now + seconds)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("another secret, body or time, and a missing signature, are rejected", () => {
  expect(isAccepted(headersOf(now, sign(now, "other")))).toBe(false);
  expect(isAccepted(headersOf(now), `${body} `)).toBe(false);
  expect(isAccepted(headersOf(now, sign(now - 1)))).toBe(false);
  expect(isAccepted(headersOf(now, sign(now).slice(0, -1)))).toBe(false);
  expect(isAccepted(headersOf(now, `${sign(now)}0`))).toBe(false);
  expect(isAccepted({ "X-Slack-Request-Timestamp": String(now) })).toBe(false);
  expect(isAccepted({ "X-Slack-Signature": sign(now) })).toBe(false);
});

test.each(["", "now", "1e9", "-1", "1800000000.5", `0${now}000`, " "])("%j is no time", (timestamp) => {
  expect(isAccepted(headersOf(timestamp))).toBe(false);
});
