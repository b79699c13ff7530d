// Owns who may make a call: the access levels that a route declares, and the callers each one admits. Row-level security decides what a
// caller may see and change.
import type { Context } from "hono";
import { asCaller } from "../_shared/database/db.ts";
import type { Caller } from "../_shared/requests/auth.ts";
import { ApiError } from "../_shared/requests/errors.ts";
import { type AppEnv, adminClaims, userOf } from "./router.ts";
import { isPlatformAdmin } from "./users/queries.ts";

/**
 * - `open`: everyone; a token is ignored, even an expired one
 * - `anyone`: everyone, with or without a token
 * - `someone`: callers whom the database can identify: users, API keys, visitors, the service
 * - `account`: users, API keys and the service
 * - `user`: users only, because an API key has no account
 * - `operator`: platform admins and the service
 * - `platformAdmin`: platform admins, who then act as such; everyone else gets a 404
 */
export type Access = "open" | "anyone" | "someone" | "account" | "user" | "operator" | "platformAdmin";

const admittedKinds: Record<"someone" | "account", Caller["kind"][]> = {
  someone: ["user", "apiKey", "service", "visitor"],
  account: ["user", "apiKey", "service"],
};

/** @throws ApiError NOT_AUTHENTICATED, FORBIDDEN; NOT_FOUND for a platform admins' endpoint */
export async function admit(access: Access, c: Context<AppEnv>): Promise<void> {
  if (access === "open" || access === "anyone") return;
  if (access === "platformAdmin") return await actAsAdmin(c);
  if (access === "user") return void userOf(c);
  const { kind } = c.var.caller;
  if (!admittedKinds[access === "someone" ? "someone" : "account"].includes(kind))
    throw new ApiError("NOT_AUTHENTICATED");
  if (access !== "operator" || kind === "service") return;
  if (!(await asCaller(adminClaims(c), isPlatformAdmin))) throw new ApiError("FORBIDDEN");
}

/** Marks the claims as a platform admin's. Outside of these endpoints no claim opens a team's rows to an admin. */
async function actAsAdmin(c: Context<AppEnv>): Promise<void> {
  const { caller } = c.var;
  if (caller.kind !== "user") throw new ApiError("NOT_FOUND");
  const claims = { ...caller.claims, admin: true as const };
  if (!(await asCaller(claims, isPlatformAdmin))) throw new ApiError("NOT_FOUND");
  c.set("caller", { ...caller, claims });
}
