// Who is at the other end, for the API's rate limits: the rule is the API's own (edge-functions/_shared/requests/client-address.ts).
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { clientAddress as addressOf, hopsOf } from "../../edge-functions/_shared/requests/client-address.ts";
import { env } from "./env.ts";

/** The client's address; "" where the connection has none any more. */
export function clientAddress(c: Context): string {
  const peer = getConnInfo(c).remote.address;
  const hops = peer ? [...hopsOf(c.req.header("x-forwarded-for")), peer] : [];
  return addressOf(hops, env.TRUSTED_PROXIES) ?? "";
}
