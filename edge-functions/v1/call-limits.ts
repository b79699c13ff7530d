// Owns the rate limits that an endpoint declares in addition to the general ones: per address, and per user or API key. Counted in
// Postgres.
import type { Context } from "hono";
import { hitsOfLimit, type Limit, take } from "../_shared/requests/limits.ts";
import { type AppEnv, addressesOf } from "./router.ts";

/** Endpoints with the same `name` share a count. */
export type CallLimit = Limit & { name: string };

/** @throws ApiError RATE_LIMITED */
export async function limitCalls({ name, ...limit }: CallLimit, c: Context<AppEnv>): Promise<void> {
  const { caller } = c.var;
  await take(hitsOfLimit(name, limit, addressesOf(c), "id" in caller ? caller.id : undefined));
}
