// Owns the platform admins' call for the tasks of every team.
import { createRoute } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { languageOf } from "../language.ts";
import { claimsOf, cursorPageOf, failures, json, router } from "../router.ts";
import * as queries from "../tasks/queries.ts";
import { task, tasksQuery } from "../tasks/schema.ts";
import { filteredTeam, teamFilter } from "./place.ts";

/** Mounted at /v1/admin/tasks. */
export const adminTasks = router().openapi(
  createRoute({
    method: "get",
    path: "/",
    summary: "List the tasks of every team, newest first",
    tags: ["Admin"],
    request: { query: tasksQuery.extend(teamFilter) },
    responses: { 200: json(cursorPageOf(task)), ...failures },
  }),
  async (c) => {
    const { teamId, ...rest } = c.req.valid("query");
    const page = await asCaller(claimsOf(c), async (tx) =>
      queries.listTasks(tx, await filteredTeam(tx, teamId), rest, await languageOf(c, tx)),
    );
    return c.json(page, 200);
  },
);
