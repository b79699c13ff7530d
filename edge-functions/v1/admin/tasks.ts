// Owns the platform admins' endpoint for the tasks of every team.
import { router } from "../router.ts";
import { listTeamTasks } from "../tasks/routes.ts";
import { tasksQuery } from "../tasks/schema.ts";
import { everyTeam } from "./every-team.ts";
import { teamFilter } from "./place.ts";

/** Mounted at /v1/admin/tasks. */
export const adminTasks = router().openapi(
  ...everyTeam(listTeamTasks, "query", {
    path: "/",
    summary: "List the tasks of every team, newest first",
    request: { query: tasksQuery.extend(teamFilter) },
  }),
);
