// Owns the door to the admin area: platform admins come in, and come in at work; to everyone else it is not there.
// What each call does is its own file's; row-level security decides which rows there are, here as everywhere.
import type { MiddlewareHandler } from "hono";
import { asCaller } from "../../_shared/db.ts";
import { ApiError } from "../../_shared/errors.ts";
import { type AppEnv, router } from "../router.ts";
import { isPlatformAdmin } from "../users/queries.ts";
import { adminAgents } from "./agents.ts";
import { adminApiKeys } from "./api-keys.ts";
import { adminKnowledges } from "./knowledges.ts";
import { adminRetention } from "./retention.ts";
import { adminSources } from "./sources.ts";
import { adminSupport } from "./support.ts";
import { adminSuppressions } from "./suppressions.ts";
import { adminTasks } from "./tasks.ts";
import { adminTeams } from "./teams.ts";

/** From here on the caller's claims say that a platform admin is at work; nothing outside this area says so of a team's rows. */
const platformAdmins: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { caller } = c.var;
  if (caller.kind !== "user") throw new ApiError("NOT_FOUND");
  const claims = { ...caller.claims, admin: true as const };
  if (!(await asCaller(claims, isPlatformAdmin))) throw new ApiError("NOT_FOUND");
  c.set("caller", { ...caller, claims });
  await next();
};

const area = router();
area.use("*", platformAdmins);

/** Mounted at /v1/admin. */
export const admin = area
  .route("/agents", adminAgents)
  .route("/knowledges", adminKnowledges)
  .route("/sources", adminSources)
  .route("/teams", adminTeams)
  .route("/tasks", adminTasks)
  .route("/apiKeys", adminApiKeys)
  .route("/support", adminSupport)
  .route("/suppressions", adminSuppressions)
  .route("/retention", adminRetention);
