// Owns who may make a call: the kinds of access that a route declares, and what each one lets in. What a caller may see and change
// is for row-level security.
import type { Context } from "hono";
import { asCaller } from "../_shared/database/db.ts";
import type { Caller } from "../_shared/requests/auth.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { type AppEnv, claimsAtWork, userOf } from "./router.ts";
import { isPlatformAdmin } from "./users/queries.ts";

/**
 * - `open`: everyone, and no notice is taken of a token, not even of one that has expired
 * - `anyone`: everyone, with or without a token
 * - `someone`: whoever has a name to the database: users, API keys, visitors, the service
 * - `account`: users, API keys and the service
 * - `user`: users alone, since an API key has no account
 * - `operator`: platform admins and the service
 * - `platformAdmin`: platform admins, who are at work then; to everyone else the call is not there
 */
export type Access = "open" | "anyone" | "someone" | "account" | "user" | "operator" | "platformAdmin";

const letsIn: Record<"someone" | "account", Caller["kind"][]> = {
  someone: ["user", "apiKey", "service", "visitor"],
  account: ["user", "apiKey", "service"],
};

/** @throws ApiError NOT_AUTHENTICATED, FORBIDDEN; NOT_FOUND for a call of platform admins */
export async function admit(access: Access, c: Context<AppEnv>): Promise<void> {
  if (access === "open" || access === "anyone") return;
  if (access === "platformAdmin") return await bringToWork(c);
  if (access === "user") return void userOf(c);
  const { kind } = c.var.caller;
  if (!letsIn[access === "someone" ? "someone" : "account"].includes(kind))
    throw new ApiError("NOT_AUTHENTICATED");
  if (access !== "operator" || kind === "service") return;
  if (!(await asCaller(claimsAtWork(c), isPlatformAdmin))) throw new ApiError("FORBIDDEN");
}

/** From here on the claims say that a platform admin is at work; nothing outside their calls says so of a team's rows. */
async function bringToWork(c: Context<AppEnv>): Promise<void> {
  const { caller } = c.var;
  if (caller.kind !== "user") throw new ApiError("NOT_FOUND");
  const claims = { ...caller.claims, admin: true as const };
  if (!(await asCaller(claims, isPlatformAdmin))) throw new ApiError("NOT_FOUND");
  c.set("caller", { ...caller, claims });
}
