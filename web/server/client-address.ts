// Who is at the other end, for the API's rate limits. X-Forwarded-For is believed only from a proxy of our own network.
import { isIP } from "node:net";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

const SHARED =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)|^::1$|^f[cd][0-9a-f]{2}:|^fe80:/i;

/** The peer's address; the one that a proxy in front wrote down last, when the peer is a neighbour. */
export function addressOf(peer: string | undefined, forwardedFor: string | undefined): string {
  const own = (peer ?? "").replace(/^::ffff:/i, "");
  if (!SHARED.test(own)) return own;
  const last =
    forwardedFor
      ?.split(",")
      .at(-1)
      ?.trim()
      .replace(/^::ffff:/i, "") ?? "";
  return isIP(last) > 0 ? last : own;
}

export function clientAddress(c: Context): string {
  return addressOf(getConnInfo(c).remote.address, c.req.header("x-forwarded-for"));
}
