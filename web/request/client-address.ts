// Client addresses for the API's rate limits, by the API's own rule (edge-functions/_shared/requests/client-address.ts).
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { clientAddress as addressOf, hopsOf } from "../../edge-functions/_shared/requests/client-address.ts";
import { env } from "./env.ts";

/** The client's address; "" when the connection no longer has one. */
export function clientAddress(c: Context): string {
  const peer = getConnInfo(c).remote.address;
  const hops = peer ? [...hopsOf(c.req.header("x-forwarded-for")), peer] : [];
  return addressOf(hops, env.TRUSTED_PROXIES) ?? "";
}
