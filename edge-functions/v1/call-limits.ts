// Owns the limits that a call declares beside those of every request: by address, and by user or API key. Counted in Postgres.
import type { Context } from "hono";
import { hitsOfLimit, type Limit, take } from "../_shared/requests/limits.ts";
import { type AppEnv, addressesOf } from "./router.ts";

/** `name` is what is counted: calls with one name share a count. */
export type CallLimit = Limit & { name: string };

/** @throws ApiError RATE_LIMITED */
export async function limitCalls({ name, ...limit }: CallLimit, c: Context<AppEnv>): Promise<void> {
  const { caller } = c.var;
  await take(hitsOfLimit(name, limit, addressesOf(c), "id" in caller ? caller.id : undefined));
}
