// Owns the endpoint for tasks: the status of a team's background work.

import type { TeamId, Transaction } from "../../_shared/database/db.ts";
import { cursorPageOf } from "../cursors.ts";
import { inTeam, listInTeam, workInTeam } from "../in-team.ts";
import { languageOf } from "../language.ts";
import { call, routes } from "../route.ts";
import { json, router } from "../router.ts";
import * as queries from "./queries.ts";
import { task, tasksQuery } from "./schema.ts";

const route = routes({ tags: ["Tasks"] });

export const listTeamTasks = call(
  route({
    method: "get",
    path: "/{teamId}/tasks",
    permission: "tasks.read",
    summary: "List a team's tasks, newest first",
    request: { params: inTeam, query: tasksQuery },
    responses: { 200: json(cursorPageOf(task)) },
  }),
  async (c) => {
    const work = async (tx: Transaction, team: TeamId | null) =>
      queries.listTasks(tx, team, c.req.valid("query"), await languageOf(c, tx));
    return c.json(await (c.var.team ? listInTeam(c, work) : workInTeam(c, work)), 200);
  },
);

/** Mounted at /v1/teams. */
export const tasks = router().openapi(...listTeamTasks);
