// Owns the list of the admin area's routers. Its endpoints declare that they are for platform admins; row-level security decides which
// rows are visible, here as everywhere.
import { router } from "../router.ts";
import { adminAgents } from "./agents.ts";
import { adminApiKeys } from "./api-keys.ts";
import { adminKnowledges } from "./knowledges.ts";
import { adminBudgets, adminModels } from "./models.ts";
import { adminRetention } from "./retention.ts";
import { adminSources } from "./sources.ts";
import { adminSupport } from "./support.ts";
import { adminSuppressions } from "./suppressions.ts";
import { adminTasks } from "./tasks.ts";
import { adminTeams } from "./teams.ts";

/** Mounted at /v1/admin. */
export const admin = router()
  .route("/agents", adminAgents)
  .route("/knowledges", adminKnowledges)
  .route("/sources", adminSources)
  .route("/teams", adminTeams)
  .route("/tasks", adminTasks)
  .route("/apiKeys", adminApiKeys)
  .route("/support", adminSupport)
  .route("/suppressions", adminSuppressions)
  .route("/retention", adminRetention)
  .route("/models", adminModels)
  .route("/budgets", adminBudgets);
