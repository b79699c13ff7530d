// Owns the call for tasks: what the team's background work is doing.
import { createRoute } from "@hono/zod-openapi";
import { asCaller } from "../../_shared/db.ts";
import { inTeam } from "../in-team.ts";
import { languageOf } from "../language.ts";
import { claimsOf, cursorPageOf, failures, json, router, signedIn, teamWith } from "../router.ts";
import * as queries from "./queries.ts";
import { task, tasksQuery } from "./schema.ts";

/** Mounted at /v1/teams. */
export const tasks = router().openapi(
  createRoute({
    method: "get",
    path: "/{teamId}/tasks",
    tags: ["Tasks"],
    summary: "List a team's tasks, newest first",
    middleware: [signedIn],
    request: { params: inTeam, query: tasksQuery },
    responses: { 200: json(cursorPageOf(task)), ...failures },
  }),
  async (c) => {
    const { teamId } = c.req.valid("param");
    const page = await asCaller(claimsOf(c), async (tx) =>
      queries.listTasks(
        tx,
        await teamWith(tx, teamId, "tasks.read"),
        c.req.valid("query"),
        await languageOf(c, tx),
      ),
    );
    return c.json(page, 200);
  },
);
